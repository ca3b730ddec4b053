import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { type Answers, answersFor, type FlatHeaders } from './answers.ts';
import type { askJson } from './ask-json.ts';
import { callerOf } from './caller.ts';
import { CallerCount } from './caller-count.ts';
import { type ClusterStatus, unknownStatus } from './cluster-status.ts';
import { statusPath } from './page-script.ts';
import { pickHeaders, type RequestHeaders } from './request-headers.ts';
import { StatusSource } from './status-source.ts';
import type { StandIn } from './wording.ts';

export interface SatelliteOptions extends StandIn {
  /** Every target port of the service; 0 picks a free one. */
  readonly ports: readonly number[];
  readonly statusUrl?: string;
  readonly host?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How the status is asked for; over HTTP unless a test says otherwise. */
  readonly ask?: typeof askJson;
}

export interface RunningSatellite {
  readonly ports: readonly number[];
  stop(): Promise<void>;
}

/** The words go stale with the clock alone (`Retry-After`), so they are made anew this often. */
const wordsAgeMs = 1_000;

/** Stands in for a hibernating service: a page for people, JSON for programs, never the service's own answers. */
export async function startSatellite(options: SatelliteOptions): Promise<RunningSatellite> {
  const { clock, logger } = options;
  let status: ClusterStatus = unknownStatus;
  let answers = answersFor(options, status, clock.now());
  let madeAt = clock.monotonic();
  const refresh = () => {
    answers = answersFor(options, status, clock.now());
    madeAt = clock.monotonic();
  };
  const source = new StatusSource({
    clock,
    logger,
    ...(options.statusUrl === undefined ? {} : { statusUrl: options.statusUrl }),
    ...(options.ask === undefined ? {} : { ask: options.ask }),
    onChange(changed) {
      status = changed;
      refresh();
    },
  });
  const count = new CallerCount(clock, logger);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (clock.monotonic() - madeAt > wordsAgeMs) refresh();
    answer(request, response, answers, source, count);
  };
  const servers: Server[] = [];
  for (const port of options.ports) servers.push(await listening(handle, port, options.host));
  source.start();
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    async stop() {
      source.stop();
      count.stop();
      await Promise.all(servers.map(closed));
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Answers,
  source: StatusSource,
  count: CallerCount,
): void {
  const { url = '/' } = request;
  const headers = pickHeaders(request.rawHeaders);
  const path = pathOf(url);
  if (path === statusPath) {
    source.wanted();
    send(request, headers, response, answers.jsonHeaders, answers.json(originOf(request, headers, '/')));
    return;
  }
  const caller = callerOf({ path, accept: headers.accept, userAgent: headers['user-agent'] });
  if (caller === 'load-balancer') {
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end('ok\n');
    return;
  }
  if (caller !== 'probe') {
    source.wanted();
    count.add(caller);
  }
  const origin = originOf(request, headers, url);
  if (caller === 'person') sendAscii(request, headers, response, answers.pageHeaders, answers.page(origin));
  else send(request, headers, response, answers.jsonHeaders, answers.json(origin));
}

function send(
  request: IncomingMessage,
  asked: RequestHeaders,
  response: ServerResponse,
  headers: FlatHeaders,
  body: string,
): void {
  start(asked, response, headers, Buffer.byteLength(body));
  response.end(request.method === 'HEAD' ? undefined : body);
}

function sendAscii(
  request: IncomingMessage,
  asked: RequestHeaders,
  response: ServerResponse,
  headers: FlatHeaders,
  body: string,
): void {
  start(asked, response, headers, body.length);
  if (request.method === 'HEAD') response.end();
  else response.end(body, 'latin1');
}

function start(asked: RequestHeaders, response: ServerResponse, headers: FlatHeaders, length: number): void {
  const all = [...headers, 'content-length', String(length)];
  // A body that is on its way is not read to its end: nobody here wants it.
  if (hasBody(asked)) all.push('connection', 'close');
  response.writeHead(503, all);
}

function hasBody(headers: RequestHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/**
 * The address to come back to. A forged header changes only the page of whoever forged it; the web app checks the
 * address before it sends anybody there.
 */
function originOf({ method }: IncomingMessage, headers: RequestHeaders, url: string): string {
  const proto = headers['x-forwarded-proto'];
  const scheme = proto !== undefined && /^https\b/i.test(proto) ? 'https' : 'http';
  const host = headers.host !== undefined && /^[\w.:[\]-]{1,260}$/.test(headers.host) ? headers.host : 'localhost';
  // Nobody can be sent back into a form that was posted.
  const path = url.startsWith('/') && (method === 'GET' || method === 'HEAD') ? url : '/';
  return `${scheme}://${host}${path}`;
}

function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  port: number,
  host: string | undefined,
): Promise<Server> {
  const server = createServer(
    { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 15_000, maxHeaderSize: 16_384 },
    handle,
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
