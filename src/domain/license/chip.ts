import type { LicenseCheck } from './check.ts';

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
