import { describe, expect, it } from 'vitest';
import {
  cronJob,
  deployment,
  hibernated,
  recordOf,
  scaledObject,
  suspendedByUs,
  suspendRecordOf,
} from '../../../test/support/builders/workloads.ts';
import { annotations, fieldManager } from '../names.ts';
import type { WorkloadRecord } from '../record/record.ts';
import type { Switched, Workload } from '../workload.ts';
import { decideRestore } from './decide-restore.ts';

const marked = { [annotations.hibernatedReplicas]: '3' };

/** The act with what matters of it, in one line. */
function actOn(record: WorkloadRecord, workload: Workload | undefined): string {
  const restore = decideRestore(record, workload);
  if (restore.act === 'none') return `none: ${restore.reason}`;
  if (restore.act === 'refuse') return `refuse: ${restore.count}`;
  if (restore.act !== 'raise') return restore.act;
  const reported = restore.disagreement;
  return `raise to ${restore.count}${reported ? `, recorded ${reported.recorded}, annotated ${reported.annotated}` : ''}`;
}

describe('bringing a recorded Deployment back', () => {
  const rows: [string, WorkloadRecord, Workload | undefined, string][] = [
    ['what we lowered returns to its count', recordOf(), hibernated(3), 'raise to 3'],
    [
      'where record and mark disagree, the mark wins and it is reported',
      recordOf({ replicas: 5 }),
      hibernated(3),
      'raise to 3, recorded 5, annotated 3',
    ],
    [
      'a mark that somebody garbled falls back to the record',
      recordOf(),
      deployment({ replicas: 0, annotations: { [annotations.hibernatedReplicas]: 'three' } }),
      'raise to 3',
    ],
    ['a mark of an absurd count falls back to the record', recordOf(), hibernated(999_999_999), 'raise to 3'],
    [
      'a garbled mark beside an absurd record raises nothing',
      recordOf({ replicas: 100_000 }),
      deployment({ replicas: 0, annotations: { [annotations.hibernatedReplicas]: 'x' } }),
      'refuse: 100000',
    ],
    [
      'an absurd record of what is at zero by us, our mark gone, raises nothing',
      recordOf({ replicas: 100_000 }),
      deployment({ replicas: 0, replicasSetBy: fieldManager }),
      'refuse: 100000',
    ],
    [
      'an absurd record of what its owner has at zero has served',
      recordOf({ replicas: 100_000 }),
      deployment({ replicas: 0, replicasSetBy: 'kubectl' }),
      'none: zeroed-by-its-owner',
    ],
    [
      'an absurd record, and the cache cannot tell whose zero it is',
      recordOf({ replicas: 100_000 }),
      deployment({ replicas: 0 }),
      'read-first',
    ],
    [
      'a workload recorded at 0 stays at 0',
      recordOf({ replicas: 0 }),
      deployment({ replicas: 0 }),
      'none: recorded-at-zero',
    ],
    ['scaled up by its owner in the night: only the mark goes', recordOf(), hibernated(3, { replicas: 2 }), 'disown'],
    ['already up', recordOf(), deployment({ replicas: 3 }), 'none: up'],
    [
      'at zero without our mark: the cache cannot tell whose zero it is',
      recordOf(),
      deployment({ replicas: 0 }),
      'read-first',
    ],
    [
      'at zero without our mark, set by us',
      recordOf(),
      deployment({ replicas: 0, replicasSetBy: fieldManager }),
      'raise to 3',
    ],
    [
      'at zero without our mark, set by its owner',
      recordOf(),
      deployment({ replicas: 0, replicasSetBy: 'kubectl' }),
      'none: zeroed-by-its-owner',
    ],
    ['deleted', recordOf(), undefined, 'none: gone'],
    ['being deleted', recordOf(), hibernated(3, { deleting: true }), 'none: being-deleted'],
    [
      'recreated: another object never gets the old count',
      recordOf(),
      hibernated(3, { uid: 'uid-2' }),
      'none: recreated',
    ],
    [
      'a mark without a uid, on the recorded object, is ours',
      recordOf(),
      deployment({ replicas: 0, annotations: marked }),
      'raise to 3',
    ],
  ];
  it.each(rows)('%s', (_, record, workload, act) => {
    expect(actOn(record, workload)).toBe(act);
  });
});

