import { isIPv6 } from 'node:net';
import { TrustedProxies } from '../../platform/trusted-proxies.ts';

/** The frontend beside us in the pod is always a proxy of ours. */
const ownPod = ['127.0.0.0/8', '::1/128'];

/** Which peers may say for whom they ask: those of `frontend.trustedProxies`, and our own frontend. */
export function apiProxies(entries: readonly string[]): TrustedProxies {
  return new TrustedProxies([...ownPod, ...entries]);
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
