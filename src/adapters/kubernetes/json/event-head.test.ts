import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modifiedHead } from './event-head.ts';

const head = { name: 'web', namespace: 'shop', uid: 'u-1', resourceVersion: '42' };
const event = (metadata: object, type = 'MODIFIED') =>
  Buffer.from(
    JSON.stringify({ type, object: { kind: 'Deployment', apiVersion: 'apps/v1', metadata, spec: { x: 1 } } }),
  );

describe('the head of an event', () => {
  it('is read off its bytes, whatever stands around it and in whatever order', () => {
    const others = fc.dictionary(
      fc.string().filter((key) => !Object.hasOwn(head, key) && key.length > 1),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
      { maxKeys: 4 },
    );
    const texts = fc.record({
      name: fc.stringMatching(/^[a-z0-9.-]{1,20}$/),
      namespace: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
      uid: fc.uuid(),
      resourceVersion: fc.stringMatching(/^[0-9]{1,12}$/),
    });
    fc.assert(
      fc.property(others, texts, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (around, own, order) => {
        const members = Object.entries({ ...around, ...own });
        const shuffled = members
          .map((member, index) => ({ member, at: order[index] ?? 0 }))
          .sort((a, b) => a.at - b.at);
        const metadata = Object.fromEntries(shuffled.map(({ member }) => member));
        expect(modifiedHead(event(metadata))).toEqual(own);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['of an object that came', event(head, 'ADDED')],
    ['of an object that went', event(head, 'DELETED')],
    ['of a bookmark', event(head, 'BOOKMARK')],
    ['without a namespace', event({ ...head, namespace: undefined })],
    ['without a version', event({ ...head, resourceVersion: undefined })],
    ['with an empty uid', event({ ...head, uid: '' })],
    ['whose version is a number', event({ ...head, resourceVersion: 42 })],
    ['with an escape in its name', event({ ...head, name: 'a"b' })],
    ['with a name that is not ASCII', event({ ...head, name: 'schön' })],
    ['whose members stand elsewhere', event({ labels: head })],
    ['that is written in another way', Buffer.from(JSON.stringify({ object: { metadata: head }, type: 'MODIFIED' }))],
    ['that breaks off', event(head).subarray(0, 70)],
    ['that has none', Buffer.from('{"type":"MODIFIED","object":{"spec":{}}}')],
  ])('is none %s', (_, bytes) => {
    expect(modifiedHead(bytes)).toBeUndefined();
  });
});
