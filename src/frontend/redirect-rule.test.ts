import { describe, expect, it } from 'vitest';
import { TrustedProxies } from '../platform/trusted-proxies.ts';
import { schemeOf } from './forwarded.ts';
import { parseHost } from './http/host-header.ts';
import { ownAddresses } from './own-addresses.ts';
import { decideDocument } from './redirect-rule.ts';

interface Asked {
  readonly host: string;
  readonly path?: string;
  readonly query?: string;
  readonly external?: string;
  readonly internal?: string;
  /** Of the listener. */
  readonly listener?: 'http' | 'https';
  readonly proto?: string;
  readonly peer?: string;
  readonly trusted?: readonly string[];
}

const external = 'https://svc.example.com';

/** Either `app`, or the address that a redirect carries as `origin`. */
function outcome(asked: Asked): string {
  const addresses = ownAddresses(asked.external ?? external, asked.internal);
  const peer = { address: asked.peer ?? '203.0.113.9', scheme: asked.listener ?? 'http' } as const;
  const headers = asked.proto === undefined ? {} : { 'x-forwarded-proto': asked.proto };
  const decision = decideDocument(
    {
      host: parseHost(asked.host)!,
      path: asked.path ?? '/',
      query: asked.query ?? '',
      scheme: schemeOf(headers, peer, new TrustedProxies(asked.trusted ?? [])),
    },
    addresses,
  );
  if (decision.answer === 'app') return 'app';
  const start = `${asked.external ?? external}#/?origin=`;
  expect(decision.location.startsWith(start)).toBe(true);
  return decodeURIComponent(decision.location.slice(start.length));
}

const prefixed = 'https://apps.example.com/hibernate';
const internal = 'http://svc.internal:8080';

