import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRecords, type WorkloadRecord } from '../domain/record/record.ts';
import { workloadKey } from '../domain/workload.ts';
import { resourceStates } from './resource-states.ts';
import { stateSize, stateSizeLimits } from './size.ts';

const at = Date.parse('2026-11-13T19:00:00Z');
const uid = '9f1c2d3e-4b5a-4c6d-8e7f-0123456789ab';
const cart: WorkloadRecord = { kind: 'Deployment', namespace: 'shop', name: 'cart', uid, replicas: 3, at };
const web: WorkloadRecord = { ...cart, name: 'web', replicas: 2 };
const report: WorkloadRecord = { kind: 'CronJob', namespace: 'shop', name: 'report', uid, suspended: false, at };

const one = '{"kind":"Deployment","namespace":"shop","name":"cart","uid":"u","replicas":3,"at":"2026-11-13T19:00:00Z"}';

describe('resource_states', () => {
  it('writes a lone workload as one element and workloads of one kind, namespace and time as a group, a line each', () => {
    expect(resourceStates.encode([web, report, cart])).toBe(`[
{"kind":"CronJob","namespace":"shop","name":"report","uid":"${uid}","suspended":false,"at":"2026-11-13T19:00:00Z"},
{"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","replicasAndUid":{
"cart":"3 ${uid}",
"web":"2 ${uid}"}}
]`);
  });

  it('reads both forms, in one value and with fields it does not know', () => {
    const text = `[
      {"kind":"Deployment","namespace":"shop","name":"cart","uid":"${uid}","replicas":3,"at":"2026-11-13T19:00:00.000Z","note":"x"},
      {"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","note":"x","replicasAndUid":{"web":"2 ${uid}"}}
    ]`;
    expect(resourceStates.decode(text)).toEqual({ ok: true, value: [cart, web] });
  });

  const empty: Record<string, string | undefined> = { 'an absent key': undefined, 'an empty array': '[]' };
  for (const [name, text] of Object.entries(empty)) {
    it(`takes ${name} as empty`, () => expect(resourceStates.decode(text)).toEqual({ ok: true, value: [] }));
  }
  it('writes empty as an empty array', () => expect(resourceStates.encode([])).toBe('[]'));

  const undecodable: Record<string, [string, string]> = {
    'blank text, which may be what a failed write left': ['', 'it is blank.'],
    'text that is no JSON': ['not json', 'it is not valid JSON.'],
    'an array cut off in the middle': [`[${one},`, 'it is not valid JSON.'],
    'an object': ['{}', 'it must be an array, not an object.'],
    null: ['null', 'it must be an array, not null.'],
    'an element that is a text': ['["cart"]', 'entry 1 must be an object, not "cart".'],
    'a kind that none can have': [
      `[${one.replace('Deployment', 'a kind')}]`,
      'entry 1, field kind must be a kind, not "a kind".',
    ],
    'a count of a kind that is switched': [
      `[${one.replace('Deployment', 'Pool')}]`,
      'entry 1, field suspended must be true or false, not absent.',
    ],
    'a name that cannot exist': [
      `[${one},${one.replace('cart', '../x')}]`,
      'entry 2, field name must be a Kubernetes name, not "../x".',
    ],
    'a missing uid': [
      `[${one.replace('"uid":"u",', '')}]`,
      'entry 1, field uid must be a text that is not empty, not absent.',
    ],
    'negative replicas': [
      `[${one.replace(':3', ':-1')}]`,
      'entry 1, field replicas must be a whole number from 0 to 2147483647, not -1.',
    ],
    'half a replica': [
      `[${one.replace(':3', ':1.5')}]`,
      'entry 1, field replicas must be a whole number from 0 to 2147483647, not 1.5.',
    ],
    'replicas as text': [
      `[${one.replace(':3', ':"3"')}]`,
      'entry 1, field replicas must be a whole number from 0 to 2147483647, not "3".',
    ],
    'more replicas than Kubernetes can hold': [
      `[${one.replace(':3', ':2147483648')}]`,
      'entry 1, field replicas must be a whole number from 0 to 2147483647, not 2147483648.',
    ],
    'a CronJob with replicas in place of suspended': [
      `[${one.replace('Deployment', 'CronJob')}]`,
      'entry 1, field suspended must be true or false, not absent.',
    ],
    'a day that does not exist': [
      `[${one.replace('11-13', '02-30')}]`,
      'entry 1, field at must be a UTC time such as 2026-01-31T18:00:00Z, not "2026-02-30T19:00:00Z".',
    ],
    'a time with an offset': [
      `[${one.replace('00Z', '00+01:00')}]`,
      'entry 1, field at must be a UTC time such as 2026-01-31T18:00:00Z, not "2026-11-13T19:00:00+01:00".',
    ],
    'the same workload twice': [`[${one},${one}]`, 'Deployment shop/cart is there twice.'],
    'the same workload alone and in a group': [
      `[${one},{"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","replicasAndUid":{"cart":"9 u"}}]`,
      'Deployment shop/cart is there twice.',
    ],
    'a bad count inside a group': [
      '[{"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","replicasAndUid":{"cart":"-1 u"}}]',
      'entry 1, workload cart must be a whole number from 0 to 2147483647 and a uid, with one space between, not "-1 u".',
    ],
    'a count without a uid in a group': [
      '[{"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","replicasAndUid":{"cart":3}}]',
      'entry 1, workload cart must be a whole number from 0 to 2147483647 and a uid, with one space between, not 3.',
    ],
    'a count that Kubernetes cannot hold in a group': [
      '[{"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","replicasAndUid":{"cart":"2147483648 u"}}]',
      'entry 1, workload cart must be a whole number from 0 to 2147483647 and a uid, with one space between, not "2147483648 u".',
    ],
    'a count for a CronJob in a group': [
      '[{"kind":"CronJob","namespace":"shop","at":"2026-11-13T19:00:00Z","suspendedAndUid":{"report":"1 u"}}]',
      'entry 1, workload report must be true or false and a uid, with one space between, not "1 u".',
    ],
    'a prototype as a name': [
      '[{"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","replicasAndUid":{"__proto__":"1 u"}}]',
      'a name in entry 1 must be a Kubernetes name, not "__proto__".',
    ],
    'a night of which nobody knows': [
      `[${one.replace('"replicas"', '"tonight":"stolen","replicas"')}]`,
      'entry 1, field tonight must be one of raised, lowered again, not "stolen".',
    ],
    'a long value, which is cut in the message': [
      `[${one.replace('"cart"', `"${'X'.repeat(500)}"`)}]`,
      `entry 1, field name must be a Kubernetes name, not "${'X'.repeat(58)}….`,
    ],
  };
  for (const [name, [text, why]] of Object.entries(undecodable)) {
    it(`refuses ${name}`, () => {
      const message = `The value of resource_states in ConfigMap svc-state cannot be decoded: ${why}`;
      expect(resourceStates.decode(text)).toEqual({ ok: false, message });
    });
  }

  it('keeps the record of a kind that nobody describes any more', () => {
    const text = one.replace('Deployment', 'Pool').replace('"replicas":3', '"suspended":false,"before":3');
    expect(resourceStates.decode(`[${text}]`)).toMatchObject({
      ok: true,
      value: [{ kind: 'Pool', suspended: false, before: '3' }],
    });
  });

  it('decodes a count that is not plausible, because one such record must not hide the others', () => {
    const decoded = resourceStates.decode(`[${one.replace(':3', ':100000')}]`);
    expect(decoded.ok && decoded.value[0]).toMatchObject({ replicas: 100_000 });
  });

  it('decode undoes encode, and the text does not depend on the order of the records', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyRecord, { selector: workloadKey, maxLength: 30 }), (records) => {
        const text = resourceStates.encode(records);
        expect(text).toBe(resourceStates.encode(records.toReversed()));
        const decoded = resourceStates.decode(text);
        expect(decoded.ok && decoded.value.toSorted(compareRecords)).toEqual(records.toSorted(compareRecords));
        expect(decoded.ok && resourceStates.encode(decoded.value)).toBe(text);
      }),
    );
  });

  it('holds 8,000 workloads with their uids under the warning size, at 80 bytes each', () => {
    // 200 namespaces of 12 characters, three kinds in each, names of 22 characters, one night's two tiers.
    const bytes = stateSize({ resource_states: resourceStates.encode(cluster(8_000, 22)) ?? '' }).bytes;
    expect(bytes).toBe(636_702);
    expect(Math.round(bytes / 8_000)).toBe(80);
    expect(bytes).toBeLessThan(stateSizeLimits.warning);
  });

  it('holds 8,000 workloads with names of 32 characters under the warning size', () => {
    const bytes = stateSize({ resource_states: resourceStates.encode(cluster(8_000, 32)) ?? '' }).bytes;
    expect(bytes).toBeLessThan(stateSizeLimits.warning);
  });
});

