import { Agent, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { ErrorBody } from '../contract/errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { Headers } from './security-headers.ts';

export interface ApiProxyOptions {
  /** `http://127.0.0.1:8080`; the API is beside us in the pod, so there is no TLS on this hop. */
  readonly apiUrl: string;
  readonly logger: Logger;
  /** How long the API may be silent, before its answer and within it; streams send a heartbeat far more often. */
  readonly silenceMs?: number;
}

/** Meant for one connection only, so never passed on; `te` and `trailer` are not used by the API. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Said anew by us, whatever the client claims. */
const replaced = new Set([
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-real-ip',
  'forwarded',
]);

/** Passes requests on to the API and streams both bodies as they come. */
export class ApiProxy {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1000, maxFreeSockets: 16 });
  readonly #logger: Logger;
  readonly #silenceMs: number;

  constructor({ apiUrl, logger, silenceMs = 75_000 }: ApiProxyOptions) {
    const base = URL.parse(apiUrl);
    if (base?.protocol !== 'http:') {
      throw new Error(`API_URL: ${JSON.stringify(apiUrl)} is not an address such as http://127.0.0.1:8080`);
    }
    this.#base = base;
    this.#logger = logger;
    this.#silenceMs = silenceMs;
  }

  /** `path` is what the API is asked for; `forwarded` tells it who asks; `headers` go onto every answer that lacks them. */
  // biome-ignore lint/complexity/useMaxParams: a request, its answer and what is added to each.
  pass(request: IncomingMessage, response: ServerResponse, path: string, forwarded: Headers, headers: Headers): void {
    const upstream = send({
      host: this.#base.hostname,
      port: this.#base.port,
      method: request.method ?? 'GET',
      path,
      headers: { ...passedOn(request.headers), ...forwarded },
      agent: this.#agent,
      setHost: false,
      timeout: this.#silenceMs,
    });
    let slow = false;
    upstream.on('timeout', () => {
      slow = true;
      upstream.destroy(new Error('the API was silent for too long'));
    });
    upstream.on('response', (answer) => this.#answer(response, answer, headers));
    upstream.on('error', (error) => this.#failed(response, error, slow, headers));
    // Whoever goes away takes the request with them: a stream of events must not outlive its reader.
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  }

  close(): void {
    this.#agent.destroy();
  }

  #answer(response: ServerResponse, answer: IncomingMessage, headers: Headers): void {
    if (response.destroyed) return;
    response.writeHead(answer.statusCode ?? 502, { ...headers, ...passedOn(answer.headers) });
    // The first byte of a stream may be long in coming; the reader should know that it is connected.
    response.flushHeaders();
    answer.on('error', () => response.destroy());
    answer.on('aborted', () => response.destroy());
    answer.pipe(response);
  }

  #failed(response: ServerResponse, error: Error, slow: boolean, headers: Headers): void {
    if (response.destroyed) return;
    this.#logger.warn('The API did not answer', { error: error.message });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const message = slow ? 'The API did not answer in time.' : 'The API cannot be reached; it may be starting.';
    const body = JSON.stringify({ code: 'api_unavailable', message } satisfies ErrorBody);
    response
      .writeHead(slow ? 504 : 502, {
        ...headers,
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'retry-after': '5',
      })
      .end(body);
  }
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || replaced.has(name) || named.has(name)) continue;
    kept[name] = value;
  }
  return kept;
}