describe('the foreign-host redirect', () => {
  const rows: [string, Asked, string][] = [
    // Host and port
    ['the own host is served', { host: 'svc.example.com' }, 'app'],
    ['the own host is compared without case', { host: 'SVC.Example.COM' }, 'app'],
    ['the own host with its default port is served', { host: 'svc.example.com:443' }, 'app'],
    ['the own host on another port is foreign', { host: 'svc.example.com:8443' }, 'http://svc.example.com:8443/'],
    ['port 80 is not the port of an https address', { host: 'svc.example.com:80' }, 'http://svc.example.com:80/'],
    ['another host is foreign', { host: 'shop.example.com' }, 'http://shop.example.com/'],
    ['a host that ends like the own is foreign', { host: 'evil-svc.example.com' }, 'http://evil-svc.example.com/'],
    ['a subdomain of the own is foreign', { host: 'a.svc.example.com' }, 'http://a.svc.example.com/'],
    ['a host that begins like the own is foreign', { host: 'svc.example.com.evil' }, 'http://svc.example.com.evil/'],
    ['a trailing dot is another host', { host: 'svc.example.com.' }, 'http://svc.example.com./'],
    ['an http address has port 80', { host: 'svc.example.com', external: 'http://svc.example.com' }, 'app'],
    ['an http address with port 80 said', { host: 'svc.example.com:80', external: 'http://svc.example.com' }, 'app'],
    [
      'an http address is not at 443',
      { host: 'svc.example.com:443', external: 'http://svc.example.com' },
      'http://svc.example.com:443/',
    ],
    [
      'an address on a port of its own',
      { host: 'svc.example.com:8443', external: 'https://svc.example.com:8443' },
      'app',
    ],
    [
      'an address on a port of its own needs the port',
      { host: 'svc.example.com', external: 'https://svc.example.com:8443' },
      'http://svc.example.com/',
    ],
    ['an address that spells out its default port', { host: 'svc.example.com', external: `${external}:443` }, 'app'],
    // Paths
    ['a query belongs to no path', { host: 'svc.example.com', query: '?a=1' }, 'app'],
    ['an address without prefix covers / alone', { host: 'svc.example.com', path: '/x' }, 'http://svc.example.com/x'],
    [
      'not even its own index file',
      { host: 'svc.example.com', path: '/index.html' },
      'http://svc.example.com/index.html',
    ],
    ['nor two slashes', { host: 'svc.example.com', path: '//' }, 'http://svc.example.com//'],
    [
      'nor a path that looks like a host',
      { host: 'svc.example.com', path: '//evil.com' },
      'http://svc.example.com//evil.com',
    ],
    ['a trailing slash of the address is no prefix', { host: 'svc.example.com', external: `${external}/` }, 'app'],
    ['the prefix is served', { host: 'apps.example.com', path: '/hibernate', external: prefixed }, 'app'],
    ['the prefix with a slash is served', { host: 'apps.example.com', path: '/hibernate/', external: prefixed }, 'app'],
    [
      'what is below the prefix is served',
      { host: 'apps.example.com', path: '/hibernate/a/b', external: prefixed },
      'app',
    ],
    [
      'the root beside a prefix is foreign',
      { host: 'apps.example.com', external: prefixed },
      'http://apps.example.com/',
    ],
    [
      'a segment that only begins like the prefix is foreign',
      { host: 'apps.example.com', path: '/hibernated', external: prefixed },
      'http://apps.example.com/hibernated',
    ],
    [
      'the prefix is compared with case',
      { host: 'apps.example.com', path: '/Hibernate', external: prefixed },
      'http://apps.example.com/Hibernate',
    ],
    [
      'the prefix as a second segment is foreign',
      { host: 'apps.example.com', path: '/x/hibernate', external: prefixed },
      'http://apps.example.com/x/hibernate',
    ],
    [
      'of a longer prefix the first segment counts',
      { host: 'apps.example.com', path: '/tools/other', external: 'https://apps.example.com/tools/hibernate' },
      'app',
    ],
    [
      'the prefix on another host is foreign',
      { host: 'shop.example.com', path: '/hibernate', external: prefixed },
      'http://shop.example.com/hibernate',
    ],
    // Two own addresses
    ['the internal address is served', { host: 'svc.internal:8080', internal }, 'app'],
    ['the internal host without its port is foreign', { host: 'svc.internal', internal }, 'http://svc.internal/'],
    ['without an internal address its host is foreign', { host: 'svc.internal:8080' }, 'http://svc.internal:8080/'],
    [
      'host of one and path of the other do not make an address',
      { host: 'svc.internal:8080', path: '/hibernate', external: prefixed, internal },
      'http://svc.internal:8080/hibernate',
    ],
    [
      'nor the other way round',
      { host: 'apps.example.com', path: '/', external: prefixed, internal },
      'http://apps.example.com/',
    ],
    [
      'two addresses of one host, told apart by the segment',
      { host: 'apps.example.com', path: '/', external: prefixed, internal: 'https://apps.example.com' },
      'app',
    ],
    [
      'with two of one host a third path is foreign',
      { host: 'apps.example.com', path: '/x', external: prefixed, internal: 'https://apps.example.com' },
      'http://apps.example.com/x',
    ],
    // Literal addresses
    ['localhost is foreign', { host: 'localhost:3000' }, 'http://localhost:3000/'],
    ['127.0.0.1 is foreign', { host: '127.0.0.1:3000' }, 'http://127.0.0.1:3000/'],
    ['an IPv6 literal is foreign', { host: '[::1]:3000' }, 'http://[::1]:3000/'],
    ['an IPv4 address that is the own one', { host: '10.0.0.7:3000', external: 'http://10.0.0.7:3000' }, 'app'],
    ['an IPv6 address that is the own one', { host: '[2001:db8::7]', external: 'https://[2001:db8::7]' }, 'app'],
    [
      'an IPv6 address in a longer spelling',
      { host: '[2001:DB8:0:0:0:0:0:7]:443', external: 'https://[2001:db8::7]' },
      'app',
    ],
    [
      'an IPv6 address on another port',
      { host: '[2001:db8::7]:3000', external: 'https://[2001:db8::7]' },
      'http://[2001:db8::7]:3000/',
    ],
    // The scheme of the origin
    ['the HTTPS listener says https', { host: 'shop.example.com', listener: 'https' }, 'https://shop.example.com/'],
    ['an untrusted peer cannot say https', { host: 'shop.example.com', proto: 'https' }, 'http://shop.example.com/'],
    [
      'an untrusted peer cannot say http',
      { host: 'shop.example.com', proto: 'http', listener: 'https' },
      'https://shop.example.com/',
    ],
    [
      'a trusted peer says https',
      { host: 'shop.example.com', proto: 'https', peer: '10.1.2.3', trusted: ['10.0.0.0/8'] },
      'https://shop.example.com/',
    ],
    [
      'a trusted peer says http',
      { host: 'shop.example.com', proto: 'http', peer: '10.1.2.3', trusted: ['10.0.0.0/8'], listener: 'https' },
      'http://shop.example.com/',
    ],
    [
      'a trusted peer that says nothing',
      { host: 'shop.example.com', peer: '10.1.2.3', trusted: ['10.0.0.0/8'], listener: 'https' },
      'https://shop.example.com/',
    ],
    [
      'a trusted peer that says neither',
      { host: 'shop.example.com', proto: 'javascript', peer: '10.1.2.3', trusted: ['10.0.0.0/8'] },
      'http://shop.example.com/',
    ],
    [
      'of several proxies the first word counts',
      { host: 'shop.example.com', proto: 'HTTPS, http', peer: '10.1.2.3', trusted: ['10.0.0.0/8'] },
      'https://shop.example.com/',
    ],
    [
      'private ranges trust an address of the cluster',
      { host: 'shop.example.com', proto: 'https', peer: '192.168.4.4', trusted: ['private_ranges'] },
      'https://shop.example.com/',
    ],
    [
      'private ranges trust an IPv4 address that came over IPv6',
      { host: 'shop.example.com', proto: 'https', peer: '::ffff:172.16.9.9', trusted: ['private_ranges'] },
      'https://shop.example.com/',
    ],
    [
      'private ranges trust no public address',
      { host: 'shop.example.com', proto: 'https', peer: '8.8.8.8', trusted: ['private_ranges'] },
      'http://shop.example.com/',
    ],
    [
      'an IPv6 range',
      { host: 'shop.example.com', proto: 'https', peer: '2001:db8::1', trusted: ['2001:db8::/32'] },
      'https://shop.example.com/',
    ],
    [
      'the word of a proxy makes no host an own one',
      { host: 'svc.example.com:8443', proto: 'https', peer: '10.1.2.3', trusted: ['private_ranges'] },
      'https://svc.example.com:8443/',
    ],
    // The whole address comes along
    [
      'path and query come along',
      { host: 'shop.example.com', path: '/cart/7', query: '?a=1&b=%20#' },
      'http://shop.example.com/cart/7?a=1&b=%20#',
    ],
  ];
  it.each(rows)('%s', (_, asked, expected) => {
    expect(outcome(asked)).toBe(expected);
  });

  it('writes the address so that nothing in it can end the fragment parameter', () => {
    const decision = decideDocument(
      { host: parseHost('shop.example.com')!, path: '/a', query: '?x=1&y=#z', scheme: 'http' },
      ownAddresses(prefixed),
    );
    expect(decision).toEqual({
      answer: 'redirect',
      location: 'https://apps.example.com/hibernate#/?origin=http%3A%2F%2Fshop.example.com%2Fa%3Fx%3D1%26y%3D%23z',
      reason: 'the host is no own address',
    });
  });

  it('says when the host is right and the path is not', () => {
    const host = parseHost('svc.example.com')!;
    const decision = decideDocument({ host, path: '/x', query: '', scheme: 'http' }, ownAddresses(external));
    expect(decision).toMatchObject({ reason: 'the path is not one of the own address' });
  });
});

