import { describe, expect, it } from 'vitest';
import { commandsFor } from './by-hand.ts';

describe('what to type', () => {
  it('for a workload with pods names it and its namespace', () => {
    const lines = commandsFor({ kind: 'StatefulSet', namespace: 'shop', name: 'db' }).map(({ line }) => line);
    expect(lines).toEqual([
      'kubectl describe statefulset/db -n shop',
      'kubectl get pods -n shop -o wide',
      'kubectl get events -n shop --sort-by=.lastTimestamp',
      'kubectl logs statefulset/db -n shop --all-containers --tail=100',
    ]);
  });

  it('for a CronJob asks for its runs', () => {
    const lines = commandsFor({ kind: 'CronJob', namespace: 'shop', name: 'sync' }).map(({ line }) => line);
    expect(lines).toEqual([
      'kubectl describe cronjob/sync -n shop',
      'kubectl get jobs -n shop --sort-by=.metadata.creationTimestamp',
    ]);
  });
});
