import { isIP } from 'node:net';
import type { Config } from '../../config/config.ts';
import type { AnswerOf } from '../../contract/operations.ts';
import { matchesGlob } from '../../domain/targeting/glob.ts';
import { isGlobalAddress } from '../../platform/global-address.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Outbound } from '../ports.ts';
import { invalid } from '../refusal.ts';

const timeoutMs = 5_000;
const maxBytes = 64 * 1024;
const mostRedirects = 3;
const mostUrls = 500;

interface Watched {
  successes: number;
  checkedAt: number;
  checking: Promise<void> | undefined;
}

/**
 * Whether a URL answers, several times in a row. The caller learns ready or not and nothing else: a host that must not
 * be reached looks like one that is down.
 */
export class UrlReadiness {
  readonly #outbound: Outbound;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #config: () => Config;
  readonly #watched = new Map<string, Watched>();

  constructor(outbound: Outbound, clock: Clock, logger: Logger, config: () => Config) {
    this.#outbound = outbound;
    this.#clock = clock;
    this.#logger = logger;
    this.#config = config;
  }

  async check(text: string): Promise<AnswerOf<'urlReadiness'>> {
    const { intervalSeconds, consecutiveThreshold, whitelist } = this.#config().urlReadinessCheck;
    const url = checkableUrl(text, whitelist);
    const watched = this.#watch(url.href);
    const due = this.#clock.monotonic() - watched.checkedAt >= intervalSeconds * 1000;
    if (due && watched.checking === undefined) {
      watched.checking = this.#look(url, watched).finally(() => {
        watched.checking = undefined;
      });
    }
    await watched.checking;
    const successes = Math.min(watched.successes, consecutiveThreshold);
    return {
      ready: successes >= consecutiveThreshold,
      successes,
      needed: consecutiveThreshold,
      retryAfterSeconds: intervalSeconds,
    };
  }

  #watch(key: string): Watched {
    const known = this.#watched.get(key);
    if (known !== undefined) return known;
    if (this.#watched.size >= mostUrls) this.#watched.delete(this.#watched.keys().next().value as string);
    const fresh: Watched = { successes: 0, checkedAt: Number.NEGATIVE_INFINITY, checking: undefined };
    this.#watched.set(key, fresh);
    return fresh;
  }

  async #look(url: URL, watched: Watched): Promise<void> {
    watched.checkedAt = this.#clock.monotonic();
    try {
      watched.successes = (await this.#answers(url, mostRedirects)) ? watched.successes + 1 : 0;
    } catch (error) {
      watched.successes = 0;
      this.#logger.debug('A readiness check failed', { host: url.host, error: String(error) });
    }
  }

  async #answers(url: URL, redirects: number): Promise<boolean> {
    const { whitelist, proxyURL } = this.#config().urlReadinessCheck;
    const proxy = URL.parse(proxyURL || this.#config().proxyURL) ?? undefined;
    const address = await this.#addressOf(url, proxy !== undefined);
    const { status, location } = await this.#outbound.get({
      url,
      timeoutMs,
      maxBytes,
      ...(proxy === undefined ? {} : { proxy }),
      ...(proxy !== undefined || address === undefined ? {} : { address }),
    });
    if (status < 300 || status >= 400 || location === undefined) return status >= 200 && status < 300;
    if (redirects === 0) return false;
    // A redirect is a new request, and is judged like one.
    const next = URL.parse(location, url);
    return next !== null && this.#answers(checkableUrl(next.href, whitelist), redirects - 1);
  }

  /** Every address must be global; the first of them is the one that is connected to, so that no second answer of the DNS counts. */
  async #addressOf(url: URL, viaProxy: boolean): Promise<string | undefined> {
    const host = bareHost(url);
    const addresses = isIP(host) === 0 ? await this.#resolve(host, viaProxy) : [host];
    if (addresses === undefined) return undefined;
    if (addresses.length === 0 || !addresses.every(isGlobalAddress)) throw new Error('an address is not global');
    return addresses[0];
  }

  /** Behind a proxy, names of the outside may not resolve here; then the proxy alone decides. */
  async #resolve(host: string, viaProxy: boolean): Promise<readonly string[] | undefined> {
    try {
      return await this.#outbound.resolve(host);
    } catch (error) {
      if (viaProxy) return undefined;
      throw error;
    }
  }
}

function checkableUrl(text: string, whitelist: readonly string[]): URL {
  const url = URL.parse(text);
  if (url === null) throw invalid('url', 'is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid('url', 'must begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw invalid('url', 'must not contain a user or password');
  const host = bareHost(url);
  if (host === '') throw invalid('url', 'has no host');
  if (isIP(host) !== 0 && !isGlobalAddress(host)) throw invalid('url', 'must not name a private address');
  if (isLocalName(host)) throw invalid('url', 'must not name a private host');
  if (whitelist.length > 0 && !whitelist.some((pattern) => matchesGlob(pattern.toLowerCase(), host))) {
    throw invalid('url', 'names a host that config.urlReadinessCheck.whitelist does not allow');
  }
  url.hash = '';
  return url;
}

/** Names that only a cluster or a machine itself resolves. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return (
    !(name.includes('.') || name.includes(':')) || /(^|\.)(localhost|local|internal|cluster\.local|svc)$/.test(name)
  );
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
}