const anyName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,8}[a-z0-9])?$/);
const shared = {
  namespace: fc.constantFrom('shop', 'bank', 'a'),
  name: anyName,
  uid: fc.uuid(),
  at: fc.integer({ min: 0, max: 3 }).map((seconds) => at + seconds * 500),
};
const anyNight = fc.record(
  { provisional: fc.constant(true as const), tonight: fc.constantFrom('raised' as const, 'lowered again' as const) },
  { requiredKeys: [] },
);
const anyRecord: fc.Arbitrary<WorkloadRecord> = fc
  .tuple(
    fc.oneof(
      fc.record({
        kind: fc.constantFrom('Deployment' as const, 'StatefulSet' as const),
        replicas: fc.integer({ min: 0, max: 2_147_483_647 }),
        ...shared,
      }),
      fc.record({ kind: fc.constant('CronJob' as const), suspended: fc.boolean(), ...shared }),
    ),
    anyNight,
  )
  .map(([record, night]) => ({ ...record, ...night }));

function cluster(size: number, nameLength: number): WorkloadRecord[] {
  const namespaces = 200;
  return Array.from({ length: size }, (_, index) => {
    const namespace = `namespace-${String(index % namespaces).padStart(2, '0')}`.padEnd(12, 'x');
    const name = `w-${index}`.padEnd(nameLength, 'x');
    const which = Math.floor(index / namespaces) % 10;
    const ref = { namespace, name, uid, at: at + (which % 2) * 60_000 };
    if (which < 7) return { ...ref, kind: 'Deployment', replicas: 3 };
    if (which < 9) return { ...ref, kind: 'StatefulSet', replicas: 3 };
    return { ...ref, kind: 'CronJob', suspended: false };
  });
}

