import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronJob, deployment, hibernated, suspendedByUs } from '../../../test/support/builders/workloads.ts';
import { annotations } from '../names.ts';
import type { Scalable, Workload } from '../workload.ts';
import { compareRecords, isPlausible, type ReplicaRecord, type SuspendRecord, type WorkloadRecord } from './record.ts';
import { rebuildFromAnnotations, verifyRecords } from './verify.ts';

const now = 1_000_000;
const three: ReplicaRecord = { kind: 'Deployment', namespace: 'shop', name: 'cart', uid: 'uid-1', replicas: 3, at: 5 };
const active: SuspendRecord = {
  kind: 'CronJob',
  namespace: 'shop',
  name: 'report',
  uid: 'uid-cron',
  suspended: false,
  at: 5,
};

function marked(text: string, parts: Partial<Scalable> = {}): Scalable {
  const base = hibernated(1, parts);
  return { ...base, annotations: { ...base.annotations, [annotations.hibernatedReplicas]: text } };
}

describe('rebuilding the records from the annotations', () => {
  it('takes what is down by our hand, and says what it cannot take', () => {
    const copy = { ...hibernated(2, { name: 'copy' }), uid: 'uid-other' };
    const workloads: Workload[] = [
      hibernated(2, { name: 'web' }),
      hibernated(3),
      deployment({ name: 'owner', replicas: 0 }),
      { ...hibernated(2, { name: 'up' }), replicas: 2 },
      hibernated(2, { name: 'leaving', deleting: true }),
      marked('100000', { name: 'huge' }),
      copy,
      suspendedByUs(),
      cronJob({ name: 'owners', suspended: true }),
    ];
    expect(rebuildFromAnnotations(workloads, now)).toEqual({
      records: [
        { ...active, at: now },
        { ...three, at: now },
        { ...three, name: 'web', replicas: 2, at: now },
      ],
      unreadable: [
        'Deployment shop/huge has the annotation "100000", which is no count.',
        'Deployment shop/copy carries the mark of another object: it is a copy, and not ours to raise.',
      ],
    });
  });

  it('gives back exactly the counts that were lowered, and then nothing differs', () => {
    const counts = fc.uniqueArray(
      fc.record({ name: fc.stringMatching(/^[a-z]{1,6}$/), count: fc.integer({ min: 1, max: 10_000 }) }),
      {
        selector: ({ name }) => name,
      },
    );
    fc.assert(
      fc.property(counts, (lowered) => {
        const workloads = lowered.map(({ name, count }) => hibernated(count, { name, uid: `uid-${name}` }));
        const { records, unreadable } = rebuildFromAnnotations(workloads, now);
        expect(unreadable).toEqual([]);
        const expected = lowered.map(({ name, count }) => ({
          ...three,
          name,
          uid: `uid-${name}`,
          replicas: count,
          at: now,
        }));
        expect(records).toEqual(expected.toSorted(compareRecords));
        expect(verifyRecords(records, workloads)).toEqual([]);
      }),
    );
  });
});

describe('verifying the records', () => {
  const rows: Record<string, [WorkloadRecord[], Workload[], string[]]> = {
    'nothing to say of a cluster asleep': [[three, active], [hibernated(3), suspendedByUs()], []],
    'nothing to say of a cluster awake': [[], [deployment(), deployment({ name: 'zero', replicas: 0 })], []],
    'nothing to say of what was down before': [
      [
        { ...three, replicas: 0 },
        { ...active, suspended: true },
      ],
      [deployment({ replicas: 0 }), cronJob({ suspended: true })],
      [],
    ],
    'a workload without a record': [
      [],
      [hibernated(3)],
      ['no-record: Deployment shop/cart carries our mark and has no record.'],
    ],
    'a record without a workload': [
      [three],
      [],
      ['no-workload: Deployment shop/cart has a record and does not exist.'],
    ],
    'a recreated workload': [
      [three],
      [deployment({ uid: 'uid-2' })],
      ['recreated: Deployment shop/cart has uid uid-2, and its record says uid-1.'],
    ],
    'a workload that is up': [[three], [deployment()], ['not-lowered: Deployment shop/cart has a record and is up.']],
    'a CronJob that is up': [[active], [cronJob()], ['not-lowered: CronJob shop/report has a record and is up.']],
    'a stripped annotation': [
      [three],
      [deployment({ replicas: 0 })],
      ['annotation-missing: Deployment shop/cart is down and recorded, and carries no mark.'],
    ],
    'two counts': [
      [three],
      [hibernated(4)],
      ['annotation-differs: Deployment shop/cart has an annotation of 4 and a record of 3; the annotation is used.'],
    ],
    'an annotation that is no count': [
      [three],
      [marked('x')],
      ['annotation-unreadable: Deployment shop/cart has the annotation "x", which is no count; its record is used.'],
    ],
    'a record of 100,000': [
      [{ ...three, replicas: 100_000 }],
      [hibernated(3)],
      ['implausible: Deployment shop/cart has a record that is not plausible.'],
    ],
  };
  for (const [name, [records, workloads, expected]] of Object.entries(rows)) {
    it(name, () => {
      expect(verifyRecords(records, workloads).map(({ kind, message }) => `${kind}: ${message}`)).toEqual(expected);
    });
  }
});

describe('a plausible record', () => {
  const rows: Record<number, boolean> = { 0: true, 10000: true, 10001: false, 100000: false };
  for (const [replicas, plausible] of Object.entries(rows)) {
    it(`of ${replicas} replicas: ${plausible}`, () =>
      expect(isPlausible({ ...three, replicas: Number(replicas) })).toBe(plausible));
  }
  it('of a CronJob always', () => expect(isPlausible(active)).toBe(true));
});
