import { describe, expect, it } from 'vitest';
import type { StillStartingCause, WakeEnding } from '../wake/ending.ts';
import type { ToldTransition } from './hibernation.ts';
import { wakeEnded } from './wake.ts';

const at = Date.UTC(2026, 0, 6, 8);
const minute = 60_000;
const wake: ToldTransition = {
  kind: 'wake',
  id: 'wake-1',
  startedAt: at,
  trigger: { actor: 'ann@example.com', cause: 'wake_override' },
};
const complete: WakeEnding = {
  title: 'Wake Complete',
  color: 'green',
  result: 'success',
  completeness: 'complete',
  escalated: false,
  startedAt: at,
  endedAt: at + 4 * minute,
  up: ['Deployment shop/a'],
  failed: [],
  recovered: [],
  stillStarting: [],
  left: [],
  redirected: [],
  criticalPath: { totalMs: 4 * minute, steps: [], settlingMs: 0 },
};
const casualty = {
  workload: 'Deployment shop/x',
  reason: 'unreadable' as const,
  sentence: 'Deployment shop/x could not be read',
};
const words = 'restarted twice before it was ready';
const ending = 'came up 1 minute after the restart';
const recovery = (name: string) => ({
  workload: `Deployment shop/${name}`,
  reason: 'restarted_twice' as const,
  words,
  ending,
  sentence: `Deployment shop/${name} ${words}, ${ending}`,
});

describe('the audit entry of a wake', () => {
  it('names who acted and why, the result and how long it took', () => {
    expect(wakeEnded(wake, complete).audit).toEqual({
      id: 'wake-1-ended',
      at: at + 4 * minute,
      kind: 'wake',
      title: 'Wake Complete',
      actor: 'ann@example.com',
      trigger: 'wake_override',
      result: 'success',
      completeness: 'complete',
      workloads_failed_detail: [],
      workloads_recovered: 0,
      workloads_recovered_detail: [],
      durationMs: 4 * minute,
      details: { up: 1, waited_for: 1, still_starting: [] },
    });
  });

  it('keeps every casualty and every recovery, with the sentence that everybody is shown', () => {
    const recovered = ['a', 'b', 'c', 'd', 'e'].map(recovery);
    const failed = {
      ...complete,
      title: 'Wake Complete - 1 workload failed',
      color: 'red',
      result: 'failed',
    } as const;
    const { audit, notice } = wakeEnded(wake, { ...failed, escalated: true, failed: [casualty], recovered });
    const sentences = recovered.map(({ sentence }) => sentence);
    expect(audit).toMatchObject({
      kind: 'wake-failed',
      result: 'failed',
      workloads_failed_detail: [casualty.sentence],
      workloads_recovered: 5,
      workloads_recovered_detail: sentences,
    });
    expect(notice).toMatchObject({
      color: 'red',
      casualties: [casualty.sentence],
      recoveries: sentences,
      alsoHigh: true,
    });
  });

  it('says how many it waited for beside how many came up, and where the time went', () => {
    const steps = [
      { tier: 'data', ms: 2 * minute, heldBy: { kind: 'workload', name: 'Deployment shop/a', ms: minute } },
    ];
    const path = { totalMs: 4 * minute, steps, settlingMs: 0 } as WakeEnding['criticalPath'];
    const { audit } = wakeEnded({ ...wake, cronJobs: 3 }, { ...complete, failed: [casualty], criticalPath: path });
    expect(audit?.details).toMatchObject({
      up: 1,
      waited_for: 2,
      cron_jobs: 3,
      tiers: ['data: 2m, held longest by Deployment shop/a for 1m'],
    });
  });

  it('counts who recovered among those that are up: they came up', () => {
    const recovered = ['b', 'c'].map(recovery);
    const { audit } = wakeEnded(wake, { ...complete, recovered });
    expect(audit).toMatchObject({ workloads_recovered: 2, details: { up: 3 } });
  });

  it.each<StillStartingCause>(['fail_open', 'walked_past', 'superseded', 'not_observed'])(
    'is incomplete, and green, for what is still starting: %s',
    (cause) => {
      const stillStarting = [{ workload: 'Deployment shop/z', cause }];
      const { audit, notice, event } = wakeEnded(wake, {
        ...complete,
        result: 'incomplete',
        completeness: 'incomplete',
        stillStarting,
      });
      expect(audit).toMatchObject({
        title: 'Wake Complete',
        result: 'incomplete',
        completeness: 'incomplete',
        details: { still_starting: [`Deployment shop/z: ${cause}`] },
      });
      expect(notice).toMatchObject({ title: 'Wake Complete', color: 'green', alsoHigh: false });
      expect(event).toMatchObject({ type: 'Normal', message: 'Wake Complete, 1 workload still starting' });
    },
  );

  it('carries none of the retired fields', () => {
    const { audit } = wakeEnded(wake, { ...complete, failed: [casualty] });
    expect(Object.keys(audit!).filter((key) => key.includes('not_ready'))).toEqual([]);
  });
});

describe('the event of a wake', () => {
  it.each<[number, string]>([
    [1, 'Wake Complete, 1 workload recovered'],
    [2, 'Wake Complete, 2 workloads recovered'],
  ])('counts %d recoveries', (count, message) => {
    const recovered = ['a', 'b'].slice(0, count).map(recovery);
    expect(wakeEnded(wake, { ...complete, recovered }).event).toEqual({
      where: 'default',
      type: 'Normal',
      reason: 'WakeComplete',
      message,
    });
  });
});
