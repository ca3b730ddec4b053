import { describe, expect, it } from 'vitest';
import { countParts, downByOwners } from './counts.ts';

describe('the counts of workloads', () => {
  it('say where those are that are not up', () => {
    const counts = { managed: 57, up: 51, starting: 2, down: 3, hibernated: 1, wouldSleep: 53, excluded: 9 };
    expect(countParts(counts)).toEqual(['51 of 57 up', '2 not ready', '1 hibernated', '3 down by their owners']);
  });

  it('say nothing of what there is none of', () => {
    const counts = { managed: 5, up: 5, starting: 0, down: 0, hibernated: 0, wouldSleep: 5, excluded: 1 };
    expect(countParts(counts)).toEqual(['5 of 5 up']);
    expect(downByOwners(0)).toEqual([]);
  });

  it('count one as one', () => {
    expect(downByOwners(1)).toEqual(['1 workload is down by its owner, and nobody touches it.']);
  });
});
