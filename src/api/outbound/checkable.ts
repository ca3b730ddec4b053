import { isIP } from 'node:net';
import { matchesGlob } from '../../domain/targeting/glob.ts';
import { isGlobalAddress, isPrivateAddress } from '../../platform/global-address.ts';
import { invalid } from '../call/refusal.ts';

/** A URL that may be asked, or a refusal that says why not. Without its fragment, which is not sent. */
export function checkableUrl(text: string, whitelist: readonly string[]): URL {
  const url = URL.parse(text);
  if (url === null) throw invalid('url', 'is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid('url', 'must begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw invalid('url', 'must not contain a user or password');
  const host = bareHost(url);
  if (host === '') throw invalid('url', 'has no host');
  if (isIP(host) !== 0 && !mayConnect(host, host, whitelist)) throw invalid('url', 'must not name a private address');
  if (isOwnMachine(host) || (isLocalName(host) && !isNamed(host, whitelist))) {
    throw invalid('url', 'must not name a private host');
  }
  if (!isListed(host, whitelist)) {
    throw invalid('url', 'names a host that config.urlReadinessCheck.whitelist does not allow');
  }
  url.hash = '';
  return url;
}

/** Whether an address of a host may be connected to: a global one, or a private one of a host that is listed by name. */
export function mayConnect(address: string, host: string, whitelist: readonly string[]): boolean {
  return isGlobalAddress(address) || (isPrivateAddress(address) && isNamed(host, whitelist));
}

/** An empty whitelist allows every host that is not private. */
export function isListed(host: string, whitelist: readonly string[]): boolean {
  return whitelist.length === 0 || whitelist.some((pattern) => matchesGlob(asHost(pattern), host));
}

/** An IPv6 address is listed in any of its forms, with brackets or without. */
function asHost(pattern: string): string {
  const bare = pattern.toLowerCase().replace(/^\[|\]$/g, '');
  const url = isIP(bare) === 6 ? URL.parse(`http://[${bare}]`) : null;
  return url === null ? bare : bareHost(url);
}

/** Listed by a pattern that says something: a star alone names nobody. */
function isNamed(host: string, whitelist: readonly string[]): boolean {
  const named = whitelist.filter((pattern) => /[^*?.]/.test(pattern));
  return named.length > 0 && isListed(host, named);
}

/** Names that only a cluster or a machine itself resolves. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return (
    !(name.includes('.') || name.includes(':')) || /(^|\.)(localhost|local|internal|cluster\.local|svc)$/.test(name)
  );
}

/** Behind a proxy these are not resolved here, so their addresses cannot be judged. */
function isOwnMachine(host: string): boolean {
  return /(^|\.)localhost$|^(metadata|instance-data)(\.|$)/.test(host.replace(/\.$/, ''));
}

export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

/** Whether a URL leads to one of our own addresses: then it is us who answered in the place of a host that sleeps. */
export function isOwn(url: URL, addresses: readonly string[]): boolean {
  return addresses.some((text) => {
    const own = URL.parse(text);
    // The usual ports of http and https are both written as none.
    if (own === null || own.hostname !== url.hostname || own.port !== url.port) return false;
    const prefix = own.pathname.replace(/\/+$/, '');
    return url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
  });
}
