import type { ServerResponse } from 'node:http';
import type { Clock } from '../../ports/clock.ts';
import { Refusal } from '../call/refusal.ts';
import type { User } from '../call/user.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { StreamHub } from './hub.ts';

export interface StreamLimits {
  readonly total: number;
  /** Of the total, what only admins may take: anybody with a mail address may be able to sign in. */
  readonly forAdmins?: number;
  /** Beside that, what only people of the company may take: a stranger can have many mailboxes, each with streams of its own. */
  readonly forCompany?: number;
  readonly perUser: number;
  /** Bytes that may wait for a slow client. */
  readonly backlog: number;
}

export const standardStreamLimits: StreamLimits = {
  total: 850,
  forAdmins: 100,
  forCompany: 300,
  perUser: 30,
  backlog: 256 * 1024,
};

/** A timer takes at most 2^31 - 1 ms; the heartbeat ends what lives longer. */
const longestTimerMs = 2_147_483_647;

/** Serves `GET /api/v1/events` on a bare response. */
export class EventStreams {
  readonly #hub: StreamHub;
  readonly #signIn: SignIn;
  readonly #clock: Clock;
  readonly #limits: StreamLimits;
  readonly #perUser = new Map<string, number>();

  constructor(hub: StreamHub, signIn: SignIn, clock: Clock, limits: StreamLimits) {
    this.#hub = hub;
    this.#signIn = signIn;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Refuses before anything is sent. */
  admit(user: User): void {
    const own = this.#perUser.get(user.address.text) ?? 0;
    const { total, forAdmins = 0, forCompany = 0, perUser } = this.#limits;
    const kept = (user.admin ? 0 : forAdmins) + (user.holder.rank === 'outside' ? forCompany : 0);
    if (this.#hub.size >= total - kept || own >= perUser) {
      throw new Refusal('rate_limited', 'Too many event streams are open.', { retryAfterSeconds: 30 });
    }
  }

  serve(user: User, lastEventId: string | undefined, response: ServerResponse): void {
    const { backlog } = this.#limits;
    const signIn = this.#signIn;
    const key = user.address.text;
    this.#perUser.set(key, (this.#perUser.get(key) ?? 0) + 1);
    const close = this.#hub.open(
      {
        // Asked at every event: who is no admin any more hears no more of what is for admins.
        get admin() {
          return signIn.isStillAdmin(user);
        },
        allowed: () => signIn.stillSignedIn(user),
        write(text) {
          if (response.writableEnded || response.destroyed) return false;
          response.write(text);
          return response.writableLength <= backlog;
        },
        // A client that reads nothing would hold an orderly end up for ever.
        end: () => (response.writableLength > backlog ? response.destroy() : response.end()),
      },
      lastEventId,
    );
    const left = Math.min(user.expiresAt - this.#clock.now(), longestTimerMs);
    const cancel = this.#clock.after(left, () => {
      if (!this.#signIn.stillSignedIn(user)) response.end();
    });
    response.on('close', () => {
      cancel();
      close();
      const count = (this.#perUser.get(key) ?? 1) - 1;
      if (count <= 0) this.#perUser.delete(key);
      else this.#perUser.set(key, count);
    });
  }
}
