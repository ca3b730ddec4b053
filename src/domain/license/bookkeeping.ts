import type { EpochMs } from '../workload.ts';
import type { Verdict } from './verdict.ts';

/** What is remembered from check to check, across restarts. */
export interface LicenseBookkeeping {
  /** The last time a check said `licensed`. */
  readonly lastLicensedAt?: EpochMs;
  /** The latest time ever seen: a clock that is set back does not bring an expired license back. */
  readonly latestSeenAt?: EpochMs;
  /** Whether the last check that was announced let the service act. */
  readonly acts?: boolean;
  /** The controller's last finding, which api and command line show: with other rights they might read another license. */
  readonly found?: { readonly verdict: Verdict; readonly reason: string };
}

export const noLicenseChecks: LicenseBookkeeping = {};

/** A converged cluster is not written to; a day is fine enough for a grace of two weeks. */
const worthWriting = 86_400_000;

export interface BookkeepingStep {
  /** What the next check in this process is given. */
  readonly bookkeeping: LicenseBookkeeping;
  /** True when it has moved on enough from what is stored. */
  readonly store: boolean;
}

export function keepBooks(
  stored: LicenseBookkeeping,
  held: LicenseBookkeeping,
  check: { readonly verdict: Verdict; readonly reason: string },
  now: EpochMs,
): BookkeepingStep {
  const latestSeenAt = Math.max(now, stored.latestSeenAt ?? now, held.latestSeenAt ?? now);
  const lastLicensedAt = check.verdict === 'licensed' ? latestSeenAt : (held.lastLicensedAt ?? stored.lastLicensedAt);
  const { verdict, reason } = check;
  const moved =
    stored.found?.verdict !== verdict ||
    movedOn(stored.latestSeenAt, latestSeenAt) ||
    (lastLicensedAt !== undefined && movedOn(stored.lastLicensedAt, lastLicensedAt));
  const licensedAt = lastLicensedAt === undefined ? {} : { lastLicensedAt };
  return { bookkeeping: { latestSeenAt, ...licensedAt, found: { verdict, reason } }, store: moved };
}

function movedOn(from: EpochMs | undefined, to: EpochMs): boolean {
  return from === undefined || to - from >= worthWriting;
}
