import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorBody, ErrorCode } from '../contract/errors.ts';
import { ConnectionBudget } from '../platform/connection-budget.ts';
import { openDoors } from '../platform/doors.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import type { Logger } from '../ports/logger.ts';
import { andHangUp, answerError } from './http/answers.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { OwnAddresses } from './redirect-rule.ts';
import type { RequestHandler } from './request-handler.ts';
import { isStreamRequest } from './route.ts';
import type { CertificateSource } from './tls.ts';

/** How long a client may take. */
export interface RequestTimeouts {
  /** To send its headers; before that, as long again to shake hands where TLS is spoken. */
  readonly headersMs: number;
  /** To send the whole of its request. */
  readonly requestMs: number;
  /** Without taking anything of an answer: whoever does so has gone. Streams are written to far more often. */
  readonly unreadMs: number;
}

export const standardTimeouts: RequestTimeouts = { headersMs: 10_000, requestMs: 30_000, unreadMs: 90_000 };

/** Slow senders lose their connection; idle ones are kept longer than the ingresses before us keep theirs. */
function limits({ headersMs, requestMs }: RequestTimeouts): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    // Node looks for slow requests only so often, every 30 seconds unless told.
    connectionsCheckingInterval: headersMs / 4,
    keepAliveTimeout: 75_000,
    maxHeaderSize: largestHead,
    // A missing one is refused by us, in words.
    requireHostHeader: false,
  };
}

export const largestHead = 16 * 1024;
/** For a working day, who comes again is spared the dear part of the handshake, and so are we. The keys are this process's own. */
const sessionSeconds = 10 * 3_600;
/** Whoever means to ask something has asked within milliseconds; each that waits costs memory, and time when it is cleared away. */
export const connectionRooms = { fresh: 256, begun: 64, idle: 400, answering: 1_024 } as const;

/** The connections of both listeners, counted together. */
export function connectionBudget(addresses: OwnAddresses): ConnectionBudget {
  return new ConnectionBudget({ ...connectionRooms, isStream: (request) => isStreamRequest(request, addresses) });
}

export interface Listener {
  readonly port: number;
  /** Refuses new connections, lets open answers finish, and cuts what is left when told to. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly handler: RequestHandler;
  readonly budget: ConnectionBudget;
  readonly port: number;
  readonly host?: string | undefined;
  readonly requestTimeouts?: RequestTimeouts | undefined;
}

export async function listenHttp({
  handler,
  budget,
  port,
  host,
  requestTimeouts = standardTimeouts,
}: ListenOptions): Promise<Listener> {
  const server = createHttpServer(
    limits(requestTimeouts),
    oneAtATime((request, response) => handler(request, response, 'http')),
  );
  answerEverything(server, requestTimeouts.unreadMs);
  const enter = budget.watch(server);
  const doors = await openDoors({ port, host, noDelay: true, allowHalfOpen: true }, (socket) => {
    enter(socket);
    server.emit('connection', socket);
  });
  lookForSlowRequests(server);
  return {
    port: doors.port,
    close() {
      const gone = doors.close();
      closeServer(server);
      return gone;
    },
  };
}

/**
 * HTTPS of which most installations never have a caller: the library, the server and, where none is mounted, the certificate are
 * there when the first one comes, who waits for them. A renewed certificate holds for the next connection.
 */
export async function listenHttps(
  { handler, budget, port, host, requestTimeouts = standardTimeouts }: ListenOptions,
  certificates: CertificateSource,
  logger: Logger,
): Promise<Listener> {
  const { enter, serve } = budget.gate({ clear: false });
  const begin = async (): Promise<HttpsServer> => {
    const { createServer } = await import('node:https');
    const tls = { minVersion: 'TLSv1.2' as const, sessionTimeout: sessionSeconds };
    const server = createServer(
      {
        ...limits(requestTimeouts),
        ...tls,
        handshakeTimeout: requestTimeouts.headersMs,
        ...(await certificates.current()),
      },
      oneAtATime((request, response) => handler(request, response, 'https')),
    );
    certificates.onChange((pair) => server.setSecureContext({ ...pair, ...tls }));
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    answerEverything(server, requestTimeouts.unreadMs);
    serve(server);
    lookForSlowRequests(server);
    return server;
  };
  let begun: Promise<HttpsServer> | undefined;
  let closing = false;
  const doors = await openDoors({ port, host, noDelay: true, pauseOnConnect: true }, (socket: Socket) => {
    enter(socket);
    begun ??= begin();
    begun.then(
      (server) => {
        if (closing) socket.destroy();
        else {
          server.emit('connection', socket);
          socket.resume();
        }
      },
      (error) => {
        logger.error('No certificate for HTTPS', { error: String(error) });
        socket.destroy();
      },
    );
  });
  return {
    port: doors.port,
    close() {
      closing = true;
      const gone = doors.close();
      begun?.then(closeServer, () => {});
      return gone;
    },
  };
}

/** What Node would hang up on, or answer with nothing, is answered like everything else. */
function answerEverything(server: HttpServer | HttpsServer, unreadMs: number): void {
  // Counted by us, and refused: Node would leave out those beyond its number, and perhaps the one that says the length.
  server.maxHeadersCount = 0;
  const exchanges = new WeakMap<Duplex, Exchange>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    // Of a connection that is cut, Node still tells every request that had arrived.
    if (request.socket.destroyed) return;
    exchanges.set(request.socket, { request, response });
    // From its first request on; before that, heads have a time of their own.
    request.socket.setTimeout(unreadMs);
  };
  server.prependListener('request', begin);
  server.prependListener('checkExpectation', begin);
  server.on('clientError', (error, socket) => answerUnreadable(error, socket, exchanges.get(socket)));
  server.on('connect', (_request, socket) => {
    answerOn(socket, '405 Method Not Allowed', 'method_not_allowed', 'There are no tunnels here.');
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const message = 'Of all that can be expected, 100-continue is known.';
    answerError(request, response, 417, { code: 'invalid_request', message }, andHangUp);
  });
}

/** Without it, Node would not look for them on a server that others listen for. */
function lookForSlowRequests(server: HttpServer | HttpsServer): void {
  server.emit('listening');
}

function closeServer(server: HttpServer | HttpsServer): void {
  server.closeAllConnections();
  server.close();
}

/**
 * What the parser refuses is answered by hand, with the body and the headers of every other error; but never into an
 * answer that is under way, nor behind one that was the last.
 */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex, last: Exchange | undefined): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = unreadable[error.code ?? ''] ?? ['400 Bad Request', 'The request cannot be read.'];
  if (last === undefined || (!last.request.complete && !last.response.headersSent)) {
    answerOn(socket, status, 'invalid_request', message);
  } else if (!last.response.closed) last.response.once('close', () => socket.destroy());
  else if (last.response.shouldKeepAlive) answerOn(socket, status, 'invalid_request', message);
  else socket.end();
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Where there is no response to write to. */
function answerOn(socket: Duplex, status: string, code: ErrorCode, message: string): void {
  const body = JSON.stringify({ code, message } satisfies ErrorBody);
  const headers = Object.entries({
    ...securityHeaders,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  });
  // Whoever asked may have gone; in TLS this is not the socket that came in at the door.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
}

const unreadable: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The body is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long.'],
};
