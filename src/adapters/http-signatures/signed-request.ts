import { timingSafeEqual } from 'node:crypto';
import { digestMatches } from './content-digest.ts';
import { coveredComponents, hmac, type SignaturePurpose } from './sign-request.ts';
import { signatureBase } from './signature-base.ts';
import { type ParameterValue, parseBytesMember, parseSignatureInput } from './structured-fields.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a request says of itself; nothing of it is believed before `isSignedBy`. */
export interface SignatureClaim {
  readonly keyId: string;
  readonly created: number;
  readonly nonce: string;
  readonly components: readonly string[];
  readonly parametersText: string;
  readonly signature: Uint8Array;
}

export type ReadClaim =
  | { readonly ok: true; readonly claim: SignatureClaim }
  | { readonly ok: false; readonly reason: string };

const knownParameters = new Set(['created', 'nonce', 'alg', 'keyid', 'tag']);
const shortestNonce = 16;
const longestNonce = 128;

/** Reads the headers of a signed request, and refuses whatever is not signed the way it must be. */
export function readClaim(headers: Headers, purpose: SignaturePurpose): ReadClaim {
  const inputText = headers['signature-input'];
  const signatureText = headers['signature'];
  if (typeof inputText !== 'string' || typeof signatureText !== 'string') return refuse('it carries no signature');
  const input = parseSignatureInput(inputText);
  const signature = parseBytesMember(signatureText);
  if (input === undefined || signature === undefined) return refuse('the signature headers cannot be read');
  if (input.label !== signature.label) return refuse('the two signature headers speak of different signatures');
  const missing = coveredComponents.find((component) => !input.components.includes(component));
  if (missing !== undefined) return refuse(`the signature does not cover ${missing}`);
  const problem = parameterProblem(input.parameters, purpose);
  if (problem !== undefined) return refuse(problem);
  return {
    ok: true,
    claim: {
      keyId: input.parameters.get('keyid') as string,
      created: input.parameters.get('created') as number,
      nonce: input.parameters.get('nonce') as string,
      components: input.components,
      parametersText: input.text,
      signature: signature.bytes,
    },
  };
}

function parameterProblem(
  parameters: ReadonlyMap<string, ParameterValue>,
  purpose: SignaturePurpose,
): string | undefined {
  const unknown = [...parameters.keys()].find((name) => !knownParameters.has(name));
  if (unknown !== undefined) return `the signature has the unknown parameter ${unknown}`;
  if (typeof parameters.get('created') !== 'number') return 'the signature does not say when it was made';
  if (typeof parameters.get('keyid') !== 'string') return 'the signature does not name its key';
  const nonce = parameters.get('nonce');
  if (typeof nonce !== 'string' || nonce.length < shortestNonce || nonce.length > longestNonce) {
    return `the nonce must have ${shortestNonce} to ${longestNonce} characters`;
  }
  if ((parameters.get('alg') ?? 'hmac-sha256') !== 'hmac-sha256') return 'the algorithm must be hmac-sha256';
  return parameters.get('tag') === purpose ? undefined : `the signature is not for ${purpose}`;
}

export interface ReceivedRequest {
  readonly method: string;
  /** What the sender may have meant: our own addresses with the path of the request. */
  readonly targetUris: readonly string[];
  readonly headers: Headers;
  readonly rawBody: Uint8Array;
}

/** Whether one of the keys made the signature over this request, body included. */
export function isSignedBy(claim: SignatureClaim, request: ReceivedRequest, keys: readonly Uint8Array[]): boolean {
  const digest = request.headers['content-digest'];
  if (typeof digest !== 'string' || !digestMatches(digest, request.rawBody)) return false;
  let good = false;
  // Every key and address is tried, so that the time tells nothing of which was right.
  for (const targetUri of request.targetUris) {
    const signable = { method: request.method, targetUri, headers: request.headers };
    const base = signatureBase(signable, claim.components, claim.parametersText);
    for (const key of keys) {
      const expected = hmac(key, base ?? '');
      const same = claim.signature.length === expected.length && timingSafeEqual(claim.signature, expected);
      good ||= same && base !== undefined;
    }
  }
  return good;
}

function refuse(reason: string): ReadClaim {
  return { ok: false, reason };
}
