import { describe, expect, it } from 'vitest';
import { TrustedProxies } from '../platform/trusted-proxies.ts';
import { forwardedHeaders, type Scheme } from './forwarded.ts';

const ingress = '10.0.0.7';
const host = 'svc.example.com';

function said(listener: Scheme, proto: string | undefined, trusted: readonly string[]) {
  const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto };
  const peer = { address: ingress, scheme: listener };
  return forwardedHeaders(headers, peer, new TrustedProxies(trusted), host)['x-forwarded-proto'];
}

describe('the scheme that the API is told', () => {
  const rows: Readonly<Record<string, readonly [Scheme, string | undefined, readonly string[], string | undefined]>> = {
    'is https where we end TLS ourselves': ['https', undefined, [], 'https'],
    'is https where we end TLS ourselves, whatever a stranger claims': ['https', 'http', [], 'https'],
    'is not known behind who is not trusted': ['http', undefined, [], undefined],
    'is not what a stranger claims: https': ['http', 'https', [], undefined],
    'is not what a stranger claims: http': ['http', 'http', [], undefined],
    'is the word of a trusted proxy: https': ['http', 'https', [ingress], 'https'],
    'is the word of a trusted proxy: http': ['http', 'http', [ingress], 'http'],
    'is the word of a trusted proxy that asks us over TLS': ['https', 'http', [ingress], 'http'],
    'is that of the proxy nearest to the client': ['http', 'HTTPS , http', [ingress], 'https'],
    'is not known where a trusted proxy says nothing': ['http', undefined, [ingress], undefined],
    'is not known where a trusted proxy says nonsense': ['http', 'gopher', [ingress], undefined],
  };
  for (const [title, [listener, proto, trusted, scheme]] of Object.entries(rows)) {
    it(title, () => expect(said(listener, proto, trusted)).toBe(scheme));
  }
});
