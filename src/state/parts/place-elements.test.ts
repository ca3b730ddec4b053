import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isScalableKind, type WorkloadKind } from '../../domain/kinds/kinds.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { workloadKey } from '../../domain/workload.ts';
import { ignoredResources } from '../ignored-resources.ts';
import { resourceStates } from '../resource-states.ts';
import { type Place, placeElements } from './place-elements.ts';

const at = Date.parse('2026-11-13T19:00:00Z');
const rules = resourceStates.elements!;

const record = fc
  .record({
    kind: fc.constantFrom<WorkloadKind>('Deployment', 'StatefulSet', 'CronJob', 'ScaledObject'),
    namespace: fc.constantFrom('shop', 'n'.repeat(63)),
    name: fc.integer({ min: 0, max: 60 }).map((number) => `app-${number}`),
    uid: fc.uuid(),
    count: fc.integer({ min: 0, max: 2_147_483_647 }),
    before: fc.option(fc.constantFrom('"1"', 'false', `"${'ü'.repeat(500)}"`), { nil: undefined }),
    at: fc.constantFrom(at, at + 1, at + 60_000),
    provisional: fc.boolean(),
    tonight: fc.option(fc.constantFrom('raised' as const, 'lowered again' as const), { nil: undefined }),
  })
  .map(({ kind, count, before, provisional, tonight, ...rest }): WorkloadRecord => {
    const more = {
      ...rest,
      ...(provisional ? ({ provisional: true } as const) : {}),
      ...(tonight && { tonight }),
    };
    if (isScalableKind(kind)) return { kind, ...more, replicas: count };
    if (kind === 'CronJob' || before === undefined) return { kind, ...more, suspended: count % 2 === 0 };
    return { kind, ...more, suspended: false, before };
  });
const list = fc.uniqueArray(record, { selector: workloadKey, maxLength: 40 });
const room = fc.record({ state: fc.integer({ min: -50, max: 3_000 }), part: fc.integer({ min: 1, max: 3_000 }) });

/** What the placement makes of the places, as the next one finds them. */
function placed(
  places: readonly Place[],
  { inState, kept, added }: ReturnType<typeof placeElements>,
): readonly Place[] {
  return [
    { elements: inState },
    ...kept.map((name) => places.find((place) => place.name === name)!),
    ...added.map((elements, index) => ({ name: `new-${index}`, elements })),
  ];
}

const keysOf = (places: readonly Place[]) =>
  places.flatMap(({ elements }) => elements.map((element) => JSON.stringify(element))).toSorted();

describe('a list that is spread over places', () => {
  it('is left where it is when it was found again, whatever the order of its fields', () => {
    const ignored = { kind: 'CronJob', namespace: 'data', name: 'c1', reason: 'excluded' } as const;
    const { name, reason, ...rest } = ignored;
    const places = [{ elements: [] }, { name: 'svc-state-3', elements: [{ ...rest, reason, name }] }];
    const room = { state: 0, part: 700 };
    expect(placeElements([ignored], places, ignoredResources.elements!, room)).toEqual({
      inState: [],
      kept: ['svc-state-3'],
      added: [],
    });
  });

  it('is there whole and once, whatever was where before', () => {
    fc.assert(
      fc.property(list, list, room, room, (first, second, firstRoom, secondRoom) => {
        const before = placed([], placeElements(first, [{ elements: [] }], rules, firstRoom));
        const now = placed(before, placeElements(second, before, rules, secondRoom));
        expect(keysOf(now)).toEqual(second.map((one) => JSON.stringify(one)).toSorted());
      }),
    );
  });

  it('that has not changed stays where it is', () => {
    fc.assert(
      fc.property(list, room, (some, sizes) => {
        const before = placed([], placeElements(some, [{ elements: [] }], rules, sizes));
        const { added, kept } = placeElements(structuredClone(some), before, rules, sizes);
        expect([added, kept.length]).toEqual([[], before.length - 1]);
      }),
    );
  });

  it('takes no more room than it was given, but for one element that is larger', () => {
    fc.assert(
      fc.property(list, room, (some, sizes) => {
        const { inState, added } = placeElements(some, [{ elements: [] }], rules, sizes);
        const length = (elements: readonly unknown[]) => resourceStates.encode(elements as WorkloadRecord[])!.length;
        if (inState.length > 0) expect(length(inState)).toBeLessThanOrEqual(sizes.state);
        for (const part of added) if (part.length > 1) expect(length(part)).toBeLessThanOrEqual(sizes.part);
      }),
    );
  });

  const records = (count: number): readonly WorkloadRecord[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'Deployment',
      namespace: 'shop',
      name: `app-${String(index).padStart(3, '0')}`,
      uid: 'u',
      replicas: 2,
      at,
    }));
  const sizes = { state: 600, part: 600 };

  it('rewrites one part for a change of one element', () => {
    const before = placed([], placeElements(records(60), [{ elements: [] }], rules, sizes));
    const changed = records(60).map((one) => (one.name === 'app-059' ? { ...one, uid: 'v' } : one));
    const { kept, added } = placeElements(changed, before, rules, sizes);
    expect([before.length > 3, kept.length, added.length]).toEqual([true, before.length - 2, 1]);
  });

  it('comes back into the state as it shrinks', () => {
    const before = placed([], placeElements(records(60), [{ elements: [] }], rules, sizes));
    const { inState, kept, added } = placeElements(records(60).slice(-5), before, rules, sizes);
    expect([inState.length, kept, added]).toEqual([5, [], []]);
  });
});
