import { describe, expect, it } from 'vitest';
import { at, observed, readyPod, wakeOf } from '../../../test/support/wake/scenario.ts';
import { rosterOf } from './roster.ts';
import { standardFigures } from './verdict/figures.ts';
import type { WakeState } from './verdict/wake-state.ts';

describe('where a workload stands', () => {
  const crashing = observed([readyPod('1:00', { restartCount: 9 })]);
  const observations = { workloads: [crashing], databases: [], cronJobs: [] };
  const wake = wakeOf([crashing]);
  const standing = (clock: string, of: WakeState = wake, figures = standardFigures) =>
    rosterOf(of, observations, at(clock), figures).tiers[0]![0]!.standing;

  it('is found once for whoever asks at the same instant', () => {
    expect(standing('1:02')).toBe(standing('1:02'));
  });

  it('is found anew when time has passed, its tier began at another time, or other figures hold', () => {
    expect(standing('1:02').ready).toBe(false);
    expect(standing('9:00').ready).toBe(true);
    expect(standing('1:02').ready).toBe(false);
    const later = { ...wake, tiers: wake.tiers.map((tier) => ({ ...tier, startedAt: at('0:30') })) };
    expect(standing('1:02', later).ready).toBe(true);
    expect(standing('1:02').ready).toBe(false);
    expect(standing('1:02', wake, { ...standardFigures, restartLimit: 10 }).ready).toBe(true);
  });
});
