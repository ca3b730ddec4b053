import { describe, expect, it } from 'vitest';
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
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
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
