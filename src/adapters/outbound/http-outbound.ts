import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';

export interface PinnedRequest {
  readonly url: URL;
  /** The address to connect to; absent when a proxy resolves the name. */
  readonly address?: string;
  readonly proxy?: URL;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** GETs to an address that somebody has checked: the name is not resolved a second time. */
export class HttpOutbound {
  async resolve(host: string): Promise<readonly string[]> {
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  }

  get(request: PinnedRequest): Promise<{ readonly status: number; readonly location?: string }> {
    const { url, timeoutMs, maxBytes } = request;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const outgoing = send(url, {
        method: 'GET',
        ...this.#route(request),
        headers: { 'user-agent': 'svc-readiness' },
      } as RequestOptions);
      const deadline = AbortSignal.timeout(timeoutMs);
      const abort = () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`));
      deadline.addEventListener('abort', abort, { once: true });
      outgoing.on('close', () => deadline.removeEventListener('abort', abort));
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        const { location } = response.headers;
        const status = response.statusCode ?? 0;
        drain(response, maxBytes, () => {
          outgoing.destroy();
          resolve({ status, ...(location === undefined ? {} : { location }) });
        });
      });
      outgoing.end();
    });
  }

  #route({ url, address, proxy }: PinnedRequest) {
    const secure = url.protocol === 'https:';
    if (proxy !== undefined) {
      const proxyEnv = { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href };
      return { agent: secure ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv }) };
    }
    if (address === undefined) throw new Error('without a proxy the address must be given');
    const family = isIP(address);
    type Callback = (error: null, address: unknown, family?: number) => void;
    return {
      agent: false as const,
      lookup: (_host: string, options: { readonly all?: boolean }, done: Callback) =>
        options.all === true ? done(null, [{ address, family }]) : done(null, address, family),
    };
  }
}

/** Reads at most so much, and keeps nothing of it. */
function drain(response: IncomingMessage, maxBytes: number, done: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= maxBytes) done();
  });
  response.on('end', done);
  response.on('error', done);
}
