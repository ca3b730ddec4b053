// Finding the way through JSON text by its bytes: no call here makes an object for what it passes over.

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

export interface Member {
  readonly keyStart: number;
  readonly valueStart: number;
}

/** The member of the object that begins at `open`; undefined when there is none or the text is no object. */
export function findMember(bytes: Buffer, open: number, quotedKey: Buffer): Member | undefined {
  if (bytes[open] !== openBrace) return undefined;
  let at = skipBlanks(bytes, open + 1);
  while (bytes[at] === quote) {
    const keyStart = at;
    const keyEnd = skipString(bytes, at);
    at = skipBlanks(bytes, keyEnd);
    if (bytes[at] !== colon) return undefined;
    const valueStart = skipBlanks(bytes, at + 1);
    if (keyEnd - keyStart === quotedKey.length && isAt(bytes, keyStart, quotedKey)) return { keyStart, valueStart };
    at = skipBlanks(bytes, skipValue(bytes, valueStart));
    if (bytes[at] !== comma) return undefined;
    at = skipBlanks(bytes, at + 1);
  }
  return undefined;
}

/** Whether these bytes stand there. By hand: Buffer.compare makes an object for each of its offsets. */
export function isAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

export function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  return at;
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** From an opening quote to just after the closing one. */
export function skipString(bytes: Buffer, from: number): number {
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
export function skipValue(bytes: Buffer, from: number): number {
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
