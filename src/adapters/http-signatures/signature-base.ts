// Only this module of the package: its index brings the older Cavage drafts and their algorithms along.
import { createSignatureBase, formatSignatureBase } from 'http-message-signatures/lib/httpbis/index.js';

export interface SignableRequest {
  readonly method: string;
  /** The whole URI, as the one who signs means it. */
  readonly targetUri: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * The text that is signed (RFC 9421, section 2.5): one line a component, and the parameters last. Undefined when the
 * request lacks a component, or it is one that is not known.
 */
export function signatureBase(
  { method, targetUri, headers }: SignableRequest,
  components: readonly string[],
  parametersText: string,
): string | undefined {
  try {
    const request = { method, url: targetUri, headers: headers as Record<string, string | string[]> };
    const base = createSignatureBase({ fields: [...components] }, request);
    // The library passes over a component that it does not sign; a signature must cover every one that it names.
    if (base.length !== components.length) return undefined;
    return formatSignatureBase([...base, ['"@signature-params"', [parametersText]]]);
  } catch {
    return undefined;
  }
}
