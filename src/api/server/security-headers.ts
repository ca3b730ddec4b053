import type { Config } from '../../config/config.ts';

/** On every answer, whatever it is. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

/** Browsers are told to stay on https only where the instance itself is served by https. */
export function transportSecurity(config: Config, host: string | undefined): Readonly<Record<string, string>> {
  const own = [config.externalUrl, config.internalUrl].some((address) => {
    const url = address === '' ? undefined : new URL(address);
    return url?.protocol === 'https:' && url.host === host;
  });
  return own ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {};
}
