import type { Socket } from 'node:net';
import { invalid, Refusal } from '../call/refusal.ts';
import { asUnavailable } from '../state/managed-state.ts';
import { securityHeaders } from './security-headers.ts';

/** Anything that was thrown, as an error of the catalogue. What is not ours to tell becomes `internal_error`. */
export function asRefusal(error: unknown): Refusal {
  const known = asUnavailable(error);
  if (known instanceof Refusal) return known;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('', 'is not as long as its Content-Length says');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('invalid_request', 'The path cannot be read.', { details: { field: 'path' } });
    default:
      return new Refusal('internal_error');
  }
}

/** What Node refuses before there is a request: too long a header, no HTTP at all, too slow. */
export function connectionAnswer(error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const code = 'code' in error ? String(error.code) : '';
  const [status, message] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long.']
        : ['400 Bad Request', 'The request cannot be read.'];
  const body = JSON.stringify({ code: 'invalid_request', message });
  const headers = Object.entries({
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`);
}
