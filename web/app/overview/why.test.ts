import { describe, expect, it } from 'vitest';
import { status } from '../../fixtures/status.ts';
import { whyLines } from './why.ts';

describe('why the cluster is what it is', () => {
  it('names the line of the schedule, since when and until when', () => {
    expect(whyLines(status({}))).toEqual([
      { name: 'Rule', text: 'The schedule decides' },
      { name: 'Reason', text: 'Working hours of Tuesday 08:00-20:00' },
      { name: 'Wanted', text: 'Everything up' },
      { name: 'Since', at: '2026-11-03T07:00:00.000Z' },
      { name: 'Until', at: '2026-11-03T19:00:00.000Z' },
    ]);
  });

  it('names the clusters that keep a part up while the rest sleeps', () => {
    const until = '2026-11-03T22:00:00.000Z';
    const lines = whyLines(status({ wanted: 'hibernated', keptUp: [{ cluster: 'shop-dev', until, workloads: 2 }] }));
    expect(lines).toContainEqual({ name: 'Wanted', text: 'Everything asleep but what other clusters need' });
    expect(lines).toContainEqual({ name: 'Cluster shop-dev keeps 2 workloads up until', at: until });
  });

  it('names the person behind an override and when it ends', () => {
    const until = '2026-11-03T22:00:00.000Z';
    const lines = whyLines(
      status({
        reason: { code: 'wake_override', text: 'kept awake by bob@example.com', actor: 'bob@example.com' },
        wakeOverride: { until, by: 'bob@example.com', at: '2026-11-03T18:00:00.000Z' },
      }),
    );
    expect(lines).toContainEqual({ name: 'Actor', text: 'bob@example.com' });
    expect(lines).toContainEqual({ name: 'Kept awake by bob@example.com until', at: until });
    expect(lines[0]).toEqual({ name: 'Rule', text: 'Somebody asked to wake it' });
  });
});
