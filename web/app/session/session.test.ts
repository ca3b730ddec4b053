import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SignOutChannel, shareSignOut } from './across-tabs.ts';
import { forgetWithSession } from './forget.ts';
import { Session, type SessionMemory } from './session.ts';

const user = { email: 'ada@example.com', admin: true, member: true, shownAs: 'ada@example.com' };
const issued = (token: string) => ({
  token,
  expiresAt: '2020-01-01T00:00:00.000Z',
  refreshExpiresAt: '2020-01-08T00:00:00.000Z',
  user,
});

interface Seen {
  readonly path: string;
  readonly authorization: string | null;
}

/** A server that remembers what it was asked and answers by path. */
function server(answers: Readonly<Record<string, (seen: Seen) => Response>>) {
  const seen: Seen[] = [];
  const send: typeof fetch = async (input, init) => {
    const path = String(input);
    const one = { path, authorization: new Headers(init?.headers).get('authorization') };
    seen.push(one);
    return answers[path]?.(one) ?? json(404, { code: 'not_found', message: 'There is nothing here.' });
  };
  return { seen, send };
}

const memory = (had: boolean): SessionMemory => ({ had: () => had, remember: () => undefined });
const untouched: SessionMemory = {
  had: () => true,
  remember: (session) => expect(session, 'the session is forgotten').toBe(true),
};
const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const refused = () => json(401, { code: 'unauthenticated', message: 'Sign in first.' });

describe('a session', () => {
  it('is taken up from the cookie, and its token is sent', async () => {
    const { seen, send } = server({
      '/api/v1/auth/refresh': () => json(200, issued('one')),
      '/api/v1/auth/me': () => json(200, { user }),
    });
    const session = new Session('', send, memory(true));
    expect(session.state()).toEqual({ kind: 'unknown' });
    await session.resume();
    expect(session.state()).toEqual({ kind: 'signed-in', user });
    await session.client.me();
    expect(seen.at(-1)).toEqual({ path: '/api/v1/auth/me', authorization: 'Bearer one' });
  });

  it('is not asked for in a browser that never had one', async () => {
    const { seen, send } = server({});
    const session = new Session('', send, memory(false));
    await session.resume();
    expect(session.state()).toEqual({ kind: 'signed-out' });
    expect(seen).toEqual([]);
  });

  it('is none without a cookie', async () => {
    const session = new Session('', server({ '/api/v1/auth/refresh': refused }).send, memory(true));
    await session.resume();
    expect(session.state()).toEqual({ kind: 'signed-out' });
  });

  it('says why a domain that was removed can no longer sign in', async () => {
    const message = 'The domain is not allowed; allowed: example.com.';
    const answer = () => json(403, { code: 'domain_not_allowed', message });
    const session = new Session('', server({ '/api/v1/auth/refresh': answer }).send, memory(true));
    await session.resume();
    expect(session.state()).toEqual({ kind: 'signed-out', message });
  });

  it('renews an expired token once for two requests and sends both again', async () => {
    let renewals = 0;
    const { seen, send } = server({
      '/api/v1/auth/refresh': () => json(200, issued(`token-${++renewals}`)),
      '/api/v1/auth/me': ({ authorization }) => (authorization === 'Bearer token-2' ? json(200, { user }) : refused()),
    });
    const session = new Session('', send, memory(true));
    await session.resume();
    await expect(Promise.all([session.client.me(), session.client.me()])).resolves.toHaveLength(2);
    expect(seen.filter(({ path }) => path === '/api/v1/auth/refresh')).toHaveLength(2);
  });

  it('ends when the renewal is refused', async () => {
    let renewals = 0;
    const { send } = server({
      '/api/v1/auth/refresh': () => (renewals++ === 0 ? json(200, issued('one')) : refused()),
      '/api/v1/auth/me': refused,
    });
    const session = new Session('', send, memory(true));
    await session.resume();
    await expect(session.client.me()).rejects.toThrow('Sign in first.');
    expect(session.state()).toEqual({
      kind: 'signed-out',
      message: 'Your session has ended. Sign in again; you come back to the page you were on.',
    });
  });

  it.each([
    ['cannot be reached', 502, 'internal_error'],
    ['has too much to do', 429, 'rate_limited'],
  ])('outlives a server that %s', async (_, status, code) => {
    let renewals = 0;
    const { send } = server({
      '/api/v1/auth/refresh': () =>
        renewals++ === 0 ? json(200, issued('one')) : json(status, { code, message: 'gone' }),
      '/api/v1/auth/me': refused,
    });
    const session = new Session('', send, memory(true));
    await session.resume();
    await expect(session.client.me()).rejects.toThrow('Sign in first.');
    expect(session.state().kind).toBe('signed-in');
  });
});

