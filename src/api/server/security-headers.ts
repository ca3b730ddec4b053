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

/** Without includeSubDomains: what lies below our own host is somebody else's, and may well be plain http. */
const overHttps: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'strict-transport-security': 'max-age=31536000',
};

/** Browsers are told to stay on https only where the instance itself is served by https. */
export function answerHeaders(config: Config, host: string | undefined): Readonly<Record<string, string>> {
  return host !== undefined && httpsHosts(config).has(host) ? overHttps : securityHeaders;
}

let known: { readonly config: Config; readonly hosts: ReadonlySet<string> } | undefined;

/** Worked out once for a configuration: every answer asks. */
function httpsHosts(config: Config): ReadonlySet<string> {
  if (known?.config === config) return known.hosts;
  const urls = [config.externalUrl, config.internalUrl].map((address) => URL.parse(address));
  known = { config, hosts: new Set(urls.flatMap((url) => (url?.protocol === 'https:' ? [url.host] : []))) };
  return known.hosts;
}
