import type { Host } from './http/host-header.ts';
import { firstSegment, isHostOf, type OwnAddress } from './http/own-address.ts';

export interface DocumentRequest {
  readonly host: Host;
  /** Without the query, as the client sent it. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** The scheme that the client used, as far as we may believe it. */
  readonly scheme: 'http' | 'https';
}

export interface OwnAddresses {
  /** `config.externalUrl` as it is written: where visitors of other hosts are sent. */
  readonly externalUrl: string;
  /** The external and, when it is set, the internal address. */
  readonly own: readonly OwnAddress[];
}

export type DocumentDecision =
  | { readonly answer: 'app'; readonly address: OwnAddress }
  | { readonly answer: 'redirect'; readonly location: string; readonly reason: string };

/**
 * Serves the app where host, port and first path segment are those of one and the same own address; sends every other
 * document request to the external address, with the address that was asked for as `origin`. An address without a
 * prefix covers `/` alone. Neither localhost nor a literal IP address is special.
 */
export function decideDocument(request: DocumentRequest, { externalUrl, own }: OwnAddresses): DocumentDecision {
  const ofHost = own.filter((address) => isHostOf(address, request.host));
  const address = ofHost.find((one) => isPathOf(one, request.path));
  if (address !== undefined) return { answer: 'app', address };
  const asked = `${request.scheme}://${request.host.text}${request.path}${request.query}`;
  return {
    answer: 'redirect',
    location: `${externalUrl}#/?origin=${encodeURIComponent(asked)}`,
    reason: ofHost.length === 0 ? 'the host is no own address' : 'the path is not one of the own address',
  };
}

function isPathOf({ segment }: OwnAddress, path: string): boolean {
  return segment === '' ? path === '/' : firstSegment(path) === segment;
}
