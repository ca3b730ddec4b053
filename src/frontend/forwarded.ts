import type { IncomingHttpHeaders } from 'node:http';
import { plainAddress, type TrustedProxies } from '../platform/trusted-proxies.ts';

export type Scheme = 'http' | 'https';

export interface Peer {
  readonly address: string | undefined;
  /** Of the listener that took the request. */
  readonly scheme: Scheme;
}

/** The scheme that the client used: a trusted proxy's word, else the listener's. */
export function schemeOf(headers: IncomingHttpHeaders, peer: Peer, proxies: TrustedProxies): Scheme {
  return knownScheme(headers, peer, proxies) ?? peer.scheme;
}

/**
 * What is beyond doubt. Plain http at our listener says nothing of the client: an ingress that nobody named may have ended its
 * TLS.
 */
function knownScheme(headers: IncomingHttpHeaders, peer: Peer, proxies: TrustedProxies): Scheme | undefined {
  const atListener = peer.scheme === 'https' ? 'https' : undefined;
  if (!proxies.trusts(peer.address)) return atListener;
  // With several proxies the first word is that of the one nearest to the client.
  const first = one(headers['x-forwarded-proto'])?.split(',', 1)[0]?.trim().toLowerCase();
  return first === 'http' || first === 'https' ? first : atListener;
}

/** What the API is told about the client. What an untrusted peer claims is replaced, not passed on. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  peer: Peer,
  proxies: TrustedProxies,
  host: string,
): Readonly<Record<string, string>> {
  const address = plainAddress(peer.address ?? 'unknown');
  const scheme = knownScheme(headers, peer, proxies);
  const before = proxies.trusts(peer.address) ? one(headers['x-forwarded-for']) : undefined;
  return {
    'x-forwarded-for': before === undefined || before.trim() === '' ? address : `${before}, ${address}`,
    ...(scheme === undefined ? {} : { 'x-forwarded-proto': scheme }),
    'x-forwarded-host': host,
  };
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
