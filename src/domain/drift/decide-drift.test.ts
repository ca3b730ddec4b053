import { describe, expect, it } from 'vitest';
import {
  cronJob,
  deployment,
  hibernated,
  recordOf,
  suspendedByUs,
  suspendRecordOf,
} from '../../../test/support/builders/workloads.ts';
import { fieldManager } from '../names.ts';
import type { WorkloadRecord } from '../record/record.ts';
import { type Workload, workloadKey } from '../workload.ts';
import { type Drift, decideDrift, goingDownInTheNight, noLowerings, raisedByOwner } from './decide-drift.ts';

function driftOf(workload: Workload | undefined, records: readonly WorkloadRecord[]): string {
  const drifts = decideDrift({
    workloads: workload === undefined ? [] : [workload],
    records: new Map(records.map((record) => [workloadKey(record), record])),
    now: 9,
    quieted: new Map(['cart', 'resumed'].map((name) => [`Deployment shop/${name}`, ['kustomize-controller']])),
    raisedAgain: new Set(['Deployment shop/resumed']),
    lowerings: noLowerings,
  });
  return drifts.map(inWords).join('; ');
}

function inWords(drift: Drift): string {
  if (drift.kind === 'removed') return `removed ${workloadKey(drift.ref)}`;
  if (drift.kind === 'read-first' || drift.kind === 'marked') return drift.kind;
  const { record } = drift;
  if (record === undefined) return drift.kind;
  return `${drift.kind}, record ${'replicas' in record ? record.replicas : `suspended=${record.suspended}`} of ${record.uid}`;
}

