import { describe, expect, it } from 'vitest';
import { deployment, hibernated, recordOf } from '../../../test/support/builders/workloads.ts';
import type { WorkloadRecord } from '../record/record.ts';
import { type Workload, workloadKey } from '../workload.ts';
import { settledRecords } from './settle-records.ts';

const key = workloadKey(recordOf());
const refused = { failed: { [key]: 'denied' } };
const nothing = { failed: {}, respected: [] };
const leftUp = { respected: [key] };
const late: WorkloadRecord = { ...recordOf(), provisional: true };
const raised = recordOf({ tonight: 'raised' });

describe('the record that a hibernation leaves', () => {
  it.each<[string, WorkloadRecord, Workload | undefined, object, WorkloadRecord]>([
    ['of what is down', recordOf(), hibernated(3), nothing, recordOf()],
    ['of what was refused and is up', recordOf(), deployment({ replicas: 3 }), refused, late],
    ['of what was refused at first and is down', recordOf(), hibernated(3), refused, recordOf()],
    ['of what was refused the evening before and is down now', late, hibernated(3), nothing, recordOf()],
    ['of what was refused at first, went down, and was raised by its owner', raised, deployment(), refused, raised],
    ['of what is not seen, and may never have been lowered', recordOf(), undefined, nothing, late],
    ['of what is not seen, and was raised by its owner', raised, undefined, nothing, raised],
    ['of what is not seen and was named', recordOf(), undefined, { ...nothing, only: [key] }, late],
    ['of what is not seen, while others were named', recordOf(), undefined, { ...nothing, only: [] }, recordOf()],
    ['of what was left up before it was lowered', recordOf(), deployment({ replicas: 3 }), leftUp, late],
    ['of what was left up and is down by now', recordOf(), hibernated(3), leftUp, recordOf()],
    ['of what stands as its owner has put it back', recordOf(), deployment({ replicas: 3 }), nothing, recordOf()],
  ])('%s', (_, record, workload, ended, expected) => {
    expect(settledRecords([record], { ...nothing, ...ended, workload: () => workload })).toEqual([expected]);
  });
});
