import { describe, expect, it } from 'vitest';
import { at, named, readyPod, seen, startingPod, unplaced, wakeOf } from '../../../test/support/wake/scenario.ts';
import { advanceWake } from './advance.ts';
import { standardFigures } from './verdict/figures.ts';

const tiers = Array.from({ length: 10 }, (_, index) => ({ name: `tier-${index}`, barrier: '20:00' }));
const members = (pods: Parameters<typeof named>[1]) =>
  Array.from({ length: 5_000 }, (_, index) => named(`a-workload-of-usual-name-${index}`, pods, { tier: index % 10 }));

describe('a wake of 5,000 workloads in ten tiers', () => {
  it('is under 2 KB while nothing out of the ordinary happens, and is written a constant number of times a tier', () => {
    const starting = members([startingPod('0:05')]);
    const up = members([readyPod('0:20')]);
    let wake = wakeOf(starting, tiers);
    let writes = 0;
    for (let second = 0; second < 300; second += 10) {
      const upTo = Math.floor(second / 20);
      const scene = seen(starting.map((one, index) => (one.tier < upTo ? (up[index] ?? one) : one)));
      const advanced = advanceWake(wake, scene, at(`0:${second}`), standardFigures);
      if (advanced.changes.length > 0) writes += 1;
      wake = advanced.wake;
      expect(JSON.stringify(wake).length).toBeLessThan(2_048);
    }
    expect(wake.endedBy).toBe('settled');
    expect(writes).toBe(10);
  });

  it('is under 500 KB when every workload fails', () => {
    const stuck = members([unplaced('Unschedulable')]).map((one) => ({ ...one, tier: 0 }));
    const { wake } = advanceWake(wakeOf(stuck), seen(stuck), at('15:00'), standardFigures);
    expect(Object.keys(wake.writeOffs)).toHaveLength(5_000);
    expect(JSON.stringify(wake).length).toBeLessThan(500_000);
  });
});
