import type { Config } from '../../config/config.ts';
import { type Address, normaliseDomain, parseAddress } from '../../domain/address/address.ts';
import { isAdmin } from '../../domain/address/allowed-domains-and-admins.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Rate, RateLimit } from '../call/rate-limit.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Every one of these is in `docs/limits.md`. A bucket starts full and fills evenly. */
export const signInRates = {
  /** Mails to one address, whoever asks; one more every five minutes. */
  mailsToAddress: { count: 5, perMs: 25 * minute },
  /**
   * Mails to an address, asked for by browsers that have signed in with it before: by all of them together, since whoever reads the
   * mails can make as many known as he likes.
   */
  mailsToKnownBrowsers: { count: 5, perMs: 25 * minute },
  /**
   * Codes that browsers which are not known ask for, whether they are mailed or not: what is left must not say whether they were. For
   * addresses of the company: a Monday morning behind one ingress, and a stranger there beside it.
   */
  companyMailsOfClient: { count: 3_000, perMs: 24 * hour },
  companyMails: { count: 5_000, perMs: 24 * hour },
  /** Everybody else's. */
  outsideMailsOfClient: { count: 20, perMs: hour },
  outsideMails: { count: 1_000, perMs: hour },
  /**
   * Mails beyond all of these, each in the place of a code that three wrong guesses spent: a stranger who guesses must not keep the
   * holder from the new request that lifts it. Few enough that nobody is buried in mails: one more every twelve minutes.
   */
  replacementsToAddress: { count: 20, perMs: 4 * hour },
  /** The same to addresses that nobody has signed in with: an invented one bounces, whatever it replaces. */
  replacements: { count: 1_000, perMs: 24 * hour },
  /** Of one person: a browser refreshes every few hours, and when a page is loaded. */
  refreshes: { count: 300, perMs: hour },
} as const satisfies Readonly<Record<string, Rate>>;

/** Somebody else may have asked for them: whoever reads the mails can go on all the same. */
const newestWorks =
  'Too many codes were asked for this address: five may be, and then one every five minutes. The newest one that was mailed can be typed in here.';

/** The newest is worth nothing either, so it is not offered. */
const spentByGuesses =
  'Too many codes were asked for this address, and wrong tries have spent the newest. A new one can be asked for in a few minutes.';

/** Told to everybody alike: who is known here is nobody's business but their own. */
const provedGetOne = 'An address that has signed in before is mailed one all the same, and it can be typed in here.';

/** What whoever meets one is told, and the page shows. */
const words: Readonly<Record<keyof typeof signInRates, string>> = {
  mailsToAddress: newestWorks,
  mailsToKnownBrowsers: newestWorks,
  companyMailsOfClient: `Too many codes were asked for from this network today. ${provedGetOne}`,
  companyMails: `Too many codes were asked for today, all in all. ${provedGetOne}`,
  outsideMailsOfClient: `Too many codes were asked for from this network in this hour. ${provedGetOne}`,
  outsideMails: `Too many codes were asked for in this hour, all in all. ${provedGetOne}`,
  replacementsToAddress: spentByGuesses,
  replacements: spentByGuesses,
  refreshes: 'This sign-in was refreshed too often in this hour.',
};

export interface MetLimit {
  readonly message: string;
  readonly waitMs: number;
}

/** What comes of asking for a mail: whether it is sent, and which limit the caller is told of. To a stranger the second says nothing of the first. */
export interface MailDecision {
  readonly mailed: boolean;
  readonly met: MetLimit | undefined;
}

/** How far a caller is a stranger. */
export interface Caller {
  readonly client: string;
  /** This browser has signed in with this address before. */
  readonly known: boolean;
}

type Bucket = readonly [keyof typeof signInRates, string];

/** So many addresses are remembered to have signed in; more than a company that fits one cluster has. */
const mostSeenAddresses = 10_000;

/**
 * Limits that a stranger cannot turn against the people of a company. Behind an ingress all of them are one client, so what
 * counts is what is asked for, and what has proved itself: browsers that have signed in with an address before have a
 * bucket of mails to it of their own, and mails to an address that has signed in, or that an admin has, do not depend on how many were
 * asked for others. Guesses are not limited by who makes them: each code takes three, and codes are mails.
 *
 * A stranger is not told who is known, nor for whom codes were asked: he hears of the limits that all addresses share, which he uses
 * up alike with any, and of none that depends on the address.
 */
