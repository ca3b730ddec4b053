import type { StopCause } from '../stops/refusal-causes.ts';
import type { Reason } from './reason.ts';

interface StandDownFacts {
  /** An address as the privacy settings show it, or `configuration`. */
  readonly actor: string;
  readonly reason?: string;
}

export interface LicenseGate {
  readonly acts: boolean;
  readonly verdict: 'licensed' | 'unverified' | 'check_failed' | 'unlicensed';
}

export interface StopInput {
  readonly standDown?: StandDownFacts;
  readonly license: LicenseGate | null;
  readonly handbackDone: boolean;
}

export interface Stop {
  readonly wanted: 'handback' | 'nothing';
  readonly acting: boolean;
  readonly reason: Reason;
  readonly causes: readonly StopCause[];
}

/**
 * What keeps the service from scaling, if anything does. The handback runs in dry run too: it undoes what was done
 * before. Until the first license check of a controller's life nothing happens at all, not even a handback.
 */
export function stopOf({ standDown, license, handbackDone }: StopInput): Stop | undefined {
  const causes: StopCause[] = [];
  if (standDown !== undefined) causes.push('stand_down');
  if (license === null) {
    const text = 'Not scaling: the license has not been checked yet';
    return { wanted: 'nothing', acting: false, reason: { code: 'license_not_checked', text }, causes };
  }
  if (!license.acts) causes.push('license');
  if (causes.length === 0) return undefined;
  const reason =
    standDown === undefined ? licenseReason(license, handbackDone) : standDownReason(standDown, handbackDone);
  return { wanted: handbackDone ? 'nothing' : 'handback', acting: !handbackDone, reason, causes };
}

function standDownReason({ actor, reason }: StandDownFacts, done: boolean): Reason {
  const because = reason === undefined || reason === '' ? '' : ` (${reason})`;
  return { code: 'stand_down', text: stopText(done, `stood down by ${actor}${because}`), actor };
}

function licenseReason({ verdict }: LicenseGate, done: boolean): Reason {
  return { code: 'license', text: stopText(done, verdict === 'check_failed' ? 'license check failed' : 'unlicensed') };
}

function stopText(done: boolean, why: string): string {
  return done ? `Not scaling - ${why}` : `Handing everything back: ${why}`;
}
