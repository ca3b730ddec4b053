import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorBody } from '../../contract/errors.ts';
import { type Headers, securityHeaders } from './security-headers.ts';

/** A body that nobody reads would block the connection for the next request, so it is thrown away. */
// biome-ignore lint/complexity/useMaxParams: a request, its answer and what goes into it.
export function answerText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers,
): void {
  answer(request, response, status, `${text}\n`, { 'content-type': 'text/plain; charset=utf-8', ...headers });
}

/** An error of the one shape that every error of the API has. */
// biome-ignore lint/complexity/useMaxParams: a request, its answer and what goes into it.
export function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: ErrorBody,
  headers: Headers,
): void {
  answer(request, response, status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** For a request that is not to be followed by another: where it ends is not beyond doubt. */
export const andHangUp: Headers = { connection: 'close' };

// biome-ignore lint/complexity/useMaxParams: a request, its answer and what goes into it.
function answer(
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
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
