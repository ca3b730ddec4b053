// Looking into JSON without parsing it: most of an object's text is never needed, and parsing it is what costs.
import { findMember, isBlank, type Member, skipBlanks, skipValue } from './json-scan.ts';

const openBracket = 0x5b;
const comma = 0x2c;

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
