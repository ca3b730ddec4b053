import type { Clock } from '../../ports/clock.ts';

const lostAnswerGraceMs = 30_000;
const mostRemembered = 20_000;

interface Remembered {
  generation: number;
  rotatedAt: number;
  readonly forgetAt: number;
  ended: boolean;
}

export type Rotation = { readonly ok: true; readonly generation: number } | { readonly ok: false };

/**
 * Which refresh token of a session is the newest, and which sessions have ended. Tokens carry everything else; what is
 * remembered here lives as long as the process, as one-time codes do.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The generation of the token that replaces this one. The token before the newest is taken once more for a while, for
   * a client whose answer was lost; an older one is a replay, and ends the session for whoever holds any of it.
   */
  rotate(session: string, generation: number, lifetimeMs: number): Rotation {
    const now = this.#clock.monotonic();
    const known = this.#remembered.get(session);
    if (known === undefined) {
      this.#remember(session, { generation: generation + 1, rotatedAt: now, forgetAt: now + lifetimeMs, ended: false });
      return { ok: true, generation: generation + 1 };
    }
    if (known.ended) return { ok: false };
    if (generation === known.generation) {
      known.generation++;
      known.rotatedAt = now;
      return { ok: true, generation: known.generation };
    }
    const lostAnswer = generation === known.generation - 1 && now - known.rotatedAt <= lostAnswerGraceMs;
    if (lostAnswer) return { ok: true, generation: known.generation };
    known.ended = true;
    return { ok: false };
  }

  end(session: string, lifetimeMs: number): void {
    const known = this.#remembered.get(session);
    if (known !== undefined) known.ended = true;
    else {
      const now = this.#clock.monotonic();
      this.#remember(session, { generation: 0, rotatedAt: now, forgetAt: now + lifetimeMs, ended: true });
    }
  }

  hasEnded(session: string): boolean {
    return this.#remembered.get(session)?.ended ?? false;
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
