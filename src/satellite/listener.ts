import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pickHeaders, type RequestHeaders } from './request-headers.ts';

/** Header names and values in turn, as Node takes them fastest. */
export type FlatHeaders = readonly string[];

export interface Answer {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: string;
  /** `latin1` for a text of single bytes, which is sent without being encoded first. */
  readonly encoding: 'latin1' | 'utf8';
}

export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** More clients at once than a stand-in of 64 MiB should hold. */
const mostConnections = 2_000;

const limits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};

export function listen(respond: (asked: Asked) => Answer, port: number, host: string | undefined): Promise<Listener> {
  const server = createServer(limits, (request, response) => answer(request, response, respond));
  server.maxConnections = mostConnections;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}

function answer(request: IncomingMessage, response: ServerResponse, respond: (asked: Asked) => Answer): void {
  const { method = 'GET', url = '/' } = request;
  const asked = pickHeaders(request.rawHeaders);
  const { status, headers, body, encoding } = respond({ method, target: url, headers: asked });
  const length = encoding === 'latin1' ? body.length : Buffer.byteLength(body);
  const all = [...headers, 'content-length', String(length)];
  // A body that is on its way is not read to its end: nobody here wants it.
  if (hasBody(asked)) all.push('connection', 'close');
  response.writeHead(status, all);
  if (method === 'HEAD') response.end();
  else response.end(body, encoding);
}

function hasBody(headers: RequestHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
