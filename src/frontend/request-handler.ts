import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TrustedProxies } from '../platform/trusted-proxies.ts';
import type { ApiProxy } from './api-proxy.ts';
import { type AppFiles, indexUnder } from './app-files.ts';
import { forwardedHeaders, type Scheme, schemeOf } from './forwarded.ts';
import type { OwnAddresses } from './redirect-rule.ts';
import { targetOf } from './request-target.ts';
import { type Route, routeOf } from './route.ts';
import { appPolicy, type Headers, securityHeaders, transportSecurity } from './security-headers.ts';
import { serveFile } from './serve-file.ts';

export interface HandlerOptions {
  readonly app: AppFiles;
  readonly proxy: ApiProxy;
  readonly proxies: TrustedProxies;
  /** As the configuration has them now. */
  addresses(): OwnAddresses;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse, scheme: Scheme) => void;

export function requestHandler({ app, proxy, proxies, addresses }: HandlerOptions): RequestHandler {
  const policy = appPolicy(app.index);
  return (request, response, listener) => {
    const target = targetOf(request);
    if (target === undefined) {
      answerText(request, response, 400, 'The Host header or the address of the request cannot be read.', {});
      return;
    }
    const own = addresses();
    const peer = { address: request.socket.remoteAddress, scheme: listener };
    const headers = { ...securityHeaders, ...transportSecurity(own.own, target.host) };
    const route = routeOf(
      {
        ...target,
        scheme: schemeOf(request.headers, peer, proxies),
        method: request.method ?? 'GET',
        accept: request.headers.accept,
        destination: header(request, 'sec-fetch-dest'),
      },
      own,
      app.files,
    );
    switch (route.to) {
      case 'health':
        return answerText(request, response, 200, 'ok', headers);
      case 'api':
        return proxy.pass(request, response, route.path, forwardedHeaders(request.headers, peer, proxies), headers);
      case 'file':
        return serveFile(request, response, route.file, headers);
      case 'document':
        return answerDocument(request, response, route, app.index, { ...headers, 'content-security-policy': policy });
      case 'nothing':
        return answerText(request, response, route.status, route.message, {
          ...headers,
          ...(route.status === 405 ? { allow: 'GET, HEAD' } : {}),
        });
    }
  };
}

// biome-ignore lint/complexity/useMaxParams: a request, its answer and what goes into it.
function answerDocument(
  request: IncomingMessage,
  response: ServerResponse,
  route: Extract<Route, { to: 'document' }>,
  index: string,
  headers: Headers,
): void {
  if (route.answer === 'redirect') {
    answerText(request, response, 302, 'See the address in the Location header.', {
      ...headers,
      location: route.location,
    });
    return;
  }
  const page = indexUnder(index, route.address.prefix);
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page),
    'cache-control': 'no-cache',
  });
  response.end(request.method === 'HEAD' ? undefined : page);
}

/** A body that nobody reads would block the connection for the next request, so it is thrown away. */
// biome-ignore lint/complexity/useMaxParams: a request, its answer and what goes into it.
function answerText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers,
): void {
  request.resume();
  response.writeHead(status, {
    ...securityHeaders,
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text) + 1,
    'cache-control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : `${text}\n`);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
