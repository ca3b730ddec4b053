import { createHmac } from 'node:crypto';
import { contentDigest } from './content-digest.ts';
import { signatureBase } from './signature-base.ts';
import { serializeBytes, serializeSignatureInput } from './structured-fields.ts';

/** What every request of ours is signed over. */
export const coveredComponents = ['@method', '@target-uri', 'content-digest'] as const;

const signatureLabel = 'svc';

/** What a signature is for: one made for one purpose is worth nothing for another. */
export type SignaturePurpose = 'svc-external-wake' | 'svc-notification';

/** The name of a cluster as a signature can carry it: parameters are ASCII, names need not be. */
export function keyIdOf(clusterName: string): string {
  return encodeURIComponent(clusterName);
}

export interface RequestToSign {
  readonly method: string;
  readonly url: string;
  readonly body: Uint8Array;
  readonly keyId: string;
  readonly key: Uint8Array;
  /** Whole seconds since the epoch. */
  readonly created: number;
  readonly nonce: string;
  readonly purpose: SignaturePurpose;
}

/** The headers that sign a request. */
export function signRequest(request: RequestToSign): Readonly<Record<string, string>> {
  const { method, url, body, keyId, key, created, nonce, purpose } = request;
  const headers = { 'content-digest': contentDigest(body) };
  const parameters = serializeSignatureInput(coveredComponents, [
    ['created', created],
    ['nonce', nonce],
    ['alg', 'hmac-sha256'],
    ['keyid', keyId],
    ['tag', purpose],
  ]);
  const base = signatureBase({ method, targetUri: url, headers }, coveredComponents, parameters);
  return {
    ...headers,
    'signature-input': `${signatureLabel}=${parameters}`,
    signature: `${signatureLabel}=${serializeBytes(hmac(key, base ?? ''))}`,
  };
}

export function hmac(key: Uint8Array, base: string): Uint8Array {
  return createHmac('sha256', key).update(base, 'utf8').digest();
}
