import { describe, expect, it } from 'vitest';
import { type ClusterPast, clusterState } from './cluster-state.ts';

describe('where the cluster is', () => {
  it.each<[string, ClusterPast, string]>([
    ['never hibernated', { hasRecords: false }, 'awake'],
    ['records that a controller left which died in the end of a hibernation', { hasRecords: true }, 'hibernated'],
    ['left asleep', { phase: 'hibernated', hasRecords: true }, 'hibernated'],
    ['left asleep with nothing to lower', { phase: 'hibernated', hasRecords: false }, 'hibernated'],
    ['left awake, with what could not be raised', { phase: 'awake', hasRecords: true }, 'awake'],
    ['on its way up', { running: 'wake', phase: 'hibernated', hasRecords: true }, 'waking'],
    ['on its way down', { running: 'hibernation', phase: 'awake', hasRecords: true }, 'hibernating'],
  ])('%s', (_, past, state) => {
    expect(clusterState(past)).toBe(state);
  });
});
