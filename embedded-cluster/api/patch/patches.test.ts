import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../store/api-error.ts';
import type { JsonObject } from '../../store/json-value.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const REJECTED = '422: the server rejected our request due to an error in our request';

describe('applyJsonPatch', () => {
  const rows: Record<string, [target: unknown, patch: unknown, expected: unknown]> = {
    'adds a field': [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    'adds into a list': [{ l: [1, 3] }, [{ op: 'add', path: '/l/1', value: 2 }], { l: [1, 2, 3] }],
    'adds to the end of a list': [{ l: [1] }, [{ op: 'add', path: '/l/-', value: 2 }], { l: [1, 2] }],
    'removes a field': [{ a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    'adds what it should replace when it is not there': [{}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    'reads escaped names': [{ 'svc.io/x': 1 }, [{ op: 'replace', path: '/svc.io~1x', value: 2 }], { 'svc.io/x': 2 }],
    'moves a field': [{ a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    'copies a field': [{ a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }], { a: 1, b: 1 }],
    'goes on when a test holds': [{ a: 1 }, [{ op: 'test', path: '/a', value: 1 }], { a: 1 }],
    'takes a missing field for null': [{ a: {} }, [{ op: 'test', path: '/a/b', value: null }], { a: {} }],
    'rejects a test that fails': [{ a: 1 }, [{ op: 'test', path: '/a', value: 2 }], REJECTED],
    'rejects the removal of what is not there': [{}, [{ op: 'remove', path: '/a' }], REJECTED],
    'rejects an addition below what is not there': [{}, [{ op: 'add', path: '/a/b', value: 1 }], REJECTED],
    'rejects an index past the end': [{ l: [] }, [{ op: 'add', path: '/l/1', value: 1 }], REJECTED],
    'rejects an unknown operation': [{}, [{ op: 'twist', path: '/a' }], REJECTED],
    'refuses a patch that is no list': [
      {},
      { op: 'remove' },
      '400: error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
  };
  it.each(Object.entries(rows))('%s', (_, [target, patch, expected]) => {
    const before = JSON.stringify(target);
    expect(outcome(() => applyJsonPatch(target, patch))).toEqual(expected);
    expect(JSON.stringify(target)).toBe(before);
  });
});

describe('applyMergePatch', () => {
  const rows: Record<string, [target: unknown, patch: unknown, expected: unknown]> = {
    'sets, keeps and removes fields': [
      { a: 1, b: 2 },
      { a: null, c: 3 },
      { b: 2, c: 3 },
    ],
    'goes into objects': [{ a: { x: 1, y: 2 } }, { a: { x: null } }, { a: { y: 2 } }],
    'replaces lists as a whole': [{ l: [1, 2] }, { l: [3] }, { l: [3] }],
    'drops nulls inside new objects': [{}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  };
  it.each(Object.entries(rows))('%s', (_, [target, patch, expected]) => {
    expect(applyMergePatch(target, patch)).toEqual(expected);
  });

  it('changes nothing the second time, and shares what it does not touch', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
    const target = { kept: { deep: 1 }, a: 1 };
    expect((applyMergePatch(target, { a: 2 }) as typeof target).kept).toBe(target.kept);
  });
});

describe('applyStrategicMerge', () => {
  const containers = [
    { name: 'a', image: '1' },
    { name: 'b', image: '1' },
  ];
  const rows: Record<string, [target: JsonObject, patch: unknown, expected: unknown]> = {
    'merges containers by name': [
      { containers },
      { containers: [{ name: 'b', image: '2' }] },
      { containers: [containers[0], { name: 'b', image: '2' }] },
    ],
    'leaves an element where it was': [
      { containers },
      { containers: [{ name: 'a', image: '2' }] },
      { containers: [{ name: 'a', image: '2' }, containers[1]] },
    ],
    'puts a new element before those it does not name': [
      { env: [{ name: 'A', value: '1' }] },
      { env: [{ name: 'B', value: '2' }] },
      {
        env: [
          { name: 'B', value: '2' },
          { name: 'A', value: '1' },
        ],
      },
    ],
    'follows an explicit order': [
      { containers },
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'a', image: '2' }] },
      {
        containers: [
          { name: 'b', image: '1' },
          { name: 'a', image: '2' },
        ],
      },
    ],
    'deletes an element': [
      { containers },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [containers[1]] },
    ],
    'replaces a list': [
      { containers },
      { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      { containers: [{ name: 'c' }] },
    ],
    'replaces an object': [{ a: { x: 1 } }, { a: { $patch: 'replace', y: 2 } }, { a: { y: 2 } }],
    'replaces lists without a key': [
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
    'keeps only retained keys': [
      { strategy: { type: 'RollingUpdate', rollingUpdate: {} } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    'merges finalizers as a set': [{ finalizers: ['a'] }, { finalizers: ['a', 'b'] }, { finalizers: ['a', 'b'] }],
    'removes from a list of plain values': [
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'] },
      { finalizers: ['b'] },
    ],
    'removes a field set to null': [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
    'refuses an element without its key': [
      { containers },
      { containers: [{ image: 'x' }] },
      '500: map: map[image:x] does not contain declared merge key: name',
    ],
    'refuses an unknown directive': [{}, { $patch: 'twist' }, '400: Unknown patch type found: twist'],
  };
  it.each(Object.entries(rows))('%s', (_, [target, patch, expected]) => {
    expect(outcome(() => applyStrategicMerge(target, patch, 'Deployment'))).toEqual(expected);
  });

  it("finds a Service's ports by their number", () => {
    const target = { ports: [{ port: 80, targetPort: 1 }] };
    expect(applyStrategicMerge(target, { ports: [{ port: 80, targetPort: 2 }] }, 'Service')).toEqual({
      ports: [{ port: 80, targetPort: 2 }],
    });
  });
});
