import { type Host, parseHost } from './host-header.ts';

/** One of the instance's own addresses, taken apart. */
export interface OwnAddress {
  readonly secure: boolean;
  readonly hostName: string;
  /** The one that is meant: the scheme's default when the address names none. */
  readonly port: number;
  readonly defaultPort: boolean;
  /** Path prefix with a leading and without a trailing slash; empty for none. */
  readonly prefix: string;
  /** The first segment of the prefix; empty for none. */
  readonly segment: string;
}

class BadOwnAddress extends Error {
  override readonly name = 'BadOwnAddress';
}

/** `setting` is what the message calls the value. */
export function parseOwnAddress(text: string, setting: string): OwnAddress {
  const url = URL.parse(text);
  const host = parseHost(url?.host);
  const web = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || host === undefined || !web || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new BadOwnAddress(
      `${setting}: ${JSON.stringify(text)} is not an own address; write scheme, host and perhaps a path prefix, such as https://svc.example.com`,
    );
  }
  const secure = url.protocol === 'https:';
  const usual = secure ? 443 : 80;
  const port = host.port ?? usual;
  const prefix = url.pathname.replace(/\/+$/, '');
  return { secure, hostName: host.name, port, defaultPort: port === usual, prefix, segment: firstSegment(prefix) };
}

/** The part between the first slash of a path and the next. */
export function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/**
 * A host without a port means the default port of the scheme that the client used; behind an ingress that ends TLS only
 * the client knows which, so it matches an own address on its scheme's default port.
 */
export function isHostOf(address: OwnAddress, host: Host): boolean {
  if (address.hostName !== host.name) return false;
  return host.port === undefined ? address.defaultPort : host.port === address.port;
}