describe('what changed under a hibernated cluster', () => {
  const rows: [string, Workload | undefined, WorkloadRecord[], string][] = [
    ['as we left it', hibernated(3), [recordOf()], ''],
    ['could not be lowered', deployment({ replicas: 3 }), [{ ...recordOf(), provisional: true }], 'not-lowered'],
    [
      'could not be lowered, and its owner gave it another count',
      deployment({ replicas: 4 }),
      [{ ...recordOf(), provisional: true }],
      'not-lowered, record 4 of uid-1',
    ],
    [
      'could not be lowered at first, and is down now',
      hibernated(3),
      [{ ...recordOf(), provisional: true }],
      'lowered-late, record 3 of uid-1',
    ],
    [
      'could not be lowered, and its owner took it down',
      deployment({ replicas: 0, replicasSetBy: 'kubectl' }),
      [{ ...recordOf(), provisional: true }],
      'changed-by-owner, record 0 of uid-1',
    ],
    ['created in the night', deployment({ replicas: 2 }), [], 'added, record 2 of uid-1'],
    ['created in the night by what its owner resumed', deployment({ name: 'resumed', replicas: 2 }), [], ''],
    [
      'created in the night at zero by what its owner resumed',
      deployment({ name: 'resumed', replicas: 0 }),
      [],
      'added, record 0 of uid-1',
    ],
    [
      'could not be lowered, and its owner resumed what applies it',
      deployment({ name: 'resumed', replicas: 3 }),
      [{ ...recordOf({ name: 'resumed' }), provisional: true }],
      '',
    ],
    ['created in the night at zero', deployment({ replicas: 0 }), [], 'added, record 0 of uid-1'],
    ['created in the night with more than could be given back', deployment({ replicas: 10_001 }), [], ''],
    [
      'could not be lowered, and has more than could be given back by now',
      deployment({ replicas: 10_001 }),
      [{ ...recordOf(), provisional: true }],
      '',
    ],
    ['recreated in the night', deployment({ uid: 'uid-2' }), [recordOf()], 'added, record 3 of uid-2'],
    [
      'scaled up by its owner, our mark still on it',
      hibernated(3, { replicas: 2 }),
      [recordOf()],
      'changed-by-owner, record 2 of uid-1',
    ],
    [
      'raised by what applies it and is quiet: that was under way, and it is lowered again',
      hibernated(3, { replicas: 4, replicasSetBy: 'kustomize-controller' }),
      [recordOf()],
      'not-lowered, record 4 of uid-1',
    ],
    [
      'raised by what is quiet, and another that applies it is resumed: it would only be raised again',
      hibernated(3, { name: 'resumed', replicas: 4, replicasSetBy: 'kustomize-controller' }),
      [recordOf({ name: 'resumed' })],
      'changed-by-owner, record 4 of uid-1',
    ],
    [
      'raised by somebody else beside it',
      hibernated(3, { replicas: 4, replicasSetBy: 'kubectl' }),
      [recordOf()],
      'changed-by-owner, record 4 of uid-1',
    ],
    [
      'scaled up by its owner earlier, the record follows',
      deployment({ replicas: 2 }),
      [recordOf({ replicas: 2, tonight: 'raised' })],
      '',
    ],
    ['up as it was, and nobody knows by whom', deployment({ replicas: 2 }), [recordOf({ replicas: 2 })], 'read-first'],
    [
      'up as it was by a raise of ours that came too late',
      deployment({ replicas: 2, replicasSetBy: fieldManager }),
      [recordOf({ replicas: 2 })],
      'not-lowered',
    ],
    [
      'put back whole by its owner',
      deployment({ replicas: 2, replicasSetBy: 'shop-operator' }),
      [recordOf({ replicas: 2 })],
      'changed-by-owner, record 2 of uid-1',
    ],
    [
      'scaled again by its owner',
      deployment({ replicas: 4 }),
      [recordOf({ replicas: 2 })],
      'changed-by-owner, record 4 of uid-1',
    ],
    [
      'at zero by its owner before the night and scaled up in it',
      deployment({ replicas: 4 }),
      [recordOf({ replicas: 0 })],
      'changed-by-owner, record 4 of uid-1',
    ],
    ['zeroed without our mark: look', deployment({ replicas: 0 }), [recordOf()], 'read-first'],
    [
      'zeroed by its owner',
      deployment({ replicas: 0, replicasSetBy: 'kubectl' }),
      [recordOf()],
      'changed-by-owner, record 0 of uid-1',
    ],
    [
      'our zero, the mark stripped by some tool',
      deployment({ replicas: 0, replicasSetBy: fieldManager }),
      [recordOf()],
      '',
    ],
    [
      'a copy of a hibernated workload is added at its own zero',
      { ...hibernated(3), uid: 'copy' },
      [],
      'added, record 0 of copy',
    ],
    ['deleted', undefined, [recordOf()], 'removed Deployment shop/cart'],
    ['being deleted', hibernated(3, { deleting: true }), [recordOf()], ''],
    ['a CronJob created in the night', cronJob(), [], 'added, record suspended=false of uid-cron'],
    [
      'a CronJob resumed by its owner',
      suspendedByUs({ suspended: false }),
      [suspendRecordOf()],
      'changed-by-owner, record suspended=false of uid-cron',
    ],
    [
      'resumed by its owner to what the record says, and told already: only the mark goes',
      suspendedByUs({ suspended: false }),
      [suspendRecordOf({ tonight: 'raised' })],
      'marked',
    ],
    [
      'scaled by its owner to the very count of the record is told too',
      hibernated(3, { replicas: 3 }),
      [recordOf({ at: 5 })],
      'changed-by-owner, record 3 of uid-1',
    ],
    ['a CronJob suspended without our mark: look', cronJob({ suspended: true }), [suspendRecordOf()], 'read-first'],
    [
      'a CronJob suspended by its owner in the night',
      cronJob({ suspended: true, suspendSetBy: 'kubectl' }),
      [suspendRecordOf()],
      'changed-by-owner, record suspended=true of uid-cron',
    ],
    [
      'our suspension of a CronJob, the mark stripped by some tool',
      cronJob({ suspended: true, suspendSetBy: fieldManager }),
      [suspendRecordOf()],
      '',
    ],
    ['a CronJob as we left it', suspendedByUs(), [suspendRecordOf()], ''],
    ['a CronJob its owner suspended', cronJob({ suspended: true }), [suspendRecordOf({ suspended: true })], ''],
  ];
  it.each(rows)('%s', (_, workload, records, expected) => {
    expect(driftOf(workload, records)).toBe(expected);
  });
});

it('what is lowered again, and has another count meanwhile, is lowered again once all the same', () => {
  const known = recordOf({ provisional: true, tonight: 'lowered again' });
  const workload = deployment({ replicas: 5 });
  const [drift] = decideDrift({
    workloads: [workload],
    records: new Map([[workloadKey(workload), known]]),
    now: 9,
    quieted: new Map(),
    raisedAgain: new Set(),
    lowerings: noLowerings,
  });
  expect(drift).toMatchObject({ kind: 'not-lowered', record: { ...known, replicas: 5, at: 9 } });
});

