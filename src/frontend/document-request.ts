/** What tells a person's navigation from a program, a script of the page or one of its files. */
export interface RequestTraits {
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
  /** `Sec-Fetch-Dest`, which browsers send and pages cannot forge. */
  readonly destination: string | undefined;
}

const documents = new Set(['document', 'iframe', 'frame', 'object', 'embed']);
const fileName = /\.(?:js|mjs|css|map|json|svg|png|jpe?g|gif|webp|ico|woff2?|txt|xml|webmanifest|wasm)$/i;

/**
 * A document request is a GET or HEAD that wants a page. A browser says so itself; without its word, whoever accepts
 * HTML wants a page, and whoever accepts anything (or does not say) does too unless the path names a file.
 * Health checks, `/api/` and files that exist are sorted out before.
 */
export function isDocumentRequest({ method, path, accept, destination }: RequestTraits): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (destination !== undefined) return documents.has(destination.toLowerCase());
  const wanted = (accept ?? '*/*').toLowerCase();
  if (wanted.includes('text/html') || wanted.includes('application/xhtml+xml')) return true;
  return /(?:^|[\s,])(?:\*|text)\/\*/.test(wanted) && !fileName.test(path);
}
