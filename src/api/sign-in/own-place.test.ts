import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, userAddress } from '../../../test/support/api-world.ts';

const externalUrl = 'https://svc.example.com';
const internalUrl = 'http://svc.corp.example:8080';

let world: ApiWorld;
afterEach(() => world.stop());

/** A browser at one address: it keeps cookies, and over plain http no secure ones. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly #host: string;
  readonly #http: boolean;

  constructor(host: string, http = false) {
    this.#host = host;
    this.#http = http;
  }

  async post(id: 'requestOtp' | 'openMagicLink' | 'refreshSession', body?: object) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { host: this.#host, ...(cookie === '' ? {} : { cookie }) };
    const answer = await world.call(id, { headers, ...(body === undefined ? {} : { body }) });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      if (this.#http && line.includes('; Secure')) continue;
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }

  /** Asks for a mail, opens its link here, and comes back later. */
  async signIn(): Promise<readonly [string, number, number]> {
    await this.post('requestOtp', { email: userAddress });
    const [, at = '', token = ''] =
      /^(\S+)\/#\/sign-in\?link=(\S+)$/m.exec(world.inbox.last(userAddress)?.text ?? '') ?? [];
    const opened = await this.post('openMagicLink', { token });
    const refreshed = await this.post('refreshSession');
    return [at, opened.statusCode, refreshed.statusCode];
  }
}

describe('a sign-in works whole', () => {
  const rows: Readonly<Record<string, readonly [string, boolean, object, string]>> = {
    'at the external address': ['svc.example.com', false, {}, externalUrl],
    'at the external address with its port': ['svc.example.com:443', false, {}, externalUrl],
    'at a plain-http internal address': ['svc.corp.example:8080', true, {}, internalUrl],
    'at a port-forward, with a link to the external address': ['localhost:8080', false, {}, externalUrl],
    'at a host that is claimed, with a link to the external address': ['evil.example', false, {}, externalUrl],
    'at a host that cannot be read': ['evil.example/@x', false, {}, externalUrl],
    'below a path': [
      'apps.example.com',
      false,
      { externalUrl: 'https://apps.example.com/hibernate' },
      'https://apps.example.com/hibernate',
    ],
  };
  for (const [title, [host, http, config, at]] of Object.entries(rows)) {
    it(title, async () => {
      world = await ApiWorld.start({ config: { internalUrl, ...config } });
      expect(await new Browser(host, http).signIn()).toEqual([at, 200, 200]);
    });
  }

  it('with cookies for https alone wherever there is https', async () => {
    world = await ApiWorld.start({ config: { internalUrl } });
    const cookieAt = async (host: string) =>
      String(
        (await world.call('requestOtp', { headers: { host }, body: { email: userAddress } })).headers['set-cookie'],
      );
    expect(await cookieAt('svc.example.com')).toContain('; Secure');
    expect(await cookieAt('svc.corp.example:8080')).not.toContain('Secure');
    expect(await cookieAt('localhost:8080')).toContain('; Secure');
  });
});

describe('one host with both schemes', () => {
  const plain = 'http://svc.example.com';
  const rows: Readonly<
    Record<string, readonly [Readonly<Record<string, unknown>>, string, string | undefined, string]>
  > = {
    'is https where nothing is known': [{ internalUrl: plain }, 'svc.example.com', undefined, externalUrl],
    'is https where it is known': [{ internalUrl: plain }, 'svc.example.com', 'https', externalUrl],
    'is plain where a proxy says so': [{ internalUrl: plain }, 'svc.example.com', 'http', plain],
    'is https by the port that the client names': [{ internalUrl: plain }, 'svc.example.com:443', 'http', externalUrl],
    'is https where that is the inner one': [
      { externalUrl: plain, internalUrl: externalUrl, allowInsecureExternalUrl: true },
      'svc.example.com',
      undefined,
      externalUrl,
    ],
    'stays what it is with one scheme alone': [
      { internalUrl: 'http://svc.corp.example' },
      'svc.corp.example',
      'https',
      'http://svc.corp.example',
    ],
  };
  for (const [title, [config, host, scheme, address]] of Object.entries(rows)) {
    it(title, async () => {
      world = await ApiWorld.start({ config });
      const headers = { host, ...(scheme === undefined ? {} : { 'x-forwarded-proto': scheme }) };
      const answer = await world.call('requestOtp', { headers, body: { email: userAddress } });
      const [, at] = /^(\S+)\/#\/sign-in/m.exec(world.inbox.last(userAddress)?.text ?? '') ?? [];
      const secure = String(answer.headers['set-cookie']).includes('; Secure');
      expect([at, secure]).toEqual([address, address.startsWith('https:')]);
    });
  }
});

describe('cookies are sent', () => {
  const rows: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string, string]>> = {
    'to the whole host of an address without a prefix': [{}, 'svc.example.com', '/'],
    'below the prefix alone': [{ externalUrl: 'https://apps.example.com/hibernate' }, 'apps.example.com', '/hibernate'],
    'below a prefix that ends in a slash': [
      { externalUrl: 'https://apps.example.com/hibernate/' },
      'apps.example.com',
      '/hibernate',
    ],
    'below the prefix of the address where the browser is': [
      { externalUrl: 'https://apps.example.com/a', internalUrl: 'https://inner.example.com/b' },
      'inner.example.com',
      '/b',
    ],
    'to the whole host where both addresses are on it': [
      { externalUrl: 'https://apps.example.com/a', internalUrl: 'https://apps.example.com/b' },
      'apps.example.com',
      '/',
    ],
    'below the prefix where both schemes have it': [
      { externalUrl: 'https://apps.example.com/a', internalUrl: 'http://apps.example.com/a' },
      'apps.example.com',
      '/a',
    ],
    'to the whole host of a port-forward, where there is no prefix': [
      { externalUrl: 'https://apps.example.com/hibernate' },
      'localhost:8080',
      '/',
    ],
  };
  for (const [title, [config, host, path]] of Object.entries(rows)) {
    it(title, async () => {
      world = await ApiWorld.start({ config });
      const headers = { host };
      await world.call('requestOtp', { headers, body: { email: userAddress } });
      const body = { email: userAddress, otp: world.lastCode(userAddress) };
      const signedIn = await world.call('verifyOtp', { headers, body });
      const out = await world.call('logout', { headers });
      const cookies = [signedIn, out].flatMap((answer) => [answer.headers['set-cookie'] ?? []].flat());
      expect(cookies.map((cookie) => /; Path=([^;]*);/.exec(cookie)?.[1])).toEqual([path, path, path, path]);
    });
  }
});

describe('two instances under one host', () => {
  it('do not take each other for themselves: their cookies have names of their own', async () => {
    const names: string[][] = [];
    for (const [url, host] of [
      ['https://apps.example.com/a', 'apps.example.com'],
      ['https://apps.example.com/b', 'apps.example.com'],
      ['https://apps.example.com:8443', 'apps.example.com:8443'],
      ['https://apps.example.com', 'apps.example.com'],
    ] as const) {
      world = await ApiWorld.start({ config: { externalUrl: url } });
      const browser = new Browser(host);
      expect(await browser.signIn()).toEqual([url, 200, 200]);
      names.push([...browser.cookies.keys()]);
      if (url !== 'https://apps.example.com') await world.stop();
    }
    expect(new Set(names.flat()).size).toBe(names.flat().length);
    expect(names.at(-1)).toEqual(['svc_browser', 'svc_refresh', 'svc_known']);
  });
});
