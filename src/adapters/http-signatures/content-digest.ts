import { createHash, timingSafeEqual } from 'node:crypto';
import { parseBytesMember, serializeBytes } from './structured-fields.ts';

/** The value of `Content-Digest` (RFC 9530) for exactly these bytes. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=${serializeBytes(sha256(body))}`;
}

/** Whether the header speaks of these bytes; a header with another or a further digest does not. */
export function digestMatches(header: string, body: Uint8Array): boolean {
  const member = parseBytesMember(header);
  return member?.label === 'sha-256' && member.bytes.length === 32 && timingSafeEqual(member.bytes, sha256(body));
}

function sha256(body: Uint8Array): Uint8Array {
  return createHash('sha256').update(body).digest();
}