export class SignInLimits {
  readonly #buckets: Readonly<Record<keyof typeof signInRates, RateLimit>>;
  /** In the order in which they were last seen. */
  readonly #seen = new Set<string>();

  constructor(clock: Clock) {
    const entries = Object.entries(signInRates).map(([name, rate]) => [name, new RateLimit(clock, rate)] as const);
    this.#buckets = Object.fromEntries(entries) as Record<keyof typeof signInRates, RateLimit>;
  }

  /** Whether a mail to this address is sent; then it is counted. `spent`: wrong guesses have spent what was mailed to it last. */
  mail(address: Address, caller: Caller, config: Config, spent: boolean): MailDecision {
    return caller.known
      ? this.#mailToKnownBrowser(address, spent)
      : this.#mailToStranger(address, caller, config, spent);
  }

  #mailToKnownBrowser({ text }: Address, spent: boolean): MailDecision {
    const met = this.#take([['mailsToKnownBrowsers', text]]);
    if (met === undefined || !spent) return { mailed: met === undefined, met };
    const stillMet = this.#take([['replacementsToAddress', text]]);
    if (stillMet === undefined) return { mailed: true, met: undefined };
    return { mailed: false, met: { message: stillMet.message, waitMs: Math.min(met.waitMs, stillMet.waitMs) } };
  }

  #mailToStranger(address: Address, { client }: Caller, config: Config, spent: boolean): MailDecision {
    const { text } = address;
    const met = this.#take(sharedBuckets(address, client, config));
    const proved = this.isProved(address, config);
    const mailed = (met === undefined || proved) && this.#take([['mailsToAddress', text]]) === undefined;
    if (mailed || !spent) return { mailed, met };
    const replacements: readonly Bucket[] = proved ? [] : [['replacements', '']];
    return { mailed: this.#take([['replacementsToAddress', text], ...replacements]) === undefined, met };
  }

  /** Somebody has signed in with it since we began, or it is an admin's. */
  isProved(address: Address, { auth }: Config): boolean {
    return this.#seen.has(address.text) || isAdmin(address, auth.adminUsers);
  }

  /** Which limit stands before a refresh; it counts once it was given, so that a token that is none uses nothing up. */
  refresh({ text }: Address): MetLimit | undefined {
    const waitMs = this.#buckets.refreshes.wait(text);
    return waitMs > 0 ? { message: words.refreshes, waitMs } : undefined;
  }

  refreshed({ text }: Address): void {
    this.#buckets.refreshes.take(text);
  }

  /** Whoever has this address has read its mails: it exists, and is somebody's here. */
  signedIn(address: Address): void {
    this.#seen.delete(address.text);
    this.#seen.add(address.text);
    if (this.#seen.size > mostSeenAddresses) this.#seen.delete(this.#seen.values().next().value as string);
  }

  /** All of them have room, or none is taken from; the answer is the one that lasts longest. */
  #take(limits: readonly Bucket[]): MetLimit | undefined {
    const met = limits
      .map(([name, key]) => ({ message: words[name], waitMs: this.#buckets[name].wait(key) }))
      .reduce((longest, one) => (one.waitMs > longest.waitMs ? one : longest));
    if (met.waitMs > 0) return met;
    for (const [name, key] of limits) this.#buckets[name].take(key);
    return undefined;
  }
}

/** Of all addresses together. */
function sharedBuckets(address: Address, client: string, config: Config): readonly Bucket[] {
  const [ofClient, all] = isOfCompany(address, config)
    ? (['companyMailsOfClient', 'companyMails'] as const)
    : (['outsideMailsOfClient', 'outsideMails'] as const);
  return [
    [ofClient, client],
    [all, ''],
  ];
}

/** By its domain: one that is allowed by name, or that an admin has. An empty list allows all, and makes nobody a colleague. */
export function isOfCompany({ domain }: Address, { auth }: Config): boolean {
  const ofAdmins = auth.adminUsers.flatMap((entry) => {
    const parsed = parseAddress(entry);
    return parsed.ok ? [parsed.address.domain] : [];
  });
  return [...auth.allowedEmailDomains.map(normaliseDomain), ...ofAdmins].includes(domain);
}
