import { isIP } from 'node:net';
import type { Config } from '../../config/config.ts';
import type { AnswerOf } from '../../contract/operations.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Outbound } from '../call/ports.ts';
import { bareHost, checkableUrl, isListed, isOwn, mayConnect } from './checkable.ts';

const timeoutMs = 5_000;
const maxBytes = 64 * 1024;
const mostRedirects = 3;
const mostUrls = 500;
/** Each takes a socket and five seconds at most. */
const mostChecks = 16;

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
  #checks = 0;

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
    // Who finds no room is told what is known, and is due at the next question.
    if (due && watched.checking === undefined && this.#checks < mostChecks) {
      this.#checks++;
      watched.checking = this.#look(url, watched).finally(() => {
        this.#checks--;
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
    if (status < 300 || status >= 400 || location === undefined) return isUp(status);
    const next = URL.parse(location, url);
    if (next === null || isOwn(next, this.#ownAddresses())) return false;
    if (next.hostname !== url.hostname) return this.#mayLeadTo(next, whitelist);
    // A redirect is a new request, and is judged like one.
    return redirects > 0 && this.#answers(checkableUrl(next.href, whitelist), redirects - 1);
  }

  /**
   * A host that sends people elsewhere, to sign in most likely, is up; how it is there is not what was asked. Nobody is sent to a
   * private place though, unless the hosts that may be checked are listed: then whoever lists them vouches for where they send.
   */
  async #mayLeadTo(next: URL, whitelist: readonly string[]): Promise<boolean> {
    if (next.protocol !== 'http:' && next.protocol !== 'https:') return false;
    if (whitelist.length > 0 && !isListed(bareHost(next), whitelist)) return true;
    await this.#addressOf(checkableUrl(next.href, whitelist), true);
    return true;
  }

  #ownAddresses(): readonly string[] {
    const { externalUrl, internalUrl } = this.#config();
    return [externalUrl, internalUrl];
  }

  /** Every address must be one that may be reached; the first of them is the one that is connected to, so that no second answer of the DNS counts. */
  async #addressOf(url: URL, viaProxy: boolean): Promise<string | undefined> {
    const host = bareHost(url);
    const addresses = isIP(host) === 0 ? await this.#resolve(host, viaProxy) : [host];
    if (addresses === undefined) return undefined;
    const { whitelist } = this.#config().urlReadinessCheck;
    const reachable = addresses.length > 0 && addresses.every((address) => mayConnect(address, host, whitelist));
    if (!reachable) throw new Error('an address is not one that may be reached');
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

/** It answers for itself; whether it lets us in is another matter. */
function isUp(status: number): boolean {
  return (status >= 200 && status < 300) || status === 401 || status === 403;
}
