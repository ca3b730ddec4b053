import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/** Where the connection goes: to addresses that somebody has checked, or to a proxy that resolves the name. */
export type Route = { readonly addresses: readonly string[] } | { readonly proxy: string };

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly route: Route;
  /** Certificates to trust besides the usual ones. */
  readonly ca?: string;
  /** Nothing is read of the answer beyond this. */
  readonly maxBytes: number;
}

export interface IncomingAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Why the body ends before its end, when it does. */
  readonly cut?: NodeJS.ErrnoException;
}

/** One request and its answer. Redirects are not followed, connections not kept; rejects when no answer begins. */
export function exchange(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingAnswer> {
  const { url, method, headers, body, route, maxBytes } = request;
  const secure = url.protocol === 'https:';
  const agent = secure ? new HttpsAgent(agentOptions(request)) : new HttpAgent(agentOptions(request));
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent,
      signal,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': body.length }) },
      ...('addresses' in route ? { lookup: pinned(route.addresses) } : {}),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      readAnswer(response, maxBytes, (answer) => {
        outgoing.destroy();
        resolve(answer);
      });
    });
    outgoing.end(body);
  });
}

function agentOptions({ route, ca }: OutgoingRequest) {
  return {
    keepAlive: false,
    ...('proxy' in route ? { proxyEnv: { HTTP_PROXY: route.proxy, HTTPS_PROXY: route.proxy } } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}

/** The name is not resolved a second time: a second answer of the DNS could be another. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    if (options.all === true) done(null, all);
    else done(null, all[0]!.address, all[0]!.family);
  };
}

function readAnswer(response: IncomingMessage, maxBytes: number, done: (answer: IncomingAnswer) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = (cut?: NodeJS.ErrnoException) =>
    done({
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: Buffer.concat(chunks).subarray(0, maxBytes),
      ...(cut === undefined ? {} : { cut }),
    });
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) end();
  });
  response.on('end', () => end());
  response.on('error', end);
}
