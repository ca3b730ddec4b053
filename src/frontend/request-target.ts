import type { IncomingMessage } from 'node:http';
import { type Host, parseHost } from './http/host-header.ts';

export interface RequestTarget {
  readonly host: Host;
  readonly path: string;
  readonly query: string;
}

/** Undefined for a request whose target or host cannot be made out. */
export function targetOf({
  url = '',
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>): RequestTarget | undefined {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url);
  // A target in absolute form names the host itself, and then the header does not count.
  const host = parseHost(absolute === null ? headers.host : absolute[1]);
  const target = absolute === null ? url : absolute[2]!.startsWith('/') ? absolute[2]! : `/${absolute[2]!}`;
  if (host === undefined || hostCount(rawHeaders) > 1 || !/^\/[\x21-\x22\x24-\x7e]*$/.test(target)) return undefined;
  const mark = target.indexOf('?');
  return mark < 0
    ? { host, path: target, query: '' }
    : { host, path: target.slice(0, mark), query: target.slice(mark) };
}

function hostCount(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
}
