import type { IncomingMessage } from 'node:http';

/** How a request says where its body ends; or why it is refused before anything is passed on. */
export type Framing =
  | { readonly ok: true; readonly body: 'none' | 'some' }
  | { readonly ok: false; readonly status: 400 | 413 | 431; readonly message: string };

/** No body of a route that people call is larger; the API has the same bound. */
export const largestBody = 64 * 1024;
export const mostHeaders = 100;
/** A request line that ends before its version is one of 1991, to some. */
const versions = new Set(['1.1', '1.0']);

/** No route takes a body with another method: there, one is only good for being read as something else. */
const bodyMethods = new Set(['POST', 'PUT', 'PATCH']);
/** What is said once or not at all: of two, another reader may take the other. */
const saidOnce = new Set(['host', 'content-length', 'transfer-encoding', 'authorization', 'content-type', 'expect']);
/** What `Connection` may name: words about this connection, none of which is ever passed on. */
const connectionWords = new Set(['close', 'keep-alive', 'upgrade', 'http2-settings', 'te', 'trailer']);

/**
 * Judges the head of a request by RFC 9112, sections 6 and 7, and RFC 9110, section 7.6.1, more strictly than either:
 * whatever two readers could take for requests of different lengths is refused.
 */
export function framingOf(request: Pick<IncomingMessage, 'method' | 'httpVersion' | 'rawHeaders'>): Framing {
  const headers = linesOf(request.rawHeaders);
  if (!versions.has(request.httpVersion)) return refuse(400, 'The request must be HTTP/1.1 or HTTP/1.0.');
  if (headers.length > mostHeaders) return refuse(431, `A request has at most ${mostHeaders} headers.`);
  const twice = headers.find(({ name }, index) => saidOnce.has(name) && headers.findIndex(named(name)) !== index);
  if (twice !== undefined) return refuse(400, `The header ${twice.name} must not come twice.`);
  const word = connectionWordsOf(headers).find((one) => !connectionWords.has(one));
  if (word !== undefined) return refuse(400, `Connection must not name ${JSON.stringify(word.slice(0, 100))}.`);
  const length = headers.find(named('content-length'))?.value;
  const coding = headers.find(named('transfer-encoding'))?.value;
  if (coding === undefined && length === undefined) return { ok: true, body: 'none' };
  return bodyFraming(request, length, coding);
}

function bodyFraming(
  { method = '', httpVersion }: Pick<IncomingMessage, 'method' | 'httpVersion'>,
  length: string | undefined,
  coding: string | undefined,
): Framing {
  if (coding !== undefined && length !== undefined) {
    return refuse(400, 'Transfer-Encoding and Content-Length must not come together.');
  }
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
    return refuse(400, 'Transfer-Encoding must be chunked, in HTTP/1.1.');
  }
  if (length !== undefined && !/^\d{1,15}$/.test(length)) {
    return refuse(400, 'Content-Length must be a number of bytes.');
  }
  if (length !== undefined && Number(length) === 0) return { ok: true, body: 'none' };
  if (!bodyMethods.has(method)) return refuse(400, `A ${method} request must not have a body.`);
  if (Number(length ?? 0) > largestBody) return refuse(413, 'The body is too large.');
  return { ok: true, body: 'some' };
}

interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

function linesOf(rawHeaders: readonly string[]): readonly HeaderLine[] {
  return rawHeaders.flatMap((text, index) =>
    index % 2 === 0 ? [{ name: text.toLowerCase(), value: rawHeaders[index + 1] ?? '' }] : [],
  );
}

function named(wanted: string): (line: HeaderLine) => boolean {
  return ({ name }) => name === wanted;
}

function connectionWordsOf(headers: readonly HeaderLine[]): readonly string[] {
  return headers
    .filter(named('connection'))
    .flatMap(({ value }) => value.split(','))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}

function refuse(status: 400 | 413 | 431, message: string): Framing {
  return { ok: false, status, message };
}
