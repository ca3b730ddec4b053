import { TrustedProxies } from '../../platform/trusted-proxies.ts';

/** The frontend beside us in the pod is always a proxy of ours. */
const ownPod = ['127.0.0.0/8', '::1/128'];

/** Which peers may say for whom they ask: those of `frontend.trustedProxies`, and our own frontend. */
export function apiProxies(entries: readonly string[]): TrustedProxies {
  return new TrustedProxies([...ownPod, ...entries]);
}
