import { BlockList, isIP, isIPv6 } from 'node:net';

export class BadProxyList extends Error {
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
];
/** Every request asks; clients come again. */
const mostKnown = 1_000;
const longestKnown = 200;
/** The frontend beside us in the pod is always a proxy of ours. */
const ownPod = ['127.0.0.0/8', '::1/128'];

/** Which peers may say for whom they ask: `frontend.trustedProxies`, CIDRs or the word `private_ranges`. */
export class TrustedProxies {
  readonly #ranges = new BlockList();
  readonly #known = new Map<string, string>();

  constructor(entries: readonly string[]) {
    for (const cidr of [
      ...ownPod,
      ...entries.flatMap((entry) => (entry === 'private_ranges' ? privateRanges : [entry])),
    ]) {
      const [address = '', bits, ...rest] = cidr.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      const longest = family === 'ipv6' ? 128 : 32;
      const length = bits === undefined ? longest : Number(bits);
      if (rest.length > 0 || isIP(address) === 0 || !/^\d{1,3}$/.test(bits ?? '0') || length > longest) {
        throw new BadProxyList(
          `frontend.trustedProxies: ${JSON.stringify(cidr)} is not a CIDR such as 10.0.0.0/8, nor private_ranges`,
        );
      }
      this.#ranges.addSubnet(address, length, family);
    }
  }

  trusts(address: string): boolean {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#ranges.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
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
      const next = plainAddress(hop.trim());
      if (!this.trusts(client) || isIP(next) === 0) break;
      client = next;
    }
    return client;
  }
}

/** What limits count by: an IPv6 client owns at least its /64, so all of that is one. */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const missing = address.includes('::') ? 8 - left.length - right.length : 0;
  const groups = [...left, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** `::ffff:10.0.0.1` is 10.0.0.1. */
function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address);
  return mapped?.[1] ?? address;
}
