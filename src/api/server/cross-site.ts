import type { Config } from '../../config/config.ts';
import { Refusal } from '../call/refusal.ts';

export interface BrowserHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/**
 * A browser says on whose behalf it sends a request that changes something. Programs say nothing, and carry no cookie
 * that anybody could make them send.
 */
export function refuseCrossSite(config: Config, { host, origin, fetchSite }: BrowserHeaders): void {
  if (fetchSite === 'cross-site') throw new Refusal('cross_site_request');
  if (origin === undefined) return;
  const from = URL.parse(origin);
  const own = [config.externalUrl, config.internalUrl].some((address) => URL.parse(address)?.origin === from?.origin);
  // The same host covers a port-forward, whose address no configuration knows.
  if (from === null || !(own || from.host === host)) throw new Refusal('cross_site_request');
}

/** The answer's headers for a page of another origin: an exact match of the list, or nothing. */
export function corsHeaders(config: Config, origin: string | undefined): Readonly<Record<string, string>> {
  const allowed =
    origin !== undefined && config.dashboardApi.enabled && config.dashboardApi.corsOrigins.includes(origin);
  return {
    vary: 'Origin',
    'cross-origin-resource-policy': 'cross-origin',
    ...(allowed ? { 'access-control-allow-origin': origin } : {}),
  };
}
