import type { IncomingMessage } from 'node:http';
import type { AppFile } from './app-files.ts';
import { isDocumentRequest, type RequestTraits } from './document-request.ts';
import { isStreamLane, laneOf } from './proxy/lanes.ts';
import { type DocumentDecision, type DocumentRequest, decideDocument, type OwnAddresses } from './redirect-rule.ts';
import { targetOf } from './request-target.ts';

export type Route =
  | { readonly to: 'health' }
  | { readonly to: 'api'; readonly path: string }
  /** Below `/api/`, and not for anybody who comes through here. */
  | { readonly to: 'no-route' }
  | { readonly to: 'file'; readonly file: AppFile }
  | ({ readonly to: 'document' } & DocumentDecision)
  | { readonly to: 'nothing'; readonly status: 404 | 405; readonly message: string };

/** What a request gets; the first that fits wins. */
export function routeOf(
  request: DocumentRequest & Omit<RequestTraits, 'path'>,
  addresses: OwnAddresses,
  files: ReadonlyMap<string, AppFile>,
): Route {
  const { path, query, method } = request;
  if (isHealth(path)) return { to: 'health' };
  const local = withoutPrefix(path, addresses);
  if (local.startsWith('/api/')) {
    return isInternal(local) ? { to: 'no-route' } : { to: 'api', path: `${local}${query}` };
  }
  const reads = method === 'GET' || method === 'HEAD';
  const file = reads ? files.get(decoded(local).slice(1)) : undefined;
  const isDocument = isDocumentRequest(request);
  // Whoever goes to a page means that page of that host, even if we have a file of the same name; the app is one page.
  if (file !== undefined && !isDocument) return { to: 'file', file };
  if (isDocument) return { to: 'document', ...decideDocument(request, addresses) };
  return reads ? missing : { to: 'nothing', status: 405, message: 'Only GET and HEAD are answered here.' };
}

/** Load balancers ask in HTTP/1.0, which knows no `Host`; of all that we answer, only this is the same on every host. */
export function asksForHealthOfNoHost({ url = '', httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers.host === undefined && isHealth(url.split('?', 1)[0]!);
}

function isHealth(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Whether the answer is meant to stay open, by the path that goes to the API: also below a prefix, and in absolute form. */
export function isStreamRequest(
  request: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>,
  addresses: OwnAddresses,
): boolean {
  const target = targetOf(request);
  if (target === undefined) return false;
  return isStreamLane(laneOf(withoutPrefix(target.path, addresses), request.headers.authorization, undefined));
}

const missing = { to: 'nothing', status: 404, message: 'There is nothing here.' } as const;

/** Below a path prefix the app's files and its API are the same as at the root. */
function withoutPrefix(path: string, { own }: OwnAddresses): string {
  const prefixes = own.map(({ prefix }) => prefix).filter((prefix) => prefix !== '');
  const prefix = prefixes.find((one) => path.startsWith(`${one}/`));
  return prefix === undefined ? path : path.slice(prefix.length);
}

/** Only our own controller calls these, past the frontend; however the path is dressed up, it does not get through here. */
function isInternal(path: string): boolean {
  const segments = decoded(path)
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  return segments[2] === 'internal' || segments.includes('..');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
