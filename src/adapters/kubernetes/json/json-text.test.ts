import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteQueue } from './byte-queue.ts';
import { textWithoutManagedFields } from './json-text.ts';
import { ListSplitter } from './list-splitter.ts';

const tricky = fc.constantFrom(
  'managedFields',
  'metadata',
  'object',
  'items',
  '"managedFields":[',
  '\\"managedFields":[',
  '\\',
  '"',
  ']}',
  'ß🙂\u0000\n',
);
// V8 14.6 takes a key that is nothing but one escaped character for another one ("\"" for "\\"), cut or not.
const key = fc.oneof(tricky, fc.string()).filter((text) => text.length !== 1 || JSON.stringify(text).length === 3);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(tricky, fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const metadata = fc
  .tuple(
    fc.dictionary(key, value, { maxKeys: 3 }),
    fc.option(fc.array(value)),
    fc.dictionary(key, value, { maxKeys: 3 }),
  )
  .map(([before, managedFields, after]) => ({
    ...before,
    ...(managedFields === null ? {} : { managedFields }),
    ...after,
  }));
const object = fc.record({ metadata, spec: value, kind: value }, { requiredKeys: [] });
const indent = fc.constantFrom(undefined, 1);

type Parsed = { metadata?: Record<string, unknown> };

/** What plain parsing gives, less the one member that is cut; indented text is not what a server sends and may keep it. */
function expected(plain: Parsed, mayKeep: boolean, parsed: Parsed): unknown {
  const kept = Object.hasOwn(parsed.metadata ?? {}, 'managedFields');
  if (!Array.isArray(plain.metadata?.['managedFields']) || (kept && mayKeep)) return plain;
  const { managedFields: _cut, ...metadata } = plain.metadata;
  return { ...plain, metadata };
}

describe('textWithoutManagedFields', () => {
  it('parses to the same object, less its managedFields', () => {
    fc.assert(
      fc.property(object, indent, (raw, space) => {
        const plain = JSON.parse(JSON.stringify(raw, undefined, space));
        const parsed = JSON.parse(
          textWithoutManagedFields(Buffer.from(JSON.stringify(raw, undefined, space)), 'object', 0),
        );
        expect(parsed).toEqual(expected(plain, space !== undefined, parsed));
      }),
      { numRuns: 500 },
    );
  });

  it('does the same under object of an event', () => {
    fc.assert(
      fc.property(object, value, (raw, type) => {
        const plain = JSON.parse(JSON.stringify({ type, object: raw }));
        const parsed = JSON.parse(
          textWithoutManagedFields(Buffer.from(JSON.stringify({ type, object: raw })), 'event', 0),
        );
        expect(parsed).toEqual({ ...plain, object: expected(plain.object, false, parsed.object) });
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['the first member', '{"metadata":{"managedFields":[{"a":"]"}],"name":"x"}}', '{"metadata":{"name":"x"}}'],
    ['the last member', '{"metadata":{"name":"x","managedFields":[{}]}}', '{"metadata":{"name":"x"}}'],
    ['the only member', '{"metadata":{"managedFields":[]}}', '{"metadata":{}}'],
    ['a middle member', '{"metadata":{"a":1,"managedFields":[[]],"b":2}}', '{"metadata":{"a":1,"b":2}}'],
  ])('cuts %s and one comma', (_, before, after) => {
    expect(textWithoutManagedFields(Buffer.from(before), 'object', 0)).toBe(after);
  });

  it.each([
    ['of the same name elsewhere', '{"spec":{"managedFields":[1]},"metadata":{"name":"x"}}'],
    ['deeper in metadata', '{"metadata":{"inner":{"managedFields":[1]}}}'],
    ['inside a string', '{"metadata":{"note":"\\"managedFields\\":[1]"}}'],
    ['whose name only ends alike', '{"metadata":{"a\\"managedFields":[1]}}'],
    ['that is no list', '{"metadata":{"managedFields":null},"x":{"managedFields":[1]}}'],
    ['in a text that breaks off', '{"metadata":{"name":"x","managedFields"'],
  ])('leaves alone what stands %s', (_, text) => {
    expect(textWithoutManagedFields(Buffer.from(text), 'object', 0)).toBe(text);
  });

  it('leaves a small object as it is', () => {
    const text = '{"metadata":{"managedFields":[1]}}';
    expect(textWithoutManagedFields(Buffer.from(text), 'object')).toBe(text);
  });
});

/** Cuts bytes at the given places, also inside of characters. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end));
}

describe('ListSplitter', () => {
  it('gives the items and the envelope of plain parsing, however the text is cut into pieces', () => {
    const list = fc.record(
      {
        kind: value,
        metadata: value,
        items: fc.array(fc.oneof(object, fc.array(value)), { maxLength: 5 }),
        extra: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(list, indent, fc.array(fc.nat()), (raw, space, places) => {
        const bytes = Buffer.from(JSON.stringify(raw, undefined, space));
        const items: unknown[] = [];
        const splitter = new ListSplitter((item) => items.push(JSON.parse(item.toString())));
        for (const piece of cut(bytes, places)) splitter.push(piece);
        const envelope = splitter.end();
        const plain = JSON.parse(bytes.toString());
        expect(items).toEqual(plain.items ?? []);
        expect(envelope).toEqual(plain.items === undefined ? plain : { ...plain, items: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('takes a null list for an empty one', () => {
    const splitter = new ListSplitter(() => expect.unreachable());
    splitter.push('{"metadata":{"resourceVersion":"7"},"items":null}\n');
    expect(splitter.end()).toEqual({ metadata: { resourceVersion: '7' }, items: null });
  });

  it('refuses a text that breaks off', () => {
    const splitter = new ListSplitter(() => {});
    splitter.push('{"items":[{"a":1},{"b"');
    expect(() => splitter.end()).toThrow('The list ended in the middle of its text.');
  });
});

describe('ByteQueue', () => {
  it('is a queue of bytes through growth, reuse and text', () => {
    const step = fc.oneof(
      fc.record({ append: fc.oneof(fc.uint8Array({ maxLength: 200_000 }), fc.string()) }),
      fc.record({ drop: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const queue = new ByteQueue();
        let model = Buffer.alloc(0);
        for (const one of steps) {
          if ('append' in one) {
            queue.append(one.append);
            model = Buffer.concat([model, Buffer.from(one.append as string)]);
          } else {
            const count = model.length === 0 ? 0 : one.drop % (model.length + 1);
            queue.drop(count);
            model = model.subarray(count);
          }
          expect(queue.bytes.equals(model)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
