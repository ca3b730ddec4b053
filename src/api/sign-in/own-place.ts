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
    return placeAt(config.externalUrl, port === '443' ? '' : port);
  }
  return placeAt(found.text, `${found.url.port}${found.url.pathname.replace(/\/+$/, '')}`);
}

function placeAt(address: string, apart: string): OwnPlace {
  const hash = createHash('sha256').update(apart).digest('hex').slice(0, 8);
  return { address, secure: !address.startsWith('http:'), cookieSuffix: apart === '' ? '' : `_${hash}` };
}

/** A port that is the usual one of the address's scheme may be written or left out. */
function isHostOf(own: URL, host: string | undefined): boolean {
  return host !== undefined && URL.parse(`${own.protocol}//${host}`)?.host === own.host;
}
