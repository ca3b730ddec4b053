// Looking into JSON without parsing it: most of an object's text is never needed, and parsing it is what costs.

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

const marker = Buffer.from('"managedFields":[');
/** Below this the search costs more than the parsing it saves. */
const worthCutting = 1024;

/** Where the object stands in the text: at its root, or under `object` of a watch event. */
export type ObjectPlace = 'object' | 'event';

const paths: Readonly<Record<ObjectPlace, readonly Buffer[]>> = {
  object: ['"metadata"', '"managedFields"'].map((key) => Buffer.from(key)),
  event: ['"object"', '"metadata"', '"managedFields"'].map((key) => Buffer.from(key)),
};

/** The parsed object, without `metadata.managedFields` when it is large. */
export function parseObject(bytes: Buffer, place: ObjectPlace): unknown {
  return JSON.parse(textWithoutManagedFields(bytes, place));
}

/** The text with the member `metadata.managedFields` cut out where that is worth it; any other text is left as it is. */
export function textWithoutManagedFields(bytes: Buffer, place: ObjectPlace, threshold = worthCutting): string {
  const span = bytes.length < threshold ? undefined : managedFieldsSpan(bytes, place);
  if (span === undefined) return bytes.toString();
  return bytes.toString('utf8', 0, span.start) + bytes.toString('utf8', span.end);
}

function managedFieldsSpan(bytes: Buffer, place: ObjectPlace): { start: number; end: number } | undefined {
  if (bytes.indexOf(marker) === -1) return undefined;
  let container = skipBlanks(bytes, 0);
  let member: Member | undefined;
  for (const key of paths[place]) {
    member = findMember(bytes, container, key);
    if (member === undefined) return undefined;
    container = member.valueStart;
  }
  if (member === undefined || bytes[member.valueStart] !== openBracket) return undefined;
  return withOneComma(bytes, member.keyStart, skipValue(bytes, member.valueStart));
}

/** A member goes with the comma after it, or, when it is the last, with the one before it. */
function withOneComma(bytes: Buffer, start: number, end: number): { start: number; end: number } {
  const after = skipBlanks(bytes, end);
  if (bytes[after] === comma) return { start, end: after + 1 };
  let before = start - 1;
  while (before >= 0 && isBlank(bytes[before]!)) before--;
  return bytes[before] === comma ? { start: before, end } : { start, end };
}

interface Member {
  readonly keyStart: number;
  readonly valueStart: number;
}

/** The member of the object that begins at `open`; undefined when there is none or the text is no object. */
function findMember(bytes: Buffer, open: number, quotedKey: Buffer): Member | undefined {
  if (bytes[open] !== openBrace) return undefined;
  let at = skipBlanks(bytes, open + 1);
  while (bytes[at] === quote) {
    const keyStart = at;
    const keyEnd = skipString(bytes, at);
    at = skipBlanks(bytes, keyEnd);
    if (bytes[at] !== colon) return undefined;
    const valueStart = skipBlanks(bytes, at + 1);
    if (
      keyEnd - keyStart === quotedKey.length &&
      bytes.compare(quotedKey, 0, quotedKey.length, keyStart, keyEnd) === 0
    ) {
      return { keyStart, valueStart };
    }
    at = skipBlanks(bytes, skipValue(bytes, valueStart));
    if (bytes[at] !== comma) return undefined;
    at = skipBlanks(bytes, at + 1);
  }
  return undefined;
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** From an opening quote to just after the closing one. */
function skipString(bytes: Buffer, from: number): number {
  const length = bytes.length;
  for (let at = from + 1; at < length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  return length;
}

/** From the first byte of a value to just after its last. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every byte of every answer passes here; a call for each would be felt.
function skipValue(bytes: Buffer, from: number): number {
  const length = bytes.length;
  if (bytes[from] === quote) return skipString(bytes, from);
  let depth = 0;
  let at = from;
  while (at < length) {
    const byte = bytes[at];
    if (byte === quote) {
      at = skipString(bytes, at);
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      // The bracket after a number, true, false or null belongs to what holds it.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at;
    at++;
  }
  return length;
}
