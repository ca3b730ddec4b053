import type { EpochMs } from '../workload.ts';
import type { LicenseBookkeeping } from './bookkeeping.ts';
import { type License, type Read, readBlock, readPayload, type VerifySignature } from './license.ts';
import { type Verdict, verdicts } from './verdict.ts';

/** What reading ConfigMap `svc-license` gave; an empty text is an absent license. */
export type LicenseSource =
  | { readonly found: 'text'; readonly text: string }
  | { readonly found: 'nothing' }
  /** It could not be read: whether there is a license cannot be told. */
  | { readonly found: 'unreadable'; readonly message: string };

export interface LicenseAuthority {
  readonly publicKeys: readonly string[];
  /** The text of the license that counts when no other is set; absent in a distribution without one. */
  readonly builtIn?: string;
  readonly verify: VerifySignature;
}

export interface LicenseCheck {
  readonly verdict: Verdict;
  readonly acts: boolean;
  readonly reason: string;
  readonly license?: License;
  readonly lastLicensedAt?: EpochMs;
  /** When the service stops acting unless a check succeeds before; only while the verdict is `unverified`. */
  readonly stopAt?: EpochMs;
  /** Set in the last days of a license. */
  readonly expiresSoon: boolean;
}

/** When the verdict changes by the time alone; undefined when it does not. */
export function verdictEndsAt({ license, stopAt, acts }: LicenseCheck): EpochMs | undefined {
  return acts ? (stopAt ?? license?.expiresAt) : undefined;
}

const day = 86_400_000;
/** How long the service goes on acting on its last licensed check. */
const graceMs = 14 * day;
const expiryWarningMs = 30 * day;

/**
 * Judges by the latest time ever seen, so that a clock which is set back does not bring an expired license back. The
 * other way round, `unverified` ends by that time too.
 */
export function checkLicense(
  source: LicenseSource,
  authority: LicenseAuthority,
  bookkeeping: LicenseBookkeeping,
  now: EpochMs,
): LicenseCheck {
  const seen = Math.max(now, bookkeeping.latestSeenAt ?? now);
  const text = source.found === 'text' && source.text.trim() !== '' ? source.text : undefined;
  if (source.found === 'unreadable') return cannotTell(source.message, bookkeeping, seen);
  if (text === undefined && authority.builtIn === undefined) {
    return notLicensed('There is no license.', bookkeeping);
  }
  const judged = judgeOnce(text ?? authority.builtIn ?? '', authority);
  if (judged.outcome === 'good') return ofLicense(judged.license, bookkeeping, seen);
  if (judged.outcome === 'refused') return notLicensed(judged.message, bookkeeping);
  return cannotTell(judged.message, bookkeeping, seen);
}

/** The books are kept once a day: what is older than this is of a controller that no longer looks. */
const keptMs = 2 * day;

/**
 * What everybody but the controller says of the license: its own look, unless the controller, which acts on it, found worse,
 * or could read what this process cannot. So nobody is told that the service acts while it does not, or the reverse. A dry run
 * writes nothing down: what is stored is from before it, and would say for ever what the controller no longer says.
 */
export function withControllers(
  own: LicenseCheck,
  bookkeeping: LicenseBookkeeping,
  { now, dryRun }: { readonly now: EpochMs; readonly dryRun: boolean },
): LicenseCheck {
  const { found, lastLicensedAt } = bookkeeping;
  if (found === undefined || dryRun) return own;
  if (own.verdict === 'unverified' && found.verdict === 'licensed' && now - (lastLicensedAt ?? 0) < keptMs) {
    const { stopAt: _stopAt, ...rest } = own;
    return { ...rest, ...found };
  }
  if (verdicts.indexOf(found.verdict) <= verdicts.indexOf(own.verdict)) return own;
  const { stopAt: _stopAt, license: _license, ...rest } = own;
  const stopAt = found.verdict === 'unverified' && lastLicensedAt !== undefined ? lastLicensedAt + graceMs : undefined;
  return {
    ...rest,
    ...found,
    acts: found.verdict === 'unverified',
    expiresSoon: false,
    ...(lastLicensedAt === undefined ? {} : { lastLicensedAt }),
    ...(stopAt === undefined ? {} : { stopAt }),
  };
}

