import type { IncomingMessage, ServerResponse } from 'node:http';
import { secureWeight } from '../platform/connection-budget.ts';
import { limitKey } from '../platform/limit-key.ts';
import type { TrustedProxies } from '../platform/trusted-proxies.ts';
import { WaitingRoom } from '../platform/waiting-room.ts';
import { type AppFiles, indexUnder } from './app-files.ts';
import { forwardedHeaders, type Scheme, schemeOf } from './forwarded.ts';
import { andHangUp, answerError, answerText } from './http/answers.ts';
import { framingOf } from './http/request-framing.ts';
import { appPolicy, type Headers, securityHeaders, transportSecurity } from './http/security-headers.ts';
import type { ApiProxy } from './proxy/api-proxy.ts';
import type { OwnAddresses } from './redirect-rule.ts';
import { targetOf } from './request-target.ts';
import { asksForHealthOfNoHost, type Route, routeOf } from './route.ts';
import { serveFile } from './serve-file.ts';

export interface HandlerOptions {
  readonly app: AppFiles;
  readonly proxy: ApiProxy;
  readonly proxies: TrustedProxies;
  readonly addresses: OwnAddresses;
}

/** Files of the app on their way out; who reads none of his holds a file and a buffer open. */
export const mostDownloads = 256;

const weights: Readonly<Record<Scheme, number>> = { http: 1, https: secureWeight };

export type RequestHandler = (request: IncomingMessage, response: ServerResponse, scheme: Scheme) => void;

export function requestHandler({ app, proxy, proxies, addresses: own }: HandlerOptions): RequestHandler {
  const policy = appPolicy(app.index);
  const downloads = new WaitingRoom<ServerResponse>(mostDownloads);
  return (request, response, listener) => {
    const framing = framingOf(request);
    if (!framing.ok) {
      const code = framing.status === 413 ? 'payload_too_large' : 'invalid_request';
      answerError(request, response, framing.status, { code, message: framing.message }, andHangUp);
      return;
    }
    const target = targetOf(request);
    if (target === undefined) return answerNoTarget(request, response);
    const peer = { address: request.socket.remoteAddress, scheme: listener };
    const client = limitKey(proxies.client(peer.address ?? '', header(request, 'x-forwarded-for')));
    const headers = { ...securityHeaders, ...transportSecurity(own.own, target.host) };
    const weight = weights[listener];
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
        return proxy.pass(request, response, {
          path: route.path,
          body: framing.body,
          client,
          weight,
          said: { host: target.host.text, ...forwardedHeaders(request.headers, peer, proxies, target.host.text) },
          headers,
        });
      case 'file':
        beginDownload(downloads, client, response, weight);
        return serveFile(request, response, route.file, headers);
      case 'document':
        return answerDocument(request, response, route, app.index, { ...headers, 'content-security-policy': policy });
      case 'no-route':
        return answerError(request, response, 404, { code: 'not_found', message: 'There is nothing here.' }, headers);
      case 'nothing':
        return answerText(request, response, route.status, route.message, {
          ...headers,
          ...(route.status === 405 ? { allow: 'GET, HEAD' } : {}),
        });
    }
  };
}

function beginDownload(
  room: WaitingRoom<ServerResponse>,
  client: string,
  answer: ServerResponse,
  weight: number,
): void {
  for (const oldest of room.enter(client, answer, weight)) oldest.destroy();
  answer.once('close', () => room.leave(client, answer));
}

function answerNoTarget(request: IncomingMessage, response: ServerResponse): void {
  if (asksForHealthOfNoHost(request)) {
    answerText(request, response, 200, 'ok', securityHeaders);
    return;
  }
  // Which part of us was meant is not known either; a program understands this answer, and a person can read it.
  const message = 'The Host header or the address of the request cannot be read.';
  answerError(request, response, 400, { code: 'invalid_request', message }, andHangUp);
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

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
