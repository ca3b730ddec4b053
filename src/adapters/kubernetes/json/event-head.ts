import { findMember, isAt, skipString } from './json-scan.ts';

/** Which object an event tells of, in which version. */
export interface EventHead {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

const quote = 0x22;
const backslash = 0x5c;
const lastPlain = 0x7e;
/** As an apiserver writes it; whatever is written in another way is parsed. */
const modified = Buffer.from('{"type":"MODIFIED","object":{');
const metadataKey = Buffer.from('"metadata"');
const namespaceKey = Buffer.from('"namespace"');
const nameKey = Buffer.from('"name"');
const uidKey = Buffer.from('"uid"');
const versionKey = Buffer.from('"resourceVersion"');

/**
 * The head of an event that tells of a change, read off its bytes: an apiserver writes these four among the first members.
 * Undefined for any other event, and where one of them is missing or is no plain text.
 */
export function modifiedHead(bytes: Buffer): EventHead | undefined {
  const metadata = isAt(bytes, 0, modified) ? findMember(bytes, modified.length - 1, metadataKey) : undefined;
  if (metadata === undefined) return undefined;
  const open = metadata.valueStart;
  const namespace = plainText(bytes, open, namespaceKey);
  const name = namespace && plainText(bytes, open, nameKey);
  const uid = name && plainText(bytes, open, uidKey);
  const resourceVersion = uid && plainText(bytes, open, versionKey);
  return namespace && name && uid && resourceVersion ? { namespace, name, uid, resourceVersion } : undefined;
}

/** Of a member whose value is a text without escapes, as names and versions are. */
function plainText(bytes: Buffer, open: number, key: Buffer): string | undefined {
  const start = findMember(bytes, open, key)?.valueStart ?? -1;
  if (bytes[start] !== quote) return undefined;
  const end = skipString(bytes, start) - 1;
  for (let at = start + 1; at < end; at++) if (bytes[at] === backslash || bytes[at]! > lastPlain) return undefined;
  return bytes.toString('latin1', start + 1, end);
}
