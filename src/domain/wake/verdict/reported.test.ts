// A workload whose own status says whether it is up, through whole passes of a wake.

import { describe, expect, it } from 'vitest';
import {
  at,
  declaring,
  passes,
  probeOf,
  seen,
  specced,
  startingPod,
  wakeOf,
} from '../../../../test/support/wake/scenario.ts';
import { standardFigures } from './figures.ts';
import type { WorkloadObservation, WorkloadReading } from './observation.ts';

const ref = { kind: 'Pool', namespace: 'shop', name: 'main' };

function reporting(reading: WorkloadReading): WorkloadObservation {
  return { ref, tier: 0, replicas: 1, reading, pods: [] };
}
const down = reporting({ kind: 'reported', up: false, since: 0 });
const up = (since: number) => reporting({ kind: 'reported', up: true, since });
const told = (clocks: string[], look: (clock: number) => WorkloadObservation) => {
  const spec = specced({ name: 'slow', containers: declaring(probeOf(1800)) }, [startingPod('0:05')]);
  const slow = { ...spec, ref: { kind: 'Deployment', namespace: 'shop', name: 'slow' } };
  const wake = wakeOf([down, slow], undefined, standardFigures);
  const { changes } = passes(wake, (now) => seen([look(now), slow]), clocks, standardFigures);
  return changes.flatMap((change) =>
    'sentence' in change && change.workload === 'Pool shop/main' ? change.sentence : [],
  );
};

describe('a workload that reports by a condition', () => {
  it('has the time that the cluster and a workload have together, and not longer', () => {
    const late = ['Pool shop/main did not finish starting within the default 25 minutes'];
    expect(told(['24:59'], () => down)).toEqual([]);
    expect(told(['25:00'], () => down)).toEqual(late);
  });

  it('is up as soon as it says so', () => {
    expect(told(['5:00', '25:00'], () => up(at('4:00')))).toEqual([]);
  });

  it('is told as come up when it says so after that', () => {
    expect(told(['25:00', '28:00'], (now) => (now < at('27:00') ? down : up(at('27:00')))).at(-1)).toBe(
      'Pool shop/main did not finish starting within the default 25 minutes, came up 2 minutes after the service stopped waiting',
    );
  });

  it('is told as unreadable when nobody can say', () => {
    expect(told(['15:00'], () => reporting({ kind: 'unreadable' }))).toEqual(['Pool shop/main could not be read']);
  });
});
