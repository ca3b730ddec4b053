import { describe, expect, it } from 'vitest';
import { byDeletionPreference } from './deletion-preference.ts';
import type { StoredPod } from './machinery/typed-store.ts';

interface Shape {
  readonly node?: string;
  readonly phase?: string;
  readonly readySince?: string;
  readonly cost?: string;
  readonly restarts?: number;
  readonly created?: string;
}

const pod = (name: string, { node, phase = 'Running', readySince, cost, restarts = 0, created = '08:00' }: Shape) =>
  ({
    metadata: {
      name,
      creationTimestamp: `2026-01-05T${created}:00Z`,
      ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: node === undefined ? {} : { nodeName: node },
    status: {
      phase,
      conditions:
        readySince === undefined
          ? []
          : [{ type: 'Ready', status: 'True', lastTransitionTime: `2026-01-05T${readySince}:00Z` }],
      containerStatuses: [{ name: 'app', restartCount: restarts }],
    },
  }) as unknown as StoredPod; // Only what the preference looks at.

const ready = { node: 'n1', readySince: '08:30' };

describe('byDeletionPreference', () => {
  const rows: Record<string, [kept: Shape, first: Shape]> = {
    'one without a node before one that has it': [{ node: 'n1', phase: 'Pending' }, { phase: 'Pending' }],
    'a pending one before a running one': [{ node: 'n1' }, { node: 'n2', phase: 'Pending' }],
    'an unready one before a ready one': [ready, { node: 'n2' }],
    'the cheaper one': [
      { ...ready, cost: '10' },
      { ...ready, node: 'n2', cost: '-5' },
    ],
    'the one that became ready last': [ready, { node: 'n2', readySince: '08:45' }],
    'the one that restarted more often': [ready, { ...ready, node: 'n2', restarts: 3 }],
    'the newer one': [ready, { ...ready, node: 'n2', created: '08:10' }],
  };
  it.each(Object.entries(rows))('gives up %s', (_sentence, [kept, first]) => {
    const pods = [pod('a-kept', kept), pod('b-first', first)];
    expect(byDeletionPreference(pods).map((one) => one.metadata.name)).toEqual(['b-first', 'a-kept']);
  });

  it('gives up one of two on a node before one that stands alone', () => {
    const pods = [pod('a-alone', { ...ready, node: 'n2' }), pod('b', ready), pod('c', ready)];
    expect(byDeletionPreference(pods).map((one) => one.metadata.name)).toEqual(['b', 'c', 'a-alone']);
  });
});
