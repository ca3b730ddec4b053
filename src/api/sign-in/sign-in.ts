import type { Config } from '../../config/config.ts';
import { type Address, parseAddress } from '../../domain/address/address.ts';
import { isAdmin, isAllowedDomain, isListedDomain } from '../../domain/address/allowed-domains-and-admins.ts';
import { shownAddress } from '../../domain/address/privacy.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Mail } from '../../ports/mailer.ts';
import type { Random } from '../../ports/random.ts';
import type { EndedSession } from '../../state/access/ended-sessions.ts';
import { RateLimit } from '../call/rate-limit.ts';
import { invalid, Refusal } from '../call/refusal.ts';
import type { User } from '../call/user.ts';
import type { MailPlace, MailQueue } from '../mail/mail-queue.ts';
import { codeMail } from './code-mail.ts';
import { type Keys, sameBytes } from './keys.ts';
import { codeLifetimeMs, OneTimeCodes } from './one-time-codes.ts';
import { Sessions } from './sessions.ts';
import { type Caller, isOfCompany, type MetLimit, SignInLimits } from './sign-in-limits.ts';
import { tokenLifetimes } from './token-lifetimes.ts';
import { type Claims, Tokens } from './tokens.ts';
import { withoutAddress } from './without-address.ts';

const mostKnownUsers = 1_000;
const mailsWait = 'So many mails wait to be sent that no further one is taken.';
const mailsWaitSeconds = 10;
const endedUnknown = 'Which sign-ins have ended cannot be read yet, so none from before is taken until it can.';
/** The state is read again so often. */
const endedUnknownSeconds = 5;
/** A flood must not fill the log as well. */
const heldBackLines = { count: 1, perMs: 60_000 } as const;

export interface SignInPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly mails: MailQueue;
  /** Hears of each session that was ended, to keep it so. */
  onEnded(ended: EndedSession): void;
  config(): Config;
}

/** Where a request to sign in comes from; the browser and its proof are empty for who keeps no cookies. */
export interface From {
  readonly client: string;
  readonly browser: string;
  readonly proof: string;
}

export interface IssuedSession {
  readonly token: string;
  readonly expiresAt: number;
  readonly refreshToken: string;
  readonly refreshExpiresAt: number;
  readonly issuedAt: number;
  readonly user: User;
}

/** What comes of asking for a code. */
export interface Asked {
  /** To be sent once the answer is out; does nothing where there is to be none. */
  readonly mail: () => Promise<void>;
  /** What the caller is refused with, whether or not a mail is sent. */
  readonly refusal: Refusal | undefined;
  readonly expiresAt: number;
}

/** What a session hands on to its next pair of tokens. */
type Continued = Pick<Claims, 'session' | 'generation' | 'sessionUntil'>;

/** Sign-in by mailed code or link, and what follows from it. Who may is looked up anew at every step. */
export class SignIn {
  readonly #ports: SignInPorts;
  readonly #codes: OneTimeCodes;
  readonly #tokens: Tokens;
  readonly #sessions: Sessions;
  readonly #limits: SignInLimits;
  readonly #keys: Keys;
  readonly #heldBackLines: RateLimit;
  #knownUsers: { readonly config: Config; readonly users: Map<string, User> };

