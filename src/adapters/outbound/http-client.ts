import { isIP } from 'node:net';
import { isGlobalAddress } from '../../platform/global-address.ts';
import type { WebAnswer, WebClient, WebRequest } from '../../ports/web-client.ts';
import { exchange, type IncomingAnswer, type OutgoingRequest, type Route } from './exchange.ts';
import { NameLookups, type Resolve } from './name-lookups.ts';

export interface HttpClientOptions {
  /** Which addresses may be connected to; global ones unless said otherwise. */
  readonly allowed?: (address: string) => boolean;
  /** Every address of a name; the system's resolver unless said otherwise. */
  readonly resolve?: Resolve;
  /** Certificates to trust besides the usual ones. */
  readonly ca?: string;
}

export interface PinnedRequest {
  readonly url: URL;
  /** The address to connect to; absent when a proxy resolves the name. */
  readonly address?: string;
  readonly proxy?: URL;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const mostBytes = 64 * 1024;

/** Goes to the internet, and nowhere else: every address of a name must be allowed, and those are connected to. */
export class HttpClient implements WebClient {
  readonly #allowed: (address: string) => boolean;
  readonly #ca: string | undefined;
  readonly #names: NameLookups;

  constructor({ allowed = isGlobalAddress, resolve, ca }: HttpClientOptions = {}) {
    this.#allowed = allowed;
    this.#ca = ca;
    this.#names = new NameLookups(resolve === undefined ? {} : { resolve });
  }

  async send(request: WebRequest, signal: AbortSignal): Promise<WebAnswer> {
    const { method, body, proxy = '' } = request;
    const url = URL.parse(request.url);
    if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('the address is neither http nor https');
    const addresses = await this.#addresses(url, proxy !== '');
    signal.throwIfAborted();
    const route = proxy === '' ? { addresses: addresses ?? [] } : { proxy };
    const headers = { 'user-agent': 'svc', ...request.headers };
    const answer = await this.#exchange({ url, method, headers, body, route, maxBytes: mostBytes }, signal);
    if (answer.cut !== undefined) throw new Error(failureWords(answer.cut, signal));
    const retryAfterMs = retryAfter(answer.headers['retry-after']);
    return {
      status: answer.status,
      text: answer.body.toString('utf8'),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }

  resolve(host: string): Promise<readonly string[]> {
    return this.#names.addresses(host);
  }

  /** A GET to an address that the caller has checked; of the answer it tells the status and where it points to. */
  async get(request: PinnedRequest): Promise<{ readonly status: number; readonly location?: string }> {
    const { url, timeoutMs, maxBytes } = request;
    const deadline = AbortSignal.timeout(timeoutMs);
    // As a person would ask: a host that sends people to a page elsewhere should do so here too.
    const headers = { 'user-agent': 'svc-readiness', accept: 'text/html,*/*;q=0.8' };
    const outgoing = { url, method: 'GET', headers, route: routeOf(request), maxBytes };
    const { status, headers: answered } = await this.#exchange(outgoing, deadline).catch((error: unknown) => {
      throw deadline.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
    });
    return { status, ...(answered.location === undefined ? {} : { location: answered.location }) };
  }

  async #exchange(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingAnswer> {
    const ca = this.#ca;
    try {
      return await exchange({ ...request, ...(ca === undefined ? {} : { ca }) }, signal);
    } catch (error) {
      throw new Error(failureWords(error as NodeJS.ErrnoException, signal));
    }
  }

  /** Undefined when the proxy alone knows the name. */
  async #addresses(url: URL, viaProxy: boolean): Promise<readonly string[] | undefined> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) === 0 ? await this.#resolved(host, viaProxy) : [host];
    if (addresses === undefined) return undefined;
    if (addresses.length === 0 || !addresses.every(this.#allowed)) {
      throw new Error('the address is not one that may be reached');
    }
    return addresses;
  }

  async #resolved(host: string, viaProxy: boolean): Promise<readonly string[] | undefined> {
    try {
      return await this.#names.addresses(host);
    } catch {
      if (viaProxy) return undefined;
      throw new Error('the name cannot be resolved');
    }
  }
}

function routeOf({ address, proxy }: PinnedRequest): Route {
  if (proxy !== undefined) return { proxy: proxy.href };
  if (address === undefined) throw new Error('without a proxy the address must be given');
  return { addresses: [address] };
}

/** Seconds only; a date would need the other side's clock. */
function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

/** Codes such as ECONNREFUSED or CERT_HAS_EXPIRED; the error's own words repeat addresses. */
function failureWords({ code }: NodeJS.ErrnoException, signal: AbortSignal): string {
  if (signal.aborted) return signal.reason instanceof Error ? signal.reason.message : 'it was given up';
  return code === undefined ? 'no answer came' : `no answer came (${code})`;
}
