import { createServer as createHttpServer, type Server as HttpServer, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../ports/logger.ts';
import type { RequestHandler } from './request-handler.ts';
import { securityHeaders } from './security-headers.ts';
import type { CertificateSource } from './tls.ts';

/** Slow senders lose their connection; idle ones are kept longer than the ingresses before us keep theirs. */
const limits: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16_384,
};

export interface Listener {
  readonly port: number;
  /** Refuses new connections, lets open answers finish, and cuts what is left when told to. */
  close(): Promise<void>;
}

export async function listenHttp(handler: RequestHandler, port: number, host?: string): Promise<Listener> {
  const server = createHttpServer(limits, (request, response) => handler(request, response, 'http'));
  server.on('clientError', answerBadRequest);
  return opened(server, server, port, host);
}

/**
 * HTTPS whose certificate may not exist before the first caller comes: connections wait until it is there, and a
 * renewed one holds for the next connection.
 */
// biome-ignore lint/complexity/useMaxParams: alike to listenHttp, with the certificates.
export async function listenHttps(
  handler: RequestHandler,
  certificates: CertificateSource,
  logger: Logger,
  port: number,
  host?: string,
): Promise<Listener> {
  const options = { ...limits, minVersion: 'TLSv1.2' as const };
  const server = createHttpsServer(options, (request, response) => handler(request, response, 'https'));
  server.on('clientError', answerBadRequest);
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  certificates.onChange((pair) => server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }));
  let ready: Promise<void> | undefined;
  const door = createNetServer({ noDelay: true, pauseOnConnect: true }, (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    ready ??= certificates.current().then((pair) => server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }));
    ready.then(
      () => {
        server.emit('connection', socket);
        socket.resume();
      },
      (error) => {
        logger.error('No certificate for HTTPS', { error: String(error) });
        socket.destroy();
      },
    );
  });
  return opened(door, server, port, host);
}

function opened(
  door: NetServer | HttpServer,
  server: HttpServer | HttpsServer,
  port: number,
  host: string | undefined,
): Promise<Listener> {
  const close = () =>
    new Promise<void>((resolve) => {
      door.close(() => resolve());
      server.closeIdleConnections();
      server.closeAllConnections();
      if (door !== server) server.close();
    });
  return new Promise((resolve, reject) => {
    door.once('error', reject);
    door.listen(port, host, () => {
      door.off('error', reject);
      resolve({ port: (door.address() as AddressInfo).port, close });
    });
  });
}

/** What the parser refuses is answered by hand, with the same headers as everything else. */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const headers = Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers.join('')}cache-control: no-store\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
}
