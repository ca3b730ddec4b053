import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import { isGlobalAddress } from '../../platform/global-address.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../call/ports.ts';
import { UrlReadiness } from './readiness.ts';

const publicAddress = '93.184.216.34';

function configOf(check: object, more: object = {}): Config {
  const parsed = parseConfig({
    clusterName: 't',
    externalUrl: 'https://svc.example.com',
    urlReadinessCheck: { enabled: true, ...check },
    ...more,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

interface World {
  readonly clock: VirtualClock;
  readonly asked: OutboundRequest[];
  readonly readiness: UrlReadiness;
}

function worldOf(
  names: Readonly<Record<string, readonly string[]>> = {},
  answer: (request: OutboundRequest) => OutboundAnswer | Promise<OutboundAnswer> = () => ({ status: 200 }),
  config = configOf({}),
): World {
  const clock = new VirtualClock(0);
  const asked: OutboundRequest[] = [];
  const outbound: Outbound = {
    resolve: async (host) => {
      const addresses = names[host];
      if (addresses === undefined) throw new Error('ENOTFOUND');
      return addresses;
    },
    get: async (request) => {
      asked.push(request);
      return answer(request);
    },
  };
  return { clock, asked, readiness: new UrlReadiness(outbound, clock, silentLogger, () => config) };
}

describe('hosts that must not be reached', () => {
  const literal = [
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/machine?comp=goalstate',
    'http://100.100.100.200/latest/meta-data/',
    'http://192.0.0.192/opc/v2/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://017700000001/',
    'http://127.0.0.1.:80/',
    'http://0.0.0.0/',
    'http://0/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001::1]/',
    'http://[2001:db8::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
    'http://[3fff::1]/',
    'http://localhost/',
    'http://LOCALHOST:8080/',
    'http://localhost./',
    'http://app.localhost/',
    'http://kubernetes/',
    'http://kubernetes.default.svc/',
    'http://kubernetes.default.svc.cluster.local/',
    'http://printer.local/',
    'http://ⓛocalhost/',
    'http://１２７.0.0.1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://user:word@example.com/',
    'http://user@example.com/',
    '//example.com/',
    'example.com',
    'http://',
    '',
  ];
  it('are more than sixty', () => expect(literal.length).toBeGreaterThanOrEqual(60));
  for (const url of literal) {
    it(JSON.stringify(url), async () => {
      const { readiness, asked } = worldOf({ 'example.com': [publicAddress] });
      await expect(readiness.check(url)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'url' } });
      expect(asked).toEqual([]);
    });
  }

  const resolving: Readonly<Record<string, readonly string[]>> = {
    'a name of a private address': ['10.0.0.5'],
    'a name of the metadata service': ['169.254.169.254'],
    'a name with one private address among public ones': [publicAddress, '192.168.1.1'],
    'a name of a mapped loopback address': ['::ffff:127.0.0.1'],
    'a name of no address': [],
  };
  for (const [name, addresses] of Object.entries(resolving)) {
    it(`${name} looks like one that is down`, async () => {
      const { readiness, asked } = worldOf({ 'rebind.example.com': addresses });
      expect(await readiness.check('http://rebind.example.com/')).toEqual({
        ready: false,
        successes: 0,
        needed: 3,
        retryAfterSeconds: 5,
      });
      expect(asked).toEqual([]);
    });
  }

  it('a redirect to one of them is not followed', async () => {
    for (const location of [
      'http://169.254.169.254/',
      'http://inside.example.com/',
      'file:///etc/passwd',
      '//10.0.0.1/',
    ]) {
      const names = { 'example.com': [publicAddress], 'inside.example.com': ['10.1.2.3'] };
      const { readiness, asked } = worldOf(names, () => ({ status: 302, location }));
      expect((await readiness.check('http://example.com/')).successes).toBe(0);
      expect(asked).toHaveLength(1);
    }
  });

  it('a chain of redirects ends', async () => {
    const { readiness, asked } = worldOf({ 'example.com': [publicAddress] }, () => ({
      status: 302,
      location: '/again',
    }));
    expect((await readiness.check('http://example.com/')).ready).toBe(false);
    expect(asked).toHaveLength(4);
  });
});

describe('a check', () => {
  it('connects to the address that was checked, whatever the DNS says next', async () => {
    const { readiness, asked } = worldOf({ 'example.com': [publicAddress, '2606:2800:220:1::1'] });
    await readiness.check('https://example.com/health#x');
    expect(asked[0]).toMatchObject({ address: publicAddress, timeoutMs: 5000, maxBytes: 65_536 });
    expect(asked[0]?.url.href).toBe('https://example.com/health');
  });

  it('is ready after so many successes in a row, one an interval, and starts anew after a failure', async () => {
    let status = 200;
    const { readiness, clock, asked } = worldOf({ 'example.com': [publicAddress] }, () => ({ status }));
    const look = async () => (await readiness.check('https://example.com/')).successes;
    expect([await look(), await look()]).toEqual([1, 1]);
    await clock.advance(5000);
    expect(await look()).toBe(2);
    status = 503;
    await clock.advance(5000);
    expect(await look()).toBe(0);
    status = 204;
    for (const wanted of [1, 2, 3]) {
      await clock.advance(5000);
      expect(await look()).toBe(wanted);
    }
    expect((await readiness.check('https://example.com/')).ready).toBe(true);
    expect(asked).toHaveLength(6);
  });

  it('tells nothing of what was fetched or why it failed', async () => {
    const keys = ['ready', 'successes', 'needed', 'retryAfterSeconds'];
    for (const answer of [() => ({ status: 200 }), () => Promise.reject(new Error('ECONNREFUSED 10.0.0.1'))]) {
      const { readiness } = worldOf({ 'example.com': [publicAddress] }, answer);
      expect(Object.keys(await readiness.check('https://example.com/'))).toEqual(keys);
    }
  });

  it('keeps to the whitelist', async () => {
    const config = configOf({ whitelist: ['*.example.com'] });
    const { readiness } = worldOf(
      { 'a.example.com': [publicAddress], 'example.org': [publicAddress] },
      undefined,
      config,
    );
    expect((await readiness.check('https://A.example.com/')).successes).toBe(1);
    for (const url of ['https://example.org/', 'https://a.example.com.evil.org/']) {
      await expect(readiness.check(url)).rejects.toThrow(
        'url names a host that config.urlReadinessCheck.whitelist does not allow.',
      );
    }
  });

  it('goes through the proxy of the feature, else of the service; names may resolve only there', async () => {
    const config = configOf(
      { proxyURL: 'http://own-proxy.example.com:3128' },
      { proxyURL: 'http://proxy.example.com:8080' },
    );
    const { readiness, asked } = worldOf({}, undefined, config);
    expect((await readiness.check('https://outside.example.com/')).successes).toBe(1);
    expect(asked[0]?.proxy?.host).toBe('own-proxy.example.com:3128');
    expect(asked[0]?.address).toBeUndefined();
    const inside = worldOf({ 'inside.example.com': ['10.0.0.1'] }, undefined, config);
    expect((await inside.readiness.check('https://inside.example.com/')).successes).toBe(0);
  });
});

describe('a host is up', () => {
  const one = { 'shop.example.com': [publicAddress], 'login.example.net': [publicAddress] };
  const sends = (location: string): OutboundAnswer => ({ status: 302, location });
  const rows: Readonly<Record<string, readonly [OutboundAnswer, boolean]>> = {
    'when it answers': [{ status: 200 }, true],
    'when it asks for a password': [{ status: 401 }, true],
    'when it keeps strangers out': [{ status: 403 }, true],
    'when it sends to a sign-in elsewhere': [sends('https://login.example.net/authorize?client_id=1'), true],
    'but not when nothing is there': [{ status: 404 }, false],
    'but not when its backend is away': [{ status: 503 }, false],
    'but not when it is us who answer in its place': [
      sends('https://svc.example.com#/?origin=https%3A%2F%2Fshop.example.com%2F'),
      false,
    ],
    'but not when we are named with a port that is the usual one': [sends('https://SVC.example.com:443/x'), false],
    'but not when we answer at the internal address': [sends('http://svc.internal.example:8080/#/?origin=x'), false],
    'but not when we are named without https': [sends('http://svc.example.com/'), false],
  };
  const config = configOf({}, { internalUrl: 'http://svc.internal.example:8080' });
  for (const [title, [answer, up]] of Object.entries(rows)) {
    it(title, async () => {
      // Whoever is sent on, and to wherever: there everything is fine.
      const { readiness } = worldOf(
        { ...one, 'svc.example.com': [publicAddress], 'svc.internal.example': [publicAddress] },
        ({ url }) => (url.hostname === 'shop.example.com' ? answer : { status: 200 }),
        config,
      );
      expect((await readiness.check('https://shop.example.com/')).successes).toBe(up ? 1 : 0);
    });
  }

  it('beside us on our own host, below another path', async () => {
    const beside = configOf({}, { externalUrl: 'https://apps.example.com/hibernate' });
    const answers: Readonly<Record<string, OutboundAnswer>> = {
      '/shop': sends('/shop/login'),
      '/shop/login': { status: 200 },
      '/asleep': sends('/hibernate#/?origin=x'),
      '/hibernate': { status: 200 },
    };
    const { readiness } = worldOf(
      { 'apps.example.com': [publicAddress] },
      ({ url }) => answers[url.pathname] ?? { status: 404 },
      beside,
    );
    expect((await readiness.check('https://apps.example.com/shop')).successes).toBe(1);
    expect((await readiness.check('https://apps.example.com/asleep')).successes).toBe(0);
  });

  it('is not asked about another host than the one that was named', async () => {
    const { readiness, asked } = worldOf(one, () => sends('https://login.example.net/'));
    await readiness.check('https://shop.example.com/');
    expect(asked.map(({ url }) => url.hostname)).toEqual(['shop.example.com']);
  });
});

describe('a host that is listed', () => {
  const whitelist = ['*.corp.example.com', 'kiosk', '10.1.2.*', '169.254.*', '*'];
  const check = async (url: string, address: readonly string[], list: readonly string[] = whitelist) => {
    const { readiness, asked } = worldOf(
      { [new URL(url).hostname]: address },
      undefined,
      configOf({ whitelist: list }),
    );
    const { successes } = await readiness.check(url).catch(() => ({ successes: -1 }));
    expect(asked).toHaveLength(successes === 1 ? 1 : 0);
    return successes;
  };

  it('may be private', async () => {
    for (const address of ['10.0.0.5', '172.16.3.4', '192.168.1.1', '100.64.0.9', 'fd12:3456::1', publicAddress]) {
      expect([address, await check('https://shop.corp.example.com/', [address])]).toEqual([address, 1]);
    }
    expect(await check('http://kiosk/', ['10.0.0.5'])).toBe(1);
    expect(await check('http://10.1.2.3/', [])).toBe(1);
    for (const listed of ['fd00::2', '[fd00::2]', 'fd00:0:0::2']) {
      expect([listed, await check('http://[fd00::2]/', [], [listed])]).toEqual([listed, 1]);
      expect([listed, await check('http://[fd00::3]/', [], [listed])]).toEqual([listed, -1]);
    }
  });

  it('is never this machine, its link, a metadata service or many at once', async () => {
    for (const address of [
      '127.0.0.1',
      '0.0.0.0',
      '169.254.169.254',
      '169.254.1.1',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'ff02::1',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fd00:c1::a9fe:a9fe',
      'fd00:42::42',
      '::ffff:10.0.0.5',
      '::ffff:169.254.169.254',
      '64:ff9b::a00:5',
    ]) {
      expect([address, await check('https://shop.corp.example.com/', [address])]).toEqual([address, 0]);
    }
    expect(await check('https://shop.corp.example.com/', ['10.0.0.5', '169.254.169.254'])).toBe(0);
    for (const url of ['http://169.254.169.254/', 'http://localhost/', 'http://metadata.google.internal/']) {
      expect([url, await check(url, ['10.0.0.5'])]).toEqual([url, -1]);
    }
  });

  it('is named: a star alone lists nobody who is private', async () => {
    expect(await check('https://shop.corp.example.com/', ['10.0.0.5'], ['*'])).toBe(0);
    expect(await check('http://10.1.2.3/', [], ['*'])).toBe(-1);
    expect(await check('http://kubernetes.default.svc/', ['10.0.0.1'], ['*.*'])).toBe(-1);
    expect(await check('https://shop.corp.example.com/', [publicAddress], ['*'])).toBe(1);
  });

  it('may send to a sign-in that is not', async () => {
    const { readiness } = worldOf(
      { 'shop.corp.example.com': ['10.0.0.5'] },
      () => ({ status: 302, location: 'https://login.example.net/' }),
      configOf({ whitelist: ['*.corp.example.com'] }),
    );
    expect((await readiness.check('https://shop.corp.example.com/')).successes).toBe(1);
  });
});

describe('checks at the same time', () => {
  it('are so many at most; who comes later is told what is known, and asks again', async () => {
    const waiting: (() => void)[] = [];
    const names = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`h${index}.example.com`, [publicAddress]]),
    );
    const { readiness, asked } = worldOf(
      names,
      () => new Promise<OutboundAnswer>((resolve) => waiting.push(() => resolve({ status: 200 }))),
    );
    const first = Object.keys(names).map((host) => readiness.check(`https://${host}/`));
    const late = await Promise.all(first.slice(16));
    expect(asked).toHaveLength(16);
    expect(late.every(({ successes, retryAfterSeconds }) => successes === 0 && retryAfterSeconds === 5)).toBe(true);
    for (const answer of waiting.splice(0)) answer();
    await Promise.all(first);
    // Who found no room was not checked, and need not wait for the next interval.
    const again = readiness.check('https://h39.example.com/');
    await new Promise((resolve) => setImmediate(resolve));
    for (const answer of waiting.splice(0)) answer();
    expect((await again).successes).toBe(1);
  });
});

describe('global addresses', () => {
  it('are those of somebody on the internet', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450::1']) {
      expect([address, isGlobalAddress(address)]).toEqual([address, true]);
    }
    for (const address of ['', 'x', '999.1.1.1', '::ffff:1.1.1.1']) {
      expect([address, isGlobalAddress(address)]).toEqual([address, false]);
    }
  });
});
