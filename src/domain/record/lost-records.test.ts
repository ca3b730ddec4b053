import { describe, expect, it } from 'vitest';
import { cronJob, deployment, hibernated, recordOf, suspendedByUs } from '../../../test/support/builders/workloads.ts';
import { annotations } from '../names.ts';
import { type Workload, workloadKey } from '../workload.ts';
import { lostRecords } from './lost-records.ts';
import type { WorkloadRecord } from './record.ts';

describe('records rebuilt from the marks', () => {
  const rows: [string, Workload, WorkloadRecord[], string[]][] = [
    ['lowered by us, no record', hibernated(3), [], ['Deployment shop/cart 3']],
    ['suspended by us, no record', suspendedByUs(), [], ['CronJob shop/report false']],
    ['lowered by us and recorded', hibernated(3), [recordOf()], []],
    [
      'recorded for an earlier object of that name',
      hibernated(3, { uid: 'uid-2' }),
      [recordOf()],
      ['Deployment shop/cart 3'],
    ],
    ['a copy of a hibernated workload', { ...hibernated(3), uid: 'copy' }, [], []],
    [
      'raised by its owner since: recorded as it stands, so that the mark goes',
      hibernated(3, { replicas: 2 }),
      [],
      ['Deployment shop/cart 2'],
    ],
    [
      'a mark that is no count',
      deployment({
        replicas: 0,
        annotations: { [annotations.hibernatedReplicas]: 'x', [annotations.markedUid]: 'uid-1' },
      }),
      [],
      [],
    ],
    ['never ours', deployment(), [], []],
    ['suspended by its owner', cronJob({ suspended: true }), [], []],
    ['being deleted', hibernated(3, { deleting: true }), [], []],
  ];
  it.each(rows)('%s', (_, workload, records, expected) => {
    const known = new Map(records.map((record) => [workloadKey(record), record]));
    const found = lostRecords([workload], known, 9);
    expect(found.map((r) => `${workloadKey(r)} ${'replicas' in r ? r.replicas : r.suspended}`)).toEqual(expected);
    expect(found.every((record) => record.uid === workload.uid && record.at === 9)).toBe(true);
  });
});
