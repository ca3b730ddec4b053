import type { LicenseCheck } from './check.ts';
import { type Verdict, verdicts } from './verdict.ts';

export interface LicenseMetrics {
  /** One series a verdict, 1 for the one that holds. */
  readonly verdict: Readonly<Record<Verdict, 0 | 1>>;
  /** Unix seconds; absent series where there is no such time. */
  readonly expiresAtSeconds?: number;
  readonly lastLicensedSeconds?: number;
  readonly stopAtSeconds?: number;
}

export function licenseMetrics(check: LicenseCheck): LicenseMetrics {
  const verdict = Object.fromEntries(verdicts.map((each) => [each, each === check.verdict ? 1 : 0]));
  return {
    verdict: verdict as Record<Verdict, 0 | 1>,
    ...seconds('expiresAtSeconds', check.license?.expiresAt),
    ...seconds('lastLicensedSeconds', check.lastLicensedAt),
    ...seconds('stopAtSeconds', check.stopAt),
  };
}

function seconds<K extends string>(name: K, at: number | undefined): { [P in K]?: number } {
  return at === undefined ? {} : ({ [name]: Math.floor(at / 1000) } as { [P in K]?: number });
}