  constructor(ports: SignInPorts, keys: Keys) {
    const { clock, random } = ports;
    this.#ports = ports;
    this.#knownUsers = { config: ports.config(), users: new Map() };
    this.#codes = new OneTimeCodes(clock, random, keys);
    this.#tokens = new Tokens(keys);
    this.#sessions = new Sessions(
      clock,
      (subject) => keys.mac('ended-session', subject).toString('base64url').slice(0, 12),
      (ended) => ports.onEnded(ended),
    );
    this.#limits = new SignInLimits(clock);
    this.#heldBackLines = new RateLimit(clock, heldBackLines);
    this.#keys = keys;
  }

  /** Decides whether a code is sent. Its link leads to the own address `at`. */
  requestCode(email: string, from: From, at: string): Asked {
    const address = this.#mayMail(email);
    const caller = this.#caller(address, from);
    // Before any limit is counted, and by what the caller proves alone: a full queue says nothing of an address.
    const place = caller.known ? this.#ports.mails.reserve('known') : this.#strangersPlace(address, caller);
    if (place === undefined) throw new Refusal('overloaded', mailsWait, { retryAfterSeconds: mailsWaitSeconds });
    const made = this.#codes.make(address.text, from.browser);
    const spent = this.#codes.isSpent(address.text);
    const { mailed, met } = this.#limits.mail(address, caller, this.#ports.config(), spent);
    const asked = { refusal: met && limited(met), expiresAt: this.#ports.clock.now() + codeLifetimeMs };
    if (!mailed) {
      place.giveBack();
      if (met === undefined) this.#tellHeldBack(address);
      return { ...asked, mail: async () => {} };
    }
    const issued = this.#codes.keep(address.text, made);
    const { clusterName } = this.#ports.config();
    const mail = () => this.#send(place, codeMail({ ...issued, to: address.text, clusterName, externalUrl: at }));
    return { ...asked, mail };
  }

  /** Which code goes first is decided by whom it is for, and shows in the order of the mails alone: a stranger is answered alike. */
  #strangersPlace(address: Address, { client }: Caller): MailPlace {
    const { clock, config, mails } = this.#ports;
    const again = this.#codes.isOut(address.text);
    const domain = isOfCompany(address, config()) ? 'company' : 'outside';
    const rank = this.#limits.isProved(address, config()) ? 'proved' : again ? (`${domain}-again` as const) : domain;
    const until = clock.monotonic() + codeLifetimeMs;
    const { send } = mails.strangersCode({ client, rank, stillGood: () => clock.monotonic() < until });
    return { send, giveBack() {} };
  }

  /** The caller is not told, so whoever is asked why no mail came finds it here. */
  #tellHeldBack({ text }: Address): void {
    if (this.#heldBackLines.take('') > 0) return;
    this.#ports.logger.info('No code was mailed: the mails to this address are used up', { to: this.shown(text) });
  }

  verifyCode(email: string, code: string, browser: string): IssuedSession {
    const address = this.#mayMail(email);
    const judgement = this.#codes.judge(address.text, code.trim(), browser);
    if (judgement === 'spent') throw new Refusal('too_many_attempts');
    if (judgement === 'wrong') throw new Refusal('invalid_code');
    return this.startSession(address);
  }

  openLink(link: string, browser: string): IssuedSession {
    this.needMail();
    const found = this.#codes.redeemLink(link, browser);
    if (found === undefined) throw new Refusal('invalid_link');
    return this.startSession(this.parse(found));
  }

  /** With mail off nobody signs in, by whatever means; who is signed in stays so. */
  needMail(): void {
    if (!this.#ports.config().smtp.enabled) throw new Refusal('smtp_disabled');
  }

  startSession(address: Address): IssuedSession {
    const session = Buffer.from(this.#ports.random.bytes(16)).toString('base64url');
    return this.#issue(address, { session, generation: 0 });
  }

  refresh(refreshToken: string): IssuedSession {
    const claims = this.#tokens.verify('refresh', refreshToken, this.#ports.clock.now());
    if (claims === undefined) throw new Refusal('unauthenticated');
    const address = this.parse(claims.subject);
    this.#allow(address);
    if (this.#sessions.hasEnded(claims) === 'unknown') throw notKnownYet();
    // Before the token is used up: who is told to wait comes again with it.
    const met = this.#limits.refresh(address);
    if (met !== undefined) throw limited(met);
    const rotation = this.#sessions.rotate(claims, this.#longestLifetime([claims]));
    if (!rotation.ok) throw new Refusal('unauthenticated');
    this.#limits.refreshed(address);
    return this.#issue(address, { ...claims, generation: rotation.generation });
  }

  /** Ends the session of each token that is good; says nothing about those that are not. */
  logout(refreshToken: string | undefined, accessToken: string | undefined): void {
    const now = this.#ports.clock.now();
    const shown = [
      refreshToken === undefined ? undefined : this.#tokens.verify('refresh', refreshToken, now),
      accessToken === undefined ? undefined : this.#tokens.verify('access', accessToken, now),
    ].filter((claims) => claims !== undefined);
    for (const claims of shown) {
      const itsOwn = shown.filter(({ session }) => session === claims.session);
      this.#sessions.end(claims, this.#longestLifetime(itsOwn));
    }
  }

  /**
   * How long any token of a session may still be good: either kind may live longer, and those that are shown, or were issued with
   * them or before, may be from when the configuration let them live longer than now.
   */
  #longestLifetime(shown: readonly Claims[]): number {
    const { access, refresh } = tokenLifetimes(this.#ports.config());
    const now = this.#ports.clock.now();
    return Math.max(access, refresh, ...shown.map((one) => Math.max(one.expiresAt, one.sessionUntil ?? 0) - now));
  }

  /**
   * Who an access token stands for, as the configuration has them now. What a configuration says of a token is
   * remembered until the next one; whether it has expired or its session has ended is asked every time. Refuses while nobody can
   * say: who is told that he is not signed in would throw his sign-in away.
   */
  userOf(accessToken: string): User | undefined {
    const config = this.#ports.config();
    if (this.#knownUsers.config !== config || this.#knownUsers.users.size >= mostKnownUsers) {
      this.#knownUsers = { config, users: new Map() };
    }
    const known = this.#knownUsers.users.get(accessToken);
    if (known !== undefined) return this.stillSignedIn(known) ? known : undefined;
    const claims = this.#tokens.verify('access', accessToken, this.#ports.clock.now());
    const user = claims === undefined ? undefined : this.#user(claims);
    if (user === undefined && claims !== undefined && this.#sessions.hasEnded(claims) === 'unknown')
      throw notKnownYet();
    if (user !== undefined) this.#knownUsers.users.set(accessToken, user);
    return user;
  }

  /** Whether what was true of a user when they came still is. */
  stillSignedIn(user: User): boolean {
    const { config, clock } = this.#ports;
    const allowed = isAllowedDomain(user.address, config().auth.allowedEmailDomains);
    const ended = this.#sessions.hasEnded({ ...user, subject: user.address.text });
    return allowed && clock.now() < user.expiresAt && ended === false;
  }

  /** Sessions that were ended before this process began, or by another; undefined while nobody can say which. */
  restoreEnded(ended: readonly EndedSession[] | undefined): void {
    if (ended === undefined) this.#sessions.restoreNothing();
    else this.#sessions.restore(ended);
  }

  isStillAdmin(user: User): boolean {
    return isAdmin(user.address, this.#ports.config().auth.adminUsers);
  }

  /** To somebody who is signed in. Never rejects. */
  async send(mail: Mail): Promise<void> {
    await this.#send(this.#ports.mails.mailerFor('known'), mail);
  }

  /** Never rejects: whether a mail arrives must not show in an answer. */
  async #send(by: Pick<MailPlace, 'send'>, mail: Mail): Promise<void> {
    const { logger } = this.#ports;
    try {
      await by.send(mail);
    } catch (error) {
      const to = this.shown(mail.to);
      // Mail servers quote the address that they refuse, in any case of letters.
      logger.error('A mail could not be sent', { to, error: withoutAddress(String(error), mail.to, to) });
    }
  }

  shown(address: string): string {
    return shownAddress(address, this.#ports.config().auth.privacy);
  }

  parse(email: string): Address {
    const parsed = parseAddress(email);
    if (!parsed.ok) throw invalid('email', `is not an address: ${parsed.message.replace(/\.$/, '')}`);
    return parsed.address;
  }

  /** Mail is on, and the address is one that may sign in; refused before any mail is attempted. */
  #mayMail(email: string): Address {
    this.needMail();
    const address = this.parse(email);
    this.#allow(address);
    return address;
  }

  #allow(address: Address): void {
    const { allowedEmailDomains } = this.#ports.config().auth;
    if (isAllowedDomain(address, allowedEmailDomains)) return;
    const listed = allowedEmailDomains.join(', ');
    throw new Refusal('domain_not_allowed', `The domain ${address.domain} is not allowed. Allowed are: ${listed}.`, {
      details: { allowedDomains: [...allowedEmailDomains] },
    });
  }

  /** What a browser keeps that has signed in with this address; it lets it in nowhere. */
  proofOf(address: Address, browser: string): string {
    return this.#keys.mac('browser', 'known', address.text, browser).toString('base64url');
  }

  #caller(address: Address, { client, browser, proof }: From): Caller {
    const expected = Buffer.from(this.proofOf(address, browser));
    return { client, known: browser !== '' && sameBytes(Buffer.from(proof), expected) };
  }

  #issue(address: Address, { session, generation, sessionUntil = 0 }: Continued): IssuedSession {
    this.#allow(address);
    const issuedAt = this.#ports.clock.now();
    const lifetimes = tokenLifetimes(this.#ports.config());
    const [accessUntil, refreshUntil] = [issuedAt + lifetimes.access, issuedAt + lifetimes.refresh];
    const until = Math.max(sessionUntil, accessUntil, refreshUntil);
    const base = { subject: address.text, session, generation, issuedAt, sessionUntil: until };
    const access: Claims = { ...base, type: 'access', expiresAt: accessUntil };
    const refresh: Claims = { ...base, type: 'refresh', expiresAt: refreshUntil };
    const user = this.#user(access);
    if (user === undefined) throw new Refusal('unauthenticated');
    this.#limits.signedIn(address);
    return {
      token: this.#tokens.issue(access),
      expiresAt: access.expiresAt,
      refreshToken: this.#tokens.issue(refresh),
      refreshExpiresAt: refresh.expiresAt,
      issuedAt,
      user,
    };
  }

  /** Whether the configuration lets this address see what people of the company see, whoever is signed in. */
  isMember(text: string): boolean {
    const parsed = parseAddress(text);
    const { adminUsers, allowedEmailDomains } = this.#ports.config().auth;
    if (!parsed.ok || !isAllowedDomain(parsed.address, allowedEmailDomains)) return false;
    return isAdmin(parsed.address, adminUsers) || isListedDomain(parsed.address, allowedEmailDomains);
  }

  #user(claims: Claims): User | undefined {
    const parsed = parseAddress(claims.subject);
    if (!parsed.ok || this.#sessions.hasEnded(claims) !== false) return undefined;
    const { address } = parsed;
    const { adminUsers, allowedEmailDomains } = this.#ports.config().auth;
    if (!isAllowedDomain(address, allowedEmailDomains)) return undefined;
    const admin = isAdmin(address, adminUsers);
    return {
      address,
      admin,
      member: admin || isListedDomain(address, allowedEmailDomains),
      shown: this.shown(address.text),
      holder: {
        person: this.#keys.mac('person', address.text).toString('base64url').slice(0, 16),
        rank: admin ? 'admin' : isOfCompany(address, this.#ports.config()) ? 'company' : 'outside',
      },
      session: claims.session,
      issuedAt: claims.issuedAt,
      expiresAt: claims.expiresAt,
    };
  }
}

function notKnownYet(): Refusal {
  return new Refusal('managed_state_unavailable', endedUnknown, { retryAfterSeconds: endedUnknownSeconds });
}

function limited(met: MetLimit): Refusal {
  return new Refusal('rate_limited', met.message, { retryAfterSeconds: Math.ceil(met.waitMs / 1000) });
}
