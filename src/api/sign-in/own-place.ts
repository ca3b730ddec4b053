import { createHash } from 'node:crypto';
import type { Config } from '../../config/config.ts';

/** Where a browser meets us: what it is told, and what it keeps, has to work there. */
export interface OwnPlace {
  /** One of the own addresses, as it is configured; never a host that a request merely claims. */
  readonly address: string;
  /** Whether cookies can be kept to https. */
  readonly secure: boolean;
  /** Behind the name of every cookie. A browser keeps one set for a host, whatever the port and the path. */
  readonly cookieSuffix: string;
  /** Below it cookies are sent: what else lives at the same host does not get them. */
  readonly cookiePath: string;
}

/**
 * The place of a request, by its Host header; a port-forward is at no own address, and its links lead to the external one. Of two
 * addresses that differ in the scheme alone it is the https one, unless `scheme`, which is what a proxy that is trusted says of the
 * client, is plain http: links and cookies are never weaker than they can be.
 */
export function ownPlace(config: Config, host: string | undefined, scheme?: string): OwnPlace {
  const own = [config.externalUrl, config.internalUrl].flatMap((text) => {
    const url = URL.parse(text);
    return url === null ? [] : [{ text, url }];
  });
  const here = own.filter(({ url }) => isHostOf(url, host));
  const of = (protocol: string) => here.find(({ url }) => url.protocol === `${protocol}:`);
  const found = (scheme === 'http' ? of('http') : of('https')) ?? here[0];
  if (found === undefined) {
    const port = URL.parse(`http://${host}`)?.port ?? '';
    return placeAt(config.externalUrl, port === '443' ? '' : port, '/');
  }
  // The prefix that a request came by is not known here. Cookies of a host with two go to both.
  const prefixes = new Set(here.map(({ url }) => prefixOf(url)));
  const cookiePath = prefixes.size === 1 ? cookiePathOf(prefixOf(found.url)) : '/';
  return placeAt(found.text, `${found.url.port}${prefixOf(found.url)}`, cookiePath);
}

function prefixOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

/** Browsers compare paths letter by letter: what can be written in two ways, or ends the attribute, is left to the root. */
function cookiePathOf(prefix: string): string {
  return /^(?:\/[\w.~-]+)+$/.test(prefix) ? prefix : '/';
}

function placeAt(address: string, apart: string, cookiePath: string): OwnPlace {
  const hash = createHash('sha256').update(apart).digest('hex').slice(0, 8);
  const cookieSuffix = apart === '' ? '' : `_${hash}`;
  return { address, secure: !address.startsWith('http:'), cookieSuffix, cookiePath };
}

/** A port that is the usual one of the address's scheme may be written or left out. */
function isHostOf(own: URL, host: string | undefined): boolean {
  return host !== undefined && URL.parse(`${own.protocol}//${host}`)?.host === own.host;
}
