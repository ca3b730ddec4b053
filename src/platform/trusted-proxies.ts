import { BlockList, isIP, isIPv6 } from 'node:net';

class BadProxyList extends Error {
  override readonly name = 'BadProxyList';
}

const privateRanges = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
] as const;
/** Every request asks, and clients come again; longer keys are somebody's attempt to fill the memory. */
const mostKnown = 1_000;
const longestKnown = 200;

/** The peers whose X-Forwarded headers are believed: CIDRs, single addresses, or the word `private_ranges`. */
export class TrustedProxies {
  readonly #ranges = new BlockList();
  readonly #known = new Map<string, string>();

  constructor(entries: readonly string[]) {
    for (const cidr of entries.flatMap((entry) => (entry === 'private_ranges' ? privateRanges : [entry]))) {
      const [address = '', bits, ...rest] = cidr.split('/');
      const version = isIP(address);
      const longest = version === 6 ? 128 : 32;
      const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
      if (version === 0 || rest.length > 0 || !(length <= longest)) {
        throw new BadProxyList(
          `frontend.trustedProxies: ${JSON.stringify(cidr)} is not a CIDR such as 10.0.0.0/8, nor private_ranges`,
        );
      }
      this.#ranges.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
    }
  }

  trusts(peer: string | undefined): boolean {
    const address = plainAddress(peer ?? '');
    return isIP(address) !== 0 && this.#ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** The nearest hop that is no proxy of ours: what stands before it in the header may be forged. */
  client(peer: string, forwardedFor: string | undefined): string {
    const key = `${peer} ${forwardedFor ?? ''}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const client = this.#nearest(plainAddress(peer), (forwardedFor ?? '').split(','));
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (key.length <= longestKnown) this.#known.set(key, client);
    return client;
  }

  #nearest(peer: string, hops: readonly string[]): string {
    let client = peer;
    for (const hop of hops.toReversed()) {
      const next = plainAddress(withoutPort(hop.trim()));
      if (!this.trusts(client) || isIP(next) === 0) break;
      client = next;
    }
    return client;
  }
}

/** Some gateways add the port that the client came from: `203.0.113.9:51234`, `[2001:db8::1]:51234`. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}

/** `::ffff:10.0.0.1` is 10.0.0.1, and a zone such as `%eth0` belongs to the machine, not to the address. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address);
  return mapped?.[1] ?? address.replace(/%.*$/, '');
}
