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
import { annotations } from '../names.ts';
import type { SuspendRecord, WorkloadRecord } from '../record/record.ts';
import { type Workload, workloadKey } from '../workload.ts';
import { decideTier } from './decide-tier.ts';

interface Case {
  readonly records?: readonly WorkloadRecord[];
  readonly respected?: readonly string[];
  readonly hasPods?: boolean;
  readonly wasLowered?: boolean;
}

/** What is decided about one workload, in one line; empty when there is nothing left to do. */
function decided(
  workload: Workload,
  { records = [], respected = [], hasPods = false, wasLowered = false }: Case = {},
): string {
  const decision = decideTier({
    members: [workload],
    records: new Map(records.map((record) => [workloadKey(record), record])),
    respected: new Set(respected),
    hasPods: () => hasPods,
    wasLowered: () => wasLowered,
    now: 9,
  });
  return [
    ...decision.record.map(
      (record) => `record ${'replicas' in record ? record.replicas : levelOf(record)} of ${record.uid}`,
    ),
    ...decision.lower.map(({ count }) => `lower from ${count}`),
    ...decision.suspend.map(() => 'suspend'),
    ...decision.respect.map(() => 'respect'),
    ...decision.draining.map(() => 'wait for its pods'),
  ].join(', ');
}

function levelOf({ suspended, before }: SuspendRecord): string {
  return `suspended=${suspended}${before === undefined ? '' : ` before=${before}`}`;
}

const paused = { kind: 'ScaledObject', name: 'orders', uid: 'uid-so' } as const;

describe('one step of a hibernate tier', () => {
  const rows: [string, Workload, Case, string][] = [
    ['what has no record is recorded, and not lowered yet', deployment(), {}, 'record 3 of uid-1'],
    ['what is recorded as it stands is lowered', deployment(), { records: [recordOf()] }, 'lower from 3'],
    [
      'up without our mark after we had lowered it in this night: put back whole, and left',
      deployment(),
      { records: [recordOf()], wasLowered: true },
      'respect',
    ],
    [
      'the same, with another count, or with no record any more',
      deployment({ replicas: 5 }),
      { wasLowered: true },
      'respect',
    ],
    ['resumed whole after we had suspended it in this night', cronJob(), { wasLowered: true }, 'respect'],
    [
      'a count that changed since it was recorded is recorded again',
      deployment({ replicas: 5 }),
      { records: [recordOf()] },
      'record 5 of uid-1',
    ],
    [
      'a record of an earlier object of that name does not count',
      deployment({ uid: 'uid-2' }),
      { records: [recordOf()] },
      'record 3 of uid-2',
    ],
    [
      'lowered, and its last pods are on their way out, which its status leaves out',
      hibernated(3, { statusReplicas: 0 }),
      { records: [recordOf()], hasPods: true },
      'wait for its pods',
    ],
    [
      'lowered, and its pods are there',
      hibernated(3, { statusReplicas: 2 }),
      { records: [recordOf()] },
      'wait for its pods',
    ],
    ['lowered and gone', hibernated(3, { statusReplicas: 0 }), { records: [recordOf()] }, ''],
    ['our own zero is never recorded: a lost record comes from the mark', hibernated(3), {}, 'record 3 of uid-1'],
    ['at zero by its owner: recorded at 0, never lowered', deployment({ replicas: 0 }), {}, 'record 0 of uid-1'],
    ['at zero by its owner and recorded so', deployment({ replicas: 0 }), { records: [recordOf({ replicas: 0 })] }, ''],
    [
      'at zero without our mark although a count is recorded: the count stays',
      deployment({ replicas: 0 }),
      { records: [recordOf()] },
      '',
    ],
    [
      'raised by its owner while we hibernate: nobody fights',
      hibernated(3, { replicas: 2 }),
      { records: [recordOf()] },
      'respect',
    ],
    [
      'already respected',
      deployment({ replicas: 2 }),
      { records: [recordOf({ replicas: 2 })], respected: ['Deployment shop/cart'] },
      '',
    ],
    ['being deleted', deployment({ deleting: true }), {}, ''],
    ['a CronJob is recorded first', cronJob(), {}, 'record suspended=false of uid-cron'],
    ['then suspended', cronJob(), { records: [suspendRecordOf()] }, 'suspend'],
    ['suspended by us', suspendedByUs(), { records: [suspendRecordOf()] }, ''],
    ['suspended by us, its record lost', suspendedByUs(), {}, 'record suspended=false of uid-cron'],
    [
      'suspended by its owner: recorded so, and left',
      cronJob({ suspended: true }),
      {},
      'record suspended=true of uid-cron',
    ],
    [
      'what stands at the place is recorded',
      scaledObject({ value: '"1"' }),
      {},
      'record suspended=false before="1" of uid-so',
    ],
    [
      'recorded as it stands, value included',
      scaledObject({ value: '"1"' }),
      { records: [suspendRecordOf({ ...paused, before: '"1"' })] },
      'suspend',
    ],
    [
      'a value that changed since it was recorded is recorded again',
      scaledObject({ value: '"2"' }),
      { records: [suspendRecordOf({ ...paused, before: '"1"' })] },
      'record suspended=false before="2" of uid-so',
    ],
    [
      'a value that went since it was recorded is recorded again',
      scaledObject(),
      { records: [suspendRecordOf({ ...paused, before: '"1"' })] },
      'record suspended=false of uid-so',
    ],
    [
      'suspended by us, its record lost: the mark has the value',
      suspendedByUs({ ...paused, annotations: { [annotations.valueBefore]: '"1"' } }),
      {},
      'record suspended=false before="1" of uid-so',
    ],
    [
      'suspended by us, its record lost and its mark made unreadable: nothing is guessed',
      suspendedByUs({ ...paused, annotations: { [annotations.valueBefore]: '{' } }),
      {},
      '',
    ],
    ['a value too long to be kept is not taken', scaledObject({ value: `"${'x'.repeat(1_100)}"` }), {}, ''],
    [
      'resumed by its owner while we hibernate',
      suspendedByUs({ suspended: false }),
      { records: [suspendRecordOf()] },
      'respect',
    ],
  ];
  it.each(rows)('%s', (_, workload, given, expected) => {
    expect(decided(workload, given)).toBe(expected);
  });

  it('a copy that carries our mark with the uid of the original is recorded at its own zero', () => {
    const copy = { ...hibernated(3), uid: 'copy' };
    expect(decided(copy)).toBe('record 0 of copy');
  });
});
