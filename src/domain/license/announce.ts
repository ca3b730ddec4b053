import type { LogLine } from '../announcement/announcement.ts';
import type { LicenseCheck } from './check.ts';
import { type Verdict, verdicts } from './verdict.ts';

type ChipColor = 'red' | 'amber';

export interface LicenseChip {
  readonly color: ChipColor;
  readonly text: string;
  /** The sentence behind the chip. */
  readonly detail: string;
}

/** The top-bar chip of a license; undefined when there is nothing to say. */
export function licenseChip(check: LicenseCheck): LicenseChip | undefined {
  const detail = check.reason;
  switch (check.verdict) {
    case 'unlicensed':
      return { color: 'red', text: 'Not scaling - unlicensed', detail };
    case 'check_failed':
      return { color: 'red', text: 'Not scaling - license check failed', detail };
    case 'unverified':
      return { color: 'amber', text: 'License check failing', detail };
    case 'licensed': {
      const expiresAt = check.license?.expiresAt;
      if (!check.expiresSoon || expiresAt === undefined) return undefined;
      const on = new Date(expiresAt).toISOString().slice(0, 10);
      return { color: 'amber', text: 'License expires', detail: `The license expires on ${on}.` };
    }
  }
}

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

/** The line for a verdict that is another than the one before; the first check of a process has none before. */
export function licenseLog(before: LicenseCheck | undefined, check: LicenseCheck): LogLine | undefined {
  if (before?.verdict === check.verdict) return undefined;
  const { verdict, reason, acts } = check;
  const message = acts ? `License check: ${verdict}` : `License check: ${verdict}, handing back and scaling nothing`;
  return { level: verdict === 'licensed' ? 'info' : 'warn', message, fields: { verdict, reason } };
}
