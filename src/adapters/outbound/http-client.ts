import { lookup as resolveName } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isGlobalAddress } from '../../platform/global-address.ts';
import type { WebAnswer, WebClient, WebRequest } from '../../ports/web-client.ts';

export interface HttpClientOptions {
  /** Which addresses may be connected to; global ones unless said otherwise. */
  readonly allowed?: (address: string) => boolean;
  /** Every address of a name; the system's resolver unless said otherwise. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Certificates to trust besides the usual ones. */
  readonly ca?: string;
}

const mostBytes = 64 * 1024;

/** Goes to the internet, and nowhere else: every address of a name must be allowed, and those are connected to. */
export class HttpClient implements WebClient {
  readonly #options: Required<Omit<HttpClientOptions, 'ca'>> & Pick<HttpClientOptions, 'ca'>;

  constructor(options: HttpClientOptions = {}) {
    this.#options = { allowed: isGlobalAddress, resolve: systemResolve, ...options };
  }

  async send(request: WebRequest, signal: AbortSignal): Promise<WebAnswer> {
    const url = URL.parse(request.url);
    if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('the address is neither http nor https');
    const proxy = request.proxy === undefined || request.proxy === '' ? undefined : request.proxy;
    const addresses = await this.#addresses(url, proxy !== undefined);
    signal.throwIfAborted();
    return this.#exchange(url, request, proxy, addresses, signal);
  }

  /** Undefined when the proxy alone knows the name. */
  async #addresses(url: URL, viaProxy: boolean): Promise<readonly string[] | undefined> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) === 0 ? await this.#resolve(host, viaProxy) : [host];
    if (addresses === undefined) return undefined;
    if (addresses.length === 0 || !addresses.every(this.#options.allowed)) {
      throw new Error('the address is not one that may be reached');
    }
    return addresses;
  }

  async #resolve(host: string, viaProxy: boolean): Promise<readonly string[] | undefined> {
    try {
      return await this.#options.resolve(host);
    } catch {
      if (viaProxy) return undefined;
      throw new Error('the name cannot be resolved');
    }
  }

  #exchange(
    url: URL,
    { method, headers, body }: WebRequest,
    proxy: string | undefined,
    addresses: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<WebAnswer> {
    const secure = url.protocol === 'https:';
    const { ca } = this.#options;
    const agentOptions = {
      keepAlive: false,
      ...(proxy === undefined ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
      ...(ca === undefined ? {} : { ca }),
    };
    const agent = secure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => reject(new Error(failureWords(error, signal)));
      const outgoing = (secure ? httpsRequest : httpRequest)(url, {
        method,
        agent,
        signal,
        headers: { 'user-agent': 'svc', ...headers, 'content-length': body.length },
        ...(proxy === undefined && addresses !== undefined ? { lookup: pinned(addresses) } : {}),
      });
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        readAnswer(response).then((answer) => {
          outgoing.destroy();
          resolve(answer);
        }, fail);
      });
      outgoing.end(body);
    });
  }
}

/** The name is not resolved a second time: a second answer of the DNS could be another. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    if (options.all === true) done(null, all);
    else done(null, all[0]!.address, all[0]!.family);
  };
}

function systemResolve(host: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    resolveName(host, { all: true, verbatim: true }, (error, found) => {
      if (error === null) resolve(found.map(({ address }) => address));
      else reject(error);
    });
  });
}

function readAnswer(response: IncomingMessage): Promise<WebAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = () => {
      const text = Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8');
      const retryAfterMs = retryAfter(response.headers['retry-after']);
      resolve({ status: response.statusCode ?? 0, text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= mostBytes) done();
    });
    response.on('end', done);
    response.on('error', reject);
    response.on('aborted', () => reject(new Error('aborted')));
  });
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