describe('what stood at a place before', () => {
  const so = { kind: 'ScaledObject', namespace: 'shop', uid, suspended: false, at } as const;

  it('is stored as the value that it is, alone, beside those where nothing stood', () => {
    const records: WorkloadRecord[] = [
      { ...so, name: 'a' },
      { ...so, name: 'b' },
      { ...so, name: 'c', before: '"1"' },
      { ...so, name: 'd', kind: 'Kustomization', before: 'false' },
    ];
    const text = resourceStates.encode(records);
    expect(text?.split('\n')).toEqual([
      '[',
      `{"kind":"Kustomization","namespace":"shop","name":"d","uid":"${uid}","suspended":false,"before":false,"at":"2026-11-13T19:00:00Z"},`,
      '{"kind":"ScaledObject","namespace":"shop","at":"2026-11-13T19:00:00Z","suspendedAndUid":{',
      `"a":"false ${uid}",`,
      `"b":"false ${uid}"}},`,
      `{"kind":"ScaledObject","namespace":"shop","name":"c","uid":"${uid}","suspended":false,"before":"1","at":"2026-11-13T19:00:00Z"}`,
      ']',
    ]);
    expect(resourceStates.decode(text)).toEqual({ ok: true, value: records.toSorted(compareRecords) });
  });

  it('is nothing where somebody wrote null', () => {
    const text = JSON.stringify([{ ...so, name: 'a', at: '2026-11-13T19:00:00Z', before: null }]);
    expect(resourceStates.decode(text)).toEqual({ ok: true, value: [{ ...so, name: 'a' }] });
  });
});
