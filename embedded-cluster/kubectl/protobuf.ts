import { type FieldKind, MESSAGES, type MessageShape } from './protobuf-messages.ts';

const MAGIC = 'k8s\u0000';
const ENVELOPE: MessageShape = [
  [
    1,
    'type',
    [
      [1, 'apiVersion', 'text'],
      [2, 'kind', 'text'],
    ],
  ],
];
const RAW_FIELD = 2;

/**
 * The object in a protobuf body, which is given as a string of bytes; undefined when it is of a kind that is not
 * known here, which then gets a 415.
 */
export function decodeProtobuf(body: string): Record<string, unknown> | undefined {
  if (!body.startsWith(MAGIC)) return undefined;
  const envelope = body.slice(MAGIC.length);
  const { apiVersion, kind } = (decodeMessage(envelope, ENVELOPE)['type'] ?? {}) as Record<string, unknown>;
  const shape = MESSAGES[String(kind)];
  if (shape === undefined) return undefined;
  const raw = [...fieldsOf(envelope)].find(([number]) => number === RAW_FIELD)?.[1];
  return { apiVersion, kind, ...decodeMessage(String(raw ?? ''), shape) };
}

/** Empty texts are left out: Go writes them where nothing was said. */
function decodeMessage(bytes: string, shape: MessageShape): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [number, value] of fieldsOf(bytes)) {
    const field = shape.find(([known]) => known === number);
    if (field === undefined || value === '') continue;
    const [, name, kind] = field;
    result[name] = decodeField(value, kind, result[name]);
  }
  return result;
}

function decodeField(value: number | string, kind: FieldKind, before: unknown): unknown {
  if (typeof value === 'number') return kind === 'flag' ? value !== 0 : value;
  if (typeof kind !== 'string') {
    return isRepeated(kind)
      ? [...((before as unknown[] | undefined) ?? []), decodeMessage(value, kind[0])]
      : decodeMessage(value, kind);
  }
  switch (kind) {
    case 'texts':
      return [...((before as unknown[] | undefined) ?? []), utf8(value)];
    case 'textMap':
    case 'bytesMap':
      return { ...(before as object | undefined), ...mapEntry(value, kind) };
    case 'intOrText':
      return intOrText(value);
    default:
      return utf8(value);
  }
}

/** A list of messages is written as a list that holds one shape, and not fields. */
function isRepeated(kind: MessageShape | readonly [MessageShape]): kind is readonly [MessageShape] {
  const first = kind[0];
  return Array.isArray(first) && typeof first[0] !== 'number';
}

function mapEntry(bytes: string, kind: 'textMap' | 'bytesMap'): Record<string, string> {
  const fields = new Map(fieldsOf(bytes));
  const value = String(fields.get(2) ?? '');
  return { [utf8(String(fields.get(1) ?? ''))]: kind === 'bytesMap' ? btoa(value) : utf8(value) };
}

function intOrText(bytes: string): number | string {
  const fields = new Map(fieldsOf(bytes));
  return fields.get(1) === 1 ? utf8(String(fields.get(3) ?? '')) : Number(fields.get(2) ?? 0);
}

function utf8(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

/** The fields of a message in order: numbers as numbers, everything with a length as its bytes. */
function* fieldsOf(bytes: string): Generator<readonly [number: number, value: number | string]> {
  let at = 0;
  const varint = (): number => {
    let result = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes.charCodeAt(at++);
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    return result;
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) {
      yield [tag >> 3, varint()];
      continue;
    }
    const length = wire === 2 ? varint() : wire === 1 ? 8 : 4;
    at += length;
    yield [tag >> 3, bytes.slice(at - length, at)];
  }
}
