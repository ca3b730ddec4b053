import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Identity } from '../api/access/identity.ts';
import { ADMIN, type EmbeddedApi, errorResponse } from '../api/embedded-api.ts';
import type { ApiResponse } from '../api/request/call.ts';
import { LineStream } from '../api/request/line-stream.ts';
import { PROTOBUF } from '../api/request/request-body.ts';
import type { TransportRequest } from '../ports/transport.ts';
import { ApiError } from '../store/api-error.ts';
import { type Certificate, loopbackCertificate } from './http-certificate.ts';

export interface HttpServerOptions {
  /** 0 or nothing picks a free one. */
  readonly port?: number;
  /** Plain HTTP; kubectl then sends no token and is nobody. */
  readonly insecure?: boolean;
}

export interface RunningServer {
  readonly url: string;
  /** The certificate to trust, in PEM; absent over plain HTTP. */
  readonly certificate?: string;
  /** A kubeconfig for this identity: an administrator's when none is given. */
  kubeconfig(identity?: Identity, namespace?: string): string;
  close(): Promise<void>;
}

const ANONYMOUS: Identity = { user: 'system:anonymous', groups: ['system:unauthenticated'] };
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Serves the API on loopback. */
export async function serveHttp(api: EmbeddedApi, options: HttpServerOptions = {}): Promise<RunningServer> {
  const certificate = options.insecure === true ? undefined : loopbackCertificate();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => void answer(api, request, response);
  const server = certificate === undefined ? createServer(onRequest) : createTlsServer(certificate, onRequest);
  // A watch may be quiet for as long as it likes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return {
    url,
    ...(certificate === undefined ? {} : { certificate: certificate.cert }),
    kubeconfig: (identity = ADMIN, namespace) =>
      kubeconfig(url, certificate, api.tokens.issue(identity).token, namespace),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(api: EmbeddedApi, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const identity = identify(api, incoming.headers.authorization);
    const request = await readRequest(incoming);
    await write(response, await api.handle(request, identity));
  } catch (error) {
    // Anything but a refusal is a connection that a fault broke.
    if (error instanceof ApiError) await write(response, errorResponse(error));
    else response.destroy();
  }
}

function identify(api: EmbeddedApi, authorization: string | undefined): Identity {
  if (authorization === undefined) return ANONYMOUS;
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
  const identity = token === undefined ? undefined : api.tokens.identityOf(token);
  if (identity === undefined) throw new ApiError(401, 'Unauthorized', 'Unauthorized');
  return identity;
}

async function readRequest(incoming: IncomingMessage): Promise<TransportRequest> {
  const method = incoming.method ?? 'GET';
  if (!METHODS.has(method)) throw new ApiError(405, 'MethodNotAllowed', `${method} is not supported`);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  // Protobuf travels as a string of bytes, everything else is text.
  const encoding = headers['content-type']?.startsWith(PROTOBUF) === true ? 'latin1' : 'utf8';
  const body = Buffer.concat(chunks).toString(encoding);
  return {
    method: method as TransportRequest['method'],
    path: incoming.url ?? '/',
    headers,
    ...(body === '' ? {} : { body }),
  };
}

async function write(response: ServerResponse, { status, headers, body }: ApiResponse): Promise<void> {
  if (!(body instanceof LineStream)) {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  response.on('close', () => body.fail(new Error('the reader has gone')));
  try {
    for await (const text of body) response.write(text);
    response.end();
  } catch {
    response.destroy();
  }
}

/** YAML is a superset of JSON, and JSON needs no quoting rules of ours. */
function kubeconfig(url: string, certificate: Certificate | undefined, token: string, namespace = 'default'): string {
  const authority =
    certificate === undefined ? {} : { 'certificate-authority-data': Buffer.from(certificate.cert).toString('base64') };
  const name = 'embedded';
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: url, ...authority } }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name, namespace } }],
      'current-context': name,
    },
    undefined,
    2,
  );
}
