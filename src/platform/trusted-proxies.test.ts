import { describe, expect, it } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

const ingress = '10.0.0.7';
const waf = '192.0.2.10';
const person = '203.0.113.9';
const forged = '198.51.100.66';

/** Who is trusted, who is connected to us, what X-Forwarded-For says, and who the client is. */
type Row = readonly [readonly string[], string, string | undefined, string];

describe('the client of a request', () => {
  const rows: Readonly<Record<string, Row>> = {
    'is the peer where nobody is trusted': [[], ingress, person, ingress],
    'is the peer that is not among the trusted': [['10.0.1.0/24'], ingress, person, ingress],
    'is what a trusted proxy saw': [[ingress], ingress, person, person],
    'is the peer of a trusted proxy that says nothing': [[ingress], ingress, undefined, ingress],
    'is not what the person forged before it': [[ingress], ingress, `${forged}, ${person}`, person],
    'is not one of a hundred forged hops': [[ingress], ingress, `${`${forged}, `.repeat(100)}${person}`, person],
    'is behind two proxies that are trusted': [[ingress, waf], ingress, `${forged}, ${person}, ${waf}`, person],
    'is the second proxy where that one is not trusted': [[ingress], ingress, `${person}, ${waf}`, waf],
    'is the first that is no proxy, though a proxy is claimed before it': [
      ['private_ranges'],
      ingress,
      `${forged}, 10.1.1.1, ${person}, 192.168.4.4`,
      person,
    ],
    'is the furthest of private ones where all are proxies': [
      ['private_ranges'],
      ingress,
      '10.1.1.1, 10.2.2.2',
      '10.1.1.1',
    ],
    'is a private one where the ingress alone is a proxy': [[ingress], ingress, `${forged}, 10.2.2.2`, '10.2.2.2'],
    'is not looked for behind a word': [[ingress, waf], ingress, `${forged}, unknown, ${waf}`, waf],
    'is not looked for behind nothing': [[ingress, waf], ingress, `${forged}, , ${waf}`, waf],
    'is not an obfuscated name': [[ingress], ingress, `${forged}, _hidden`, ingress],
    'is not an address with more behind it': [[ingress], ingress, `${person}\t${forged}`, ingress],
    'is not an address in octal': [[ingress], ingress, '010.0.0.1', ingress],
    'is not a number': [[ingress], ingress, '3405803785', ingress],
    'is the address where a proxy adds the port': [[ingress], ingress, `${person}:51234`, person],
    'is the IPv6 address where a proxy adds the port': [[ingress], ingress, '[2001:db8::1]:51234', '2001:db8::1'],
    'is the IPv6 address in brackets': [[ingress], ingress, '[2001:db8::1]', '2001:db8::1'],
    'is not an address with a port that is none': [[ingress], ingress, `${person}:x`, ingress],
    'is one and the same however IPv4 is written in IPv6': [[ingress], `::ffff:${ingress}`, `::FFFF:${person}`, person],
    'is behind a trusted proxy that is written in IPv6': [[ingress, waf], ingress, `${person}, ::ffff:${waf}`, person],
    'is without the zone of a machine': [['fe80::/10'], 'fe80::1%eth0', '2001:db8::1', '2001:db8::1'],
    'is not trusted for looking alike': [['10.0.0.0/8'], '110.0.0.7', person, '110.0.0.7'],
    'is within the range of a host that is named with its bits': [['10.0.0.7/32'], '10.0.0.8', person, '10.0.0.8'],
  };
  for (const [title, [trusted, peer, forwarded, client]] of Object.entries(rows)) {
    it(title, () => expect(new TrustedProxies(trusted).client(peer, forwarded)).toBe(client));
  }

  it('is answered the same when it is asked again, and for others in between', () => {
    const proxies = new TrustedProxies([ingress]);
    for (let turn = 0; turn < 3; turn++) {
      for (let last = 1; last < 250; last++) {
        expect(proxies.client(ingress, `${forged}, 203.0.113.${last}`)).toBe(`203.0.113.${last}`);
      }
    }
    expect(proxies.client(forged, person)).toBe(forged);
  });
});

describe('private_ranges', () => {
  const rows: Readonly<Record<string, boolean>> = {
    '10.255.255.255': true,
    '11.0.0.0': false,
    '172.15.255.255': false,
    '172.16.0.0': true,
    '172.31.255.255': true,
    '172.32.0.0': false,
    '192.168.255.255': true,
    '192.169.0.0': false,
    '127.0.0.1': true,
    '169.254.169.254': true,
    '100.64.0.1': false,
    '::1': true,
    'fd00::1': true,
    'fe80::1': true,
    '2001:db8::1': false,
    '::ffff:10.0.0.1': true,
    '::ffff:8.8.8.8': false,
    '': false,
    localhost: false,
  };
  for (const [address, trusted] of Object.entries(rows)) {
    it(`${trusted ? 'has' : 'does not have'} ${address === '' ? 'nobody' : address}`, () =>
      expect(new TrustedProxies(['private_ranges']).trusts(address)).toBe(trusted));
  }
});