describe('what a cluster that sleeps takes down', () => {
  const rows: [string, Workload, WorkloadRecord | undefined, boolean][] = [
    ['what came in the night', deployment({ replicas: 2 }), undefined, true],
    ['what came at zero', deployment({ replicas: 0 }), undefined, false],
    ['another object of the same name', deployment({ uid: 'uid-2' }), recordOf(), true],
    ['what could not be lowered', deployment({ replicas: 3 }), { ...recordOf(), provisional: true }, true],
    ['what sleeps', hibernated(3), recordOf(), false],
    ['not what would be raised again', deployment({ name: 'resumed', replicas: 2 }), undefined, false],
    ['not what is being deleted', deployment({ replicas: 2, deleting: true }), undefined, false],
    ['not what its owner raised, our mark still on it', hibernated(3, { replicas: 2 }), recordOf(), false],
    ['not what its owner raised, noted already', deployment({ replicas: 3 }), recordOf({ at: 6 }), false],
    ['not a CronJob that its owner resumed', suspendedByUs({ suspended: false }), suspendRecordOf(), false],
  ];
  it.each(rows)('%s', (_, workload, record, expected) => {
    const records = new Map(record === undefined ? [] : [[workloadKey(record), record]]);
    const raisedAgain = new Set(['Deployment shop/resumed']);
    const down = goingDownInTheNight({ workloads: [workload], records, raisedAgain });
    expect(down).toEqual(expected ? [workload] : []);
  });
});

describe('what its owner raised in the night', () => {
  const raised: WorkloadRecord = { ...recordOf(), tonight: 'raised' };

  it.each([
    ['the object that was raised', deployment({ replicas: 3 }), true],
    ['another one of its name', deployment({ replicas: 3, uid: 'uid-2' }), false],
    ['the same with another count', deployment({ replicas: 4 }), false],
    ['the same at zero', deployment({ replicas: 0 }), false],
  ])('%s', (_, workload, is) => expect(raisedByOwner(workload, raised)).toBe(is));
});

describe('what we have taken down before in this night', () => {
  const quieted = new Map([['Deployment shop/cart', ['kustomize-controller']]]);
  const decided = (workload: Workload, record: WorkloadRecord | undefined, times: number, timesByName = times) =>
    decideDrift({
      workloads: [workload],
      records: new Map(record === undefined ? [] : [[workloadKey(record), record]]),
      now: 9,
      quieted,
      raisedAgain: new Set(),
      lowerings: { ...noLowerings, times: () => times, timesByName: () => timesByName },
    }).map(({ kind }) => kind);

  it('is its owner’s where it is put back whole, though it would not go down in the evening', () => {
    const provisional = recordOf({ provisional: true });
    expect(decided(deployment(), provisional, 0)).toEqual(['not-lowered']);
    expect(decided(deployment(), provisional, 1)).toEqual(['changed-by-owner']);
  });

  it('is another one’s of us where our own manager raised it', () => {
    const raised = deployment({ replicasSetBy: fieldManager });
    expect(decided(raised, recordOf({ provisional: true }), 1)).toEqual(['not-lowered']);
  });

  it('is ours where nobody set what stands, and a raise of ours may still arrive', () => {
    const drifts = (mayBeRaisedLate: boolean) =>
      decideDrift({
        workloads: [cronJob({ suspendSetBy: '' })],
        records: new Map([[workloadKey(cronJob()), suspendRecordOf()]]),
        now: 9,
        quieted,
        raisedAgain: new Set(),
        lowerings: { ...noLowerings, mayBeRaisedLate: () => mayBeRaisedLate },
      }).map(({ kind }) => kind);
    expect([drifts(true), drifts(false)]).toEqual([['not-lowered'], ['changed-by-owner']]);
  });

  it('under way is the record of this very object alone', () => {
    const raised = hibernated(2, { uid: 'uid-2', replicas: 5, replicasSetBy: 'kustomize-controller' });
    const stored = recordOf({ replicas: 5, provisional: true, tonight: 'lowered again' });
    expect(decided(raised, stored, 0)).toEqual(['added']);
  });

  it('is its owner’s where it is created anew for the third time', () => {
    expect(decided(deployment(), undefined, 0, 2)).toEqual(['added']);
    expect(decided(deployment(), undefined, 0, 3)).toEqual(['changed-by-owner']);
    expect(decided(deployment({ replicas: 0 }), undefined, 0, 3)).toEqual(['added']);
  });

  it('is lowered again in passing once, and only to a count that could be given back', () => {
    const raised = (replicas: number) => hibernated(2, { replicas, replicasSetBy: 'kustomize-controller' });
    expect(decided(raised(5), recordOf(), 1)).toEqual(['not-lowered']);
    expect(decided(raised(5), recordOf(), 2)).toEqual(['changed-by-owner']);
    expect(decided(raised(10_001), recordOf(), 1)).toEqual(['changed-by-owner']);
  });
});
