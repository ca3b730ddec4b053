import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { allEndedBy, type EndedSession } from '../../state/access/ended-sessions.ts';
import type { Claims } from './tokens.ts';

const lostAnswerGraceMs = 30_000;
const mostRemembered = 20_000;

interface Remembered {
  generation: number;
  rotatedAt: number;
  readonly forgetAt: number;
  ended: boolean;
}

/** What a token says of its session. */
export type Issued = Pick<Claims, 'session' | 'generation' | 'issuedAt'>;

export type Rotation = { readonly ok: true; readonly generation: number } | { readonly ok: false };

/**
 * Which refresh token of a session is the newest, and which sessions have ended. Tokens carry everything else. The first is
 * remembered as long as the process lives, as one-time codes are; the second is told to whoever stores it.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #onEnded: (ended: EndedSession) => void;
  readonly #remembered = new Map<string, Remembered>();
  #endedBefore: ReadonlySet<string> = new Set();
  /** Whatever was issued by then has ended; undefined while what was stored has not been read. */
  #allEndedBy: number | undefined;
  #allUnknownBy = 0;

  constructor(clock: Clock, onEnded: (ended: EndedSession) => void) {
    this.#clock = clock;
    this.#onEnded = onEnded;
  }

  /** Those that the state says have ended. What has ended since this process began is remembered one by one. */
  restore(ended: readonly EndedSession[]): void {
    this.#endedBefore = new Set(ended.map(({ session }) => session));
    this.#allEndedBy ??= allEndedBy(ended);
    this.#allUnknownBy = 0;
  }

  /** The state cannot say which have ended: until it can, none from before is taken, unless it was read before. */
  restoreNothing(): void {
    if (this.#allEndedBy !== undefined || this.#allUnknownBy > 0) return;
    // Tokens know the second of their issue.
    this.#allUnknownBy = Math.floor(this.#clock.now() / 1000) * 1000 - 1;
  }

  /**
   * The generation of the token that replaces this one. The token before the newest is taken once more for a while, for
   * a client whose answer was lost; an older one is a replay, and ends the session for whoever holds any of it.
   */
  rotate({ session, generation, issuedAt }: Issued, lifetimeMs: number): Rotation {
    const now = this.#clock.monotonic();
    const known = this.#remembered.get(session);
    if (this.hasEnded(session, issuedAt)) return { ok: false };
    if (known === undefined) {
      this.#remember(session, { generation: generation + 1, rotatedAt: now, forgetAt: now + lifetimeMs, ended: false });
      return { ok: true, generation: generation + 1 };
    }
    if (generation === known.generation) {
      known.generation++;
      known.rotatedAt = now;
      return { ok: true, generation: known.generation };
    }
    const lostAnswer = generation === known.generation - 1 && now - known.rotatedAt <= lostAnswerGraceMs;
    if (lostAnswer) return { ok: true, generation: known.generation };
    known.ended = true;
    this.#tell(session, lifetimeMs);
    return { ok: false };
  }

  end({ session, issuedAt }: Issued, lifetimeMs: number): void {
    // While nobody can say what has ended, this one is told too: it must not live again once somebody can.
    if (this.#isKnownToHaveEnded(session, issuedAt)) return;
    this.#tell(session, lifetimeMs);
    const known = this.#remembered.get(session);
    if (known !== undefined) known.ended = true;
    else {
      const now = this.#clock.monotonic();
      this.#remember(session, { generation: 0, rotatedAt: now, forgetAt: now + lifetimeMs, ended: true });
    }
  }

  /** `issuedAt`: of the token that says that it is of this session. */
  hasEnded(session: string, issuedAt: number): boolean {
    return issuedAt <= this.#allUnknownBy || this.#isKnownToHaveEnded(session, issuedAt);
  }

  #isKnownToHaveEnded(session: string, issuedAt: number): boolean {
    if (issuedAt <= (this.#allEndedBy ?? 0)) return true;
    if (this.#remembered.get(session)?.ended === true) return true;
    return this.#endedBefore.size > 0 && this.#endedBefore.has(hashOf(session));
  }

  #tell(session: string, lifetimeMs: number): void {
    const at = this.#clock.now();
    this.#onEnded({ session: hashOf(session), at, until: at + lifetimeMs });
  }

  #remember(session: string, state: Remembered): void {
    const now = this.#clock.monotonic();
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
