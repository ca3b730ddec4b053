import { parseOwnAddress } from './http/own-address.ts';
import type { OwnAddresses } from './redirect-rule.ts';

/** `config.internalUrl` may be empty: then the external address is the only own one. */
export function ownAddresses(externalUrl: string, internalUrl = ''): OwnAddresses {
  const own = [parseOwnAddress(externalUrl, 'config.externalUrl')];
  if (internalUrl !== '') own.push(parseOwnAddress(internalUrl, 'config.internalUrl'));
  return { externalUrl, own };
}