describe('a sign-out', () => {
  const signedIn = async (email: string, kept: SessionMemory = memory(true)) => {
    const { send } = server({
      '/api/v1/auth/refresh': () => json(200, { ...issued('one'), user: { ...user, email } }),
      '/api/v1/auth/logout': () => json(200, {}),
    });
    const session = new Session('', send, kept);
    await session.resume();
    return session;
  };
  /** Two tabs that hear each other, as those of one browser do, and never themselves. */
  const joined = (...tabs: readonly Session[]) => {
    const channels = tabs.map((): SignOutChannel => ({ onmessage: null, postMessage: () => undefined }));
    for (const [place, tab] of tabs.entries()) {
      const channel = channels[place]!;
      channel.postMessage = (data) => {
        for (const other of channels) if (other !== channel) other.onmessage?.(new MessageEvent('message', { data }));
      };
      shareSignOut(tab, channel);
    }
  };

  it('ends the session in the other tabs of the same person, and says why', async () => {
    const [here, there] = [await signedIn('ada@example.com'), await signedIn('ada@example.com')];
    joined(here, there);
    await here.signOut();
    expect(here.state()).toEqual({ kind: 'signed-out' });
    expect(there.state()).toEqual({
      kind: 'signed-out',
      message: 'You have signed out in another tab of this browser.',
    });
  });

  it('leaves a tab alone in which somebody else has signed in', async () => {
    const [here, there] = [await signedIn('ada@example.com'), await signedIn('bob@example.com')];
    joined(here, there);
    await here.signOut();
    expect(there.state().kind).toBe('signed-in');
  });

  it('is not told while it is not known to be one', async () => {
    const { send } = server({ '/api/v1/auth/refresh': () => json(200, issued('one')) });
    const here = new Session('', send, memory(true));
    await here.resume();
    const there = await signedIn('ada@example.com');
    joined(here, there);
    await expect(here.signOut()).rejects.toThrow('There is nothing here.');
    expect([here.state().kind, there.state().kind]).toEqual(['signed-in', 'signed-in']);
  });

  it('that is heard of late does not forget a later sign-in', async () => {
    const there = await signedIn('ada@example.com', untouched);
    there.signedOutElsewhere('ada@example.com');
    expect(there.state().kind).toBe('signed-out');
  });
});

describe('what is kept of a person', () => {
  it('goes with the session, and not before there was one', async () => {
    let renewals = 0;
    const { send } = server({
      '/api/v1/auth/refresh': () => (renewals++ === 0 ? json(200, issued('one')) : refused()),
      '/api/v1/auth/me': refused,
    });
    let cleared = 0;
    const cache = { clear: () => void cleared++ };
    const visitor = new Session('', send, memory(false));
    forgetWithSession(visitor, cache);
    await visitor.resume();
    const session = new Session('', send, memory(true));
    forgetWithSession(session, cache);
    await session.resume();
    expect(cleared).toBe(0);
    await expect(session.client.me()).rejects.toThrow('Sign in first.');
    expect(cleared).toBe(1);
  });
});

describe('a reload while the server does not answer as it should', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['has too many of this person', 429, 'rate_limited', '7', 7],
    ['has too much to do', 503, 'overloaded', '12', 12],
    ['does not say when to come again', 503, 'overloaded', undefined, 5],
    ['is not there', 502, 'api_unavailable', '5', 5],
    ['has something before it that knows no such path', 404, 'not_found', undefined, 5],
  ])('keeps the session when it %s, and tries again when it was told to', async (_, status, code, after, seconds) => {
    vi.useFakeTimers();
    let renewals = 0;
    const { seen, send } = server({
      '/api/v1/auth/refresh': () =>
        renewals++ === 0
          ? json(status, { code, message: 'later' }, after === undefined ? {} : { 'retry-after': after })
          : json(200, issued('one')),
    });
    const session = new Session('', send, untouched);
    await session.resume();
    expect(session.state()).toEqual({ kind: 'waiting', problem: expect.objectContaining({ status, code }) });
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state()).toEqual({ kind: 'signed-in', user });
    expect(seen).toHaveLength(2);
  });

  it('keeps the session when there is no answer at all, and signs out once the server refuses it', async () => {
    vi.useFakeTimers();
    let renewals = 0;
    const send: typeof fetch = async () => {
      if (renewals++ === 0) throw new TypeError('fetch failed');
      return refused();
    };
    const session = new Session('', send, memory(true));
    await session.resume();
    expect(session.state()).toMatchObject({ kind: 'waiting', problem: { message: 'fetch failed' } });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.state()).toEqual({ kind: 'signed-out' });
  });

  it('is tried again at once when the person wants it, and not a second time later', async () => {
    vi.useFakeTimers();
    let renewals = 0;
    const { seen, send } = server({
      '/api/v1/auth/refresh': () =>
        renewals++ === 0 ? json(503, { code: 'overloaded', message: 'later' }) : json(200, issued('one')),
    });
    const session = new Session('', send, untouched);
    await session.resume();
    await session.resume();
    expect(session.state()).toEqual({ kind: 'signed-in', user });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toHaveLength(2);
  });
});
