import { type AnswerOf, type ApiClient, ApiError, createClient } from '../../../src/contract/contract.ts';
import { withinLimit } from '../data/time-limit.ts';

export type User = AnswerOf<'me'>['user'];
type Issued = AnswerOf<'verifyOtp'>;

/** `unknown` until the cookie has been tried, `waiting` while it cannot be and will be again. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'waiting'; readonly problem: Error }
  | { readonly kind: 'signed-out'; readonly message?: string }
  | { readonly kind: 'signed-in'; readonly user: User };

const unauthenticated = 401;
/** Says that this browser has had a session, so that a first visit need not ask for one in vain. No secret. */
const hintKey = 'svc-session';
/** Before its end, so that no request meets an expired token. */
const renewBeforeMs = 60_000;
/** Who was at work and finds a sign-in instead should know why. */
const sessionEnded = 'Your session has ended. Sign in again; you come back to the page you were on.';
const signedOutElsewhere = 'You have signed out in another tab of this browser.';
const longestTimerMs = 2_147_483_647;
/** Where the server does not say when to come again. */
const comeAgainSeconds = 5;

/**
 * Who is signed in. The access token lives in this object alone; the refresh token is in a cookie that no script reads,
 * so a reload asks for a new access token and nothing is ever stored.
 */
export class Session {
  readonly client: ApiClient;
  #token: string | undefined;
  #state: SessionState = { kind: 'unknown' };
  #renewing: Promise<boolean> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #signOuts = new Set<(email: string) => void>();
  readonly #plain: ApiClient;
  readonly #memory: SessionMemory;

  constructor(
    baseUrl: string,
    send: typeof fetch = (...args) => fetch(...args),
    memory: SessionMemory = browserMemory,
  ) {
    this.#memory = memory;
    const limited: typeof fetch = (input, init) => send(input, { ...init, signal: limitOf(init) });
    this.#plain = createClient({ baseUrl, fetch: limited });
    this.client = createClient({
      baseUrl,
      token: () => this.#token,
      fetch: (input, init) => this.#send(send, input, { ...init, signal: limitOf(init) }),
    });
  }

  readonly state = (): SessionState => this.#state;

  readonly subscribe = (heard: () => void): (() => void) => {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  };

  /** Hears who has signed out here. */
  readonly onSignOut = (heard: (email: string) => void): void => {
    this.#signOuts.add(heard);
  };

  /** Takes up the session of the cookie, if there is one. */
  async resume(): Promise<void> {
    if (this.#memory.had()) await this.#renew();
    else this.#end();
  }

  signedIn({ token, user, expiresAt }: Issued): void {
    this.#token = token;
    clearTimeout(this.#timer);
    const left = Date.parse(expiresAt) - Date.now() - renewBeforeMs;
    // A server whose clock is elsewhere gives ends that mean nothing here; the answer 401 renews then.
    if (left > 0) this.#renewIn(left);
    this.#memory.remember(true);
    this.#become({ kind: 'signed-in', user });
  }

  /** Fails where the server was not reached: the cookie would take the session up again. */
  async signOut(): Promise<void> {
    const before = this.#state;
    try {
      await this.client.logout({ body: {} });
    } catch (error) {
      const over = error instanceof ApiError && error.status === unauthenticated;
      if (!over) throw error;
    }
    this.#end();
    if (before.kind !== 'signed-in') return;
    for (const heard of this.#signOuts) heard(before.user.email);
  }

  /** Another tab has ended the session that this one has as well. Who has signed in here as somebody else stays. */
  signedOutElsewhere(email: string): void {
    // What the browser remembers is left alone: a tab that hears of it late would forget the next sign-in.
    if (this.#state.kind === 'signed-in' && this.#state.user.email === email) this.#leave(signedOutElsewhere);
  }

  #end(message?: string): void {
    this.#memory.remember(false);
    this.#leave(message);
  }

  #leave(message?: string): void {
    this.#token = undefined;
    clearTimeout(this.#timer);
    this.#become(message === undefined ? { kind: 'signed-out' } : { kind: 'signed-out', message });
  }

  #become(state: SessionState): void {
    this.#state = state;
    for (const heard of this.#listeners) heard();
  }

  /** One renewal at a time, whoever asks. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<boolean> {
    try {
      this.signedIn(await this.#plain.refreshSession({ body: {} }));
      return true;
    } catch (error) {
      const known = error instanceof ApiError && error.code === 'domain_not_allowed';
      const refused = known || (error instanceof ApiError && error.status === unauthenticated);
      if (refused) this.#end(known ? error.message : this.#state.kind === 'signed-in' ? sessionEnded : undefined);
      else this.#tryLater(error as Error);
      return false;
    }
  }

  /** A server that cannot be reached, or has too much to do, ends no session, nor keeps anybody from taking his up. */
  #tryLater(problem: Error): void {
    const told = problem instanceof ApiError ? problem.retryAfterSeconds : undefined;
    this.#renewIn((told ?? comeAgainSeconds) * 1000);
    if (this.#state.kind !== 'signed-in') this.#become({ kind: 'waiting', problem });
  }

  #renewIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew(), Math.min(ms, longestTimerMs));
  }

  async #send(send: typeof fetch, ...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const first = await send(input, init);
    if (first.status !== unauthenticated || this.#token === undefined) return first;
    if (!(await this.#renew())) return first;
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${this.#token}`);
    return send(input, { ...init, headers });
  }
}

/** The stream of events is the one answer that never ends; it watches for silence itself. */
function limitOf(init: RequestInit | undefined): AbortSignal | null {
  const stream = new Headers(init?.headers).get('accept') === 'text/event-stream';
  return stream ? (init?.signal ?? null) : withinLimit(init?.signal);
}

export interface SessionMemory {
  had(): boolean;
  remember(session: boolean): void;
}

/** A browser that refuses storage only asks once more than needed. */
const browserMemory: SessionMemory = {
  had() {
    try {
      return localStorage.getItem(hintKey) !== null;
    } catch {
      return true;
    }
  },
  remember(session) {
    try {
      if (session) localStorage.setItem(hintKey, '1');
      else localStorage.removeItem(hintKey);
    } catch {}
  },
};
