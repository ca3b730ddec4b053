import { describe, expect, it } from 'vitest';
import { running, T0, withContainers } from '../../../../test/support/wake/scenario.ts';
import type { ContainerTerminated } from './pod.ts';
import { restartsOfPod } from './restart.ts';

const refused: ContainerTerminated = { kind: 'terminated', exitCode: 128, reason: 'StartError' };

describe('the restarts of a pod', () => {
  const three = running('0:05', { restartCount: 3 });
  const nine = running('0:05', { restartCount: 9, lastTerminated: refused });

  it.each([
    ['those of the container that restarted most', [running('0:05'), three], 3],
    ['whichever comes first', [three, running('0:05', { restartCount: 1 })], 3],
    ['without attempts that never ran', [nine], 0],
    ['which take nothing from the others', [three, nine], 3],
  ] as const)('are %s', (_, containers, restarts) => {
    expect(restartsOfPod(withContainers(...containers), T0)).toBe(restarts);
  });

  it('are those of sidecars too, and of no other init container', () => {
    const { containers: _, ...pod } = withContainers();
    const of = (sidecar: boolean) => ({
      ...pod,
      containers: [running('0:05')],
      initContainers: [{ ...three, sidecar }],
    });
    expect([restartsOfPod(of(true), T0), restartsOfPod(of(false), T0)]).toEqual([3, 0]);
  });
});