describe('bringing a recorded CronJob back', () => {
  const rows: [string, WorkloadRecord, Workload | undefined, string][] = [
    ['what we suspended resumes', suspendRecordOf(), suspendedByUs(), 'resume'],
    [
      'suspended by its owner before the night stays suspended',
      suspendRecordOf({ suspended: true }),
      cronJob({ suspended: true }),
      'none: suspended-by-its-owner',
    ],
    [
      'suspended by its owner, our mark gone, stays suspended',
      suspendRecordOf(),
      cronJob({ suspended: true, suspendSetBy: 'kubectl' }),
      'none: suspended-by-its-owner',
    ],
    ['suspended, our mark gone: look whose doing it is', suspendRecordOf(), cronJob({ suspended: true }), 'read-first'],
    [
      'suspended by us, our mark stripped by some tool, resumes',
      suspendRecordOf(),
      cronJob({ suspended: true, suspendSetBy: 'svc-controller' }),
      'resume',
    ],
    [
      'resumed by its owner in the night: only the mark goes',
      suspendRecordOf(),
      suspendedByUs({ suspended: false }),
      'disown',
    ],
    ['already running', suspendRecordOf(), cronJob(), 'none: up'],
    [
      'a copy that carries the mark of another object is not ours',
      suspendRecordOf({ uid: 'copy', suspended: true }),
      { ...suspendedByUs(), uid: 'copy' },
      'none: suspended-by-its-owner',
    ],
    [
      'recorded as its owner suspended it, yet marked: the owner keeps it',
      suspendRecordOf({ suspended: true }),
      suspendedByUs(),
      'disown',
    ],
    ['recreated', suspendRecordOf(), suspendedByUs({ uid: 'other' }), 'none: recreated'],
    ['deleted', suspendRecordOf(), undefined, 'none: gone'],
  ];
  it.each(rows)('%s', (_, record, workload, act) => {
    expect(actOn(record, workload)).toBe(act);
  });
});

describe('giving back what stood at the place', () => {
  const ref = { kind: 'ScaledObject', name: 'orders', uid: 'uid-so' } as const;
  const asleep = (before?: string, more: Partial<Switched> = {}) =>
    suspendedByUs({
      ...ref,
      ...(before === undefined ? {} : { annotations: { [annotations.valueBefore]: before } }),
      ...more,
    });
  const rows: [string, WorkloadRecord, Switched, string][] = [
    ['nothing stood there: it is taken away', suspendRecordOf(ref), asleep(), 'nothing'],
    ['the value comes back', suspendRecordOf({ ...ref, before: '"1"' }), asleep('"1"'), '"1"'],
    ['the mark is atomic with the act, so it wins', suspendRecordOf({ ...ref, before: '"2"' }), asleep('"1"'), '"1"'],
    ['also where it says that nothing stood there', suspendRecordOf({ ...ref, before: '"2"' }), asleep(), 'nothing'],
    [
      'a mark that cannot be read leaves it to the record',
      suspendRecordOf({ ...ref, before: '"1"' }),
      asleep('{'),
      '"1"',
    ],
    [
      'a mark that was stripped leaves it to the record',
      suspendRecordOf({ ...ref, before: '"1"' }),
      scaledObject({ suspended: true, suspendSetBy: 'svc-controller' }),
      '"1"',
    ],
  ];
  it.each(rows)('%s', (_, record, workload, expected) => {
    const restore = decideRestore(record, workload);
    expect(restore.act === 'resume' ? (restore.before ?? 'nothing') : restore).toBe(expected);
  });

  it('an owner who pauses at another count in the night keeps it', () => {
    const owners = asleep(undefined, { suspended: false, value: '"3"' });
    expect(decideRestore(suspendRecordOf(ref), owners)).toMatchObject({ act: 'disown' });
  });
});