describe('a Host header', () => {
  const rows: [string, string | undefined, object | undefined][] = [
    ['is needed', undefined, undefined],
    ['is not empty', '', undefined],
    ['has no user name', 'a@svc.example.com', undefined],
    ['has no space', 'svc.example.com x', undefined],
    ['has no path', 'svc.example.com/x', undefined],
    ['has no line break', 'svc.example.com\r\nx', undefined],
    ['has a port that exists', 'svc.example.com:65536', undefined],
    ['has a port that is not 0', 'svc.example.com:0', undefined],
    ['has a port after its colon', 'svc.example.com:', undefined],
    ['has brackets around IPv6', '::1', undefined],
    ['has IPv6 in its brackets', '[::g]', undefined],
    ['has a real address in its brackets', '[1:2]', undefined],
    ['is not longer than a name can be', 'a'.repeat(254), undefined],
    ['is a name', 'Svc.example.com', { name: 'svc.example.com', text: 'Svc.example.com' }],
    ['is a name and a port', 'a:1', { name: 'a', port: 1, text: 'a:1' }],
    ['is an IPv6 address', '[0:0::1]:5', { name: '[::1]', port: 5, text: '[0:0::1]:5' }],
  ];
  it.each(rows)('%s', (_, text, host) => {
    expect(parseHost(text)).toEqual(host);
  });
});

describe('own addresses and trusted proxies that are written wrongly', () => {
  it.each([
    ['svc.example.com', 'config.externalUrl: "svc.example.com" is not an own address'],
    ['ftp://svc.example.com', 'config.externalUrl: "ftp://svc.example.com" is not an own address'],
    ['https://svc.example.com/?a', 'config.externalUrl: "https://svc.example.com/?a" is not an own address'],
  ])('%s', (text, message) => {
    expect(() => ownAddresses(text)).toThrow(message);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', 'all', '10.0.0.0/8/8', '10.0.0.0/x', '::/129', ''])('%s', (entry) => {
    expect(() => new TrustedProxies([entry])).toThrow(
      `frontend.trustedProxies: ${JSON.stringify(entry)} is not a CIDR such as 10.0.0.0/8, nor private_ranges`,
    );
  });
});