type Judged =
  | { readonly outcome: 'good'; readonly license: License }
  | { readonly outcome: 'refused' | 'cannot-tell'; readonly message: string };

const lastJudged = new WeakMap<LicenseAuthority, { readonly text: string; readonly judged: Judged }>();

/** The same text is judged on every pass; only an answer that could not be had is asked for again. */
function judgeOnce(text: string, authority: LicenseAuthority): Judged {
  const last = lastJudged.get(authority);
  if (last?.text === text) return last.judged;
  const judged = judge(text, authority);
  if (judged.outcome !== 'cannot-tell') lastJudged.set(authority, { text, judged });
  return judged;
}

function judge(text: string, { publicKeys, verify }: LicenseAuthority): Judged {
  const block = readBlock(text);
  if (!block.ok) return { outcome: 'refused', message: block.message };
  const { payload, signature } = block.value;
  let signed: boolean;
  try {
    signed = publicKeys.some((key) => verify(key, payload, signature));
  } catch {
    return { outcome: 'cannot-tell', message: 'The signature of the license could not be checked.' };
  }
  if (!signed) return { outcome: 'refused', message: 'The signature of the license is not good.' };
  const license: Read<License> = readPayload(payload);
  return license.ok ? { outcome: 'good', license: license.value } : { outcome: 'refused', message: license.message };
}

function ofLicense(license: License, bookkeeping: LicenseBookkeeping, seen: EpochMs): LicenseCheck {
  const { expiresAt } = license;
  // A clock that stands before the license was issued is wrong by at least that much.
  const time = Math.max(seen, license.issuedAt);
  if (expiresAt !== undefined && time >= expiresAt) {
    return { ...notLicensed(`The license expired on ${dateText(expiresAt)}.`, bookkeeping), license };
  }
  return {
    verdict: 'licensed',
    acts: true,
    reason: `Licensed to ${license.licensee}.`,
    license,
    lastLicensedAt: seen,
    expiresSoon: expiresAt !== undefined && expiresAt - time <= expiryWarningMs,
  };
}

function cannotTell(message: string, { lastLicensedAt, acts }: LicenseBookkeeping, seen: EpochMs): LicenseCheck {
  const stopAt = lastLicensedAt === undefined ? undefined : lastLicensedAt + graceMs;
  const known = lastLicensedAt === undefined ? {} : { lastLicensedAt };
  // A stop ends with a check that succeeds, and not because a restarted process may no longer look.
  if (acts === false) {
    const reason = `${message} Scaling had stopped before, and starts again when a check succeeds.`;
    return { verdict: 'check_failed', acts: false, reason, ...known, expiresSoon: false };
  }
  if (stopAt === undefined) {
    const reason = `${message} No check has succeeded yet.`;
    return { verdict: 'check_failed', acts: false, reason, expiresSoon: false };
  }
  if (seen >= stopAt) {
    const reason = `${message} The last check that succeeded was on ${dateText(stopAt - graceMs)}.`;
    return { verdict: 'check_failed', acts: false, reason, ...known, expiresSoon: false };
  }
  const reason = `${message} Scaling stops on ${dateText(stopAt)} unless a check succeeds.`;
  return { verdict: 'unverified', acts: true, reason, ...known, stopAt, expiresSoon: false };
}

function notLicensed(reason: string, { lastLicensedAt }: LicenseBookkeeping): LicenseCheck {
  const known = lastLicensedAt === undefined ? {} : { lastLicensedAt };
  return { verdict: 'unlicensed', acts: false, reason, ...known, expiresSoon: false };
}

function dateText(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}
