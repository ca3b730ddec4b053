import { describe, expect, it } from 'vitest';
import { actsNamed, isRenewal, type WakeActs } from './renewal.ts';

const none: WakeActs = { workloadsToRaise: 0, toResume: [], databasesToStart: 0 };

describe('a wake renews the override and nothing else', () => {
  it.each<[string, WakeActs, renewal: boolean, acts: string[]]>([
    ['when nothing has to change', none, true, []],
    ['not when a workload is to be raised', { ...none, workloadsToRaise: 1 }, false, ['1 workload to raise']],
    [
      'not when a CronJob is to be resumed',
      { ...none, toResume: ['CronJob', 'CronJob'] },
      false,
      ['2 CronJobs to resume'],
    ],
    [
      'and names each kind that is resumed',
      { ...none, toResume: ['CronJob', 'ScaledObject', 'CronJob'] },
      false,
      ['2 CronJobs to resume', '1 ScaledObject to resume'],
    ],
    [
      'not when a database is to be started, even though no replica changes',
      { ...none, databasesToStart: 1 },
      false,
      ['1 database to start'],
    ],
    [
      'and says everything that makes it a transition',
      { workloadsToRaise: 3, toResume: ['CronJob'], databasesToStart: 2 },
      false,
      ['3 workloads to raise', '1 CronJob to resume', '2 databases to start'],
    ],
  ])('%s', (_name, acts, renewal, named) => {
    expect(isRenewal(acts)).toBe(renewal);
    expect(actsNamed(acts)).toEqual(named);
  });
});
