import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../data/queries.ts';
import { compareWakes, pastTransition, pastTransitions } from './past.ts';

const wake = (id: string, tiers: readonly string[], more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: '2026-11-03T07:10:00.000Z',
  kind: 'wake',
  title: 'Wake Complete',
  actor: 'schedule',
  durationMs: 300_000,
  ...more,
  details: { tiers: [...tiers], ...more.details },
});

describe('a transition of the log', () => {
  it('has its tiers as the entry tells them', () => {
    const past = pastTransition(wake('w', ['data: 2m, held longest by database orders for 2m', 'spoilt']));
    expect(past).toMatchObject({
      kind: 'wake',
      ms: 300_000,
      part: false,
      tiers: [{ tier: 'data', ms: 120_000, heldBy: { kind: 'database', name: 'orders', ms: 120_000 } }],
    });
  });

  it('is an end of a wake or a hibernation, and nothing else', () => {
    const { durationMs: _, ...unmeasured } = wake('c', []);
    const entries = [wake('a', []), wake('b', [], { kind: 'stand-down' }), unmeasured];
    expect(pastTransitions(entries).map(({ entry }) => entry.id)).toEqual(['a']);
  });
});

describe('the last wakes compared', () => {
  const slow = 'app: 5m, held longest by Deployment shop/web for 4m';
  const usual = 'app: 1m, held longest by Deployment shop/web for 50s';
  const data = 'data: 2m, held longest by database orders for 2m';

  it('say what got slower, and who held them up', () => {
    const all = pastTransitions([wake('3', [data, slow]), wake('2', [data, usual]), wake('1', [data, usual])]);
    const { tiers, slower, slowest } = compareWakes(all);
    expect(tiers).toEqual(['data', 'app']);
    expect(slower).toEqual([{ tier: 'app', ms: 300_000, usualMs: 60_000, heldBy: 'Deployment shop/web' }]);
    expect(slowest).toEqual([
      { name: 'orders', times: 2, longestMs: 120_000 },
      { name: 'Deployment shop/web', times: 1, longestMs: 240_000 },
    ]);
  });

  it('leave out wakes of named resources, and need one before to compare with', () => {
    const part = wake('2', [slow], { details: { resources: ['Deployment shop/web'] } });
    const { wakes, slower } = compareWakes(pastTransitions([part, wake('1', [slow])]));
    expect([wakes.map(({ entry }) => entry.id), slower]).toEqual([['1'], []]);
  });

  it('are nothing without wakes', () => {
    expect(compareWakes([])).toEqual({ wakes: [], tiers: [], slowest: [], slower: [] });
  });
});
