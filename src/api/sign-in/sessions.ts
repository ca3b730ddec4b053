import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { EndedSession } from '../../state/access/ended-sessions.ts';
import { EndedMemory } from './ended-memory.ts';
import type { Claims } from './tokens.ts';

const lostAnswerGraceMs = 30_000;
const mostRemembered = 20_000;

interface Remembered {
  readonly generation: number;
  /** When tokens of this generation were first issued here, to the second, as tokens say it. */
  readonly issuedAt: number;
  readonly rotatedAt: number;
  readonly forgetAt: number;
}

/** What a token says of its session. */
export type Issued = Pick<Claims, 'session' | 'subject' | 'generation' | 'issuedAt'>;

export type Rotation = { readonly ok: true; readonly generation: number } | { readonly ok: false };

/**
 * Which refresh token of a session is the newest, and which sessions have ended. Tokens carry everything else. The first is
 * remembered as long as the process lives, as one-time codes are; the second is told to whoever stores it. So a token that was used
 * before a restart is taken once after it; the next one of the same generation shows that two hold the session, and ends it.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #onEnded: (ended: EndedSession) => void;
  /** A name for an address that says nothing to who reads it. */
  readonly #personOf: (subject: string) => string;
  readonly #remembered = new Map<string, Remembered>();
  readonly #ended: EndedMemory;
  #allUnknownBy = 0;

  constructor(clock: Clock, personOf: (subject: string) => string, onEnded: (ended: EndedSession) => void) {
    this.#clock = clock;
    this.#ended = new EndedMemory(clock);
    this.#personOf = personOf;
    this.#onEnded = onEnded;
  }

  /** Those that the state says have ended. */
  restore(ended: readonly EndedSession[]): void {
    this.#ended.restore(ended);
    this.#allUnknownBy = 0;
  }

  /** The state cannot say which have ended: until it can, none from before is taken, unless it was read before. */
  restoreNothing(): void {
    if (this.#ended.isRead || this.#allUnknownBy > 0) return;
    // Tokens know the second of their issue.
    this.#allUnknownBy = Math.floor(this.#clock.now() / 1000) * 1000 - 1;
  }

  /**
   * The generation of the token that replaces this one. The token before the newest is taken once more for a while, for
   * a client whose answer was lost; an older one is a replay, as is another of the newest generation that was not issued here, and
   * ends the session for whoever holds any of it.
   * `lifetimeMs`: after so long no token of the session is good.
   */
  rotate(issued: Issued, lifetimeMs: number): Rotation {
    const { session, generation, issuedAt } = issued;
    const now = this.#clock.monotonic();
    const known = this.#remembered.get(session);
    if (this.hasEnded(issued) !== false) return { ok: false };
    const second = Math.floor(this.#clock.now() / 1000) * 1000;
    if (known === undefined || (generation === known.generation && issuedAt >= known.issuedAt)) {
      const next = generation + 1;
      const forgetAt = Math.max(now + lifetimeMs, known?.forgetAt ?? 0);
      this.#remember(session, { generation: next, issuedAt: second, rotatedAt: now, forgetAt });
      return { ok: true, generation: next };
    }
    const lostAnswer = generation === known.generation - 1 && now - known.rotatedAt <= lostAnswerGraceMs;
    if (lostAnswer) {
      // A clock that is set back meanwhile must not make the token that is issued now look older than it is.
      this.#remember(session, { ...known, issuedAt: Math.min(known.issuedAt, second) });
      return { ok: true, generation: known.generation };
    }
    this.#end(issued, lifetimeMs);
    return { ok: false };
  }

  end(issued: Issued, lifetimeMs: number): void {
    // While nobody can say what has ended, this one is told too: it must not live again once somebody can.
    if (!this.#isKnownToHaveEnded(issued)) this.#end(issued, lifetimeMs);
  }

  /** `issuedAt`: of the token that says that it is of this session. Nobody can say while the state cannot. */
  hasEnded(issued: Omit<Issued, 'generation'>): boolean | 'unknown' {
    if (this.#isKnownToHaveEnded(issued)) return true;
    return issued.issuedAt <= this.#allUnknownBy ? 'unknown' : false;
  }

  #isKnownToHaveEnded({ session, subject, issuedAt }: Omit<Issued, 'generation'>): boolean {
    return this.#ended.has({ session: () => hashOf(session), person: () => this.#personOf(subject), issuedAt });
  }

  #end({ session, subject }: Issued, lifetimeMs: number): void {
    const [at, now, hash] = [this.#clock.now(), this.#clock.monotonic(), hashOf(session)];
    const forgetAt = this.#remembered.get(session)?.forgetAt ?? 0;
    const until = at + Math.max(lifetimeMs, forgetAt - now);
    this.#remembered.delete(session);
    this.#ended.add(hash, until);
    this.#onEnded({ session: hash, of: this.#personOf(subject), at, until });
  }

  #remember(session: string, state: Remembered): void {
    const now = this.#clock.monotonic();
    // At the end again: whoever was here last is forgotten last.
    this.#remembered.delete(session);
    for (const [key, { forgetAt }] of this.#remembered) {
      if (forgetAt > now && this.#remembered.size < mostRemembered) break;
      this.#remembered.delete(key);
    }
    this.#remembered.set(session, state);
  }
}

function hashOf(session: string): string {
  return createHash('sha256').update(`ended ${session}`).digest('base64url').slice(0, 22);
}
