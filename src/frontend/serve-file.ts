import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNamedBy } from '../platform/entity-tag.ts';
import type { AppFile, Encoding } from './app-files.ts';
import type { Headers } from './http/security-headers.ts';

/** Sends a file of the app, compressed when the build made it so and the client takes it. */
export function serveFile(request: IncomingMessage, response: ServerResponse, file: AppFile, headers: Headers): void {
  const common = {
    ...headers,
    'cache-control': file.cacheControl,
    etag: file.etag,
    ...(file.compressed.length > 0 ? { vary: 'Accept-Encoding' } : {}),
  };
  if (isNamedBy(request.headers['if-none-match'], file.etag)) {
    response.writeHead(304, common).end();
    return;
  }
  const taken = acceptedEncodings(request.headers['accept-encoding']);
  const variant = file.compressed.find(({ encoding }) => taken.has(encoding));
  response.writeHead(200, {
    ...common,
    'content-type': file.type,
    'content-length': variant?.size ?? file.size,
    ...(variant === undefined ? {} : { 'content-encoding': variant.encoding }),
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const stream = createReadStream(variant?.path ?? file.path);
  stream.on('error', () => response.destroy());
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}

function acceptedEncodings(header: string | undefined): ReadonlySet<Encoding> {
  const taken = new Set<Encoding>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (!refused && (name === 'br' || name === 'gzip')) taken.add(name);
  }
  return taken;
}
