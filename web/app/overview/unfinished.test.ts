import { describe, expect, it } from 'vitest';
import type { AuditEntry, Resource } from '../data/queries.ts';
import { lastCasualties, unfinishedOf } from './unfinished.ts';

const entry = (kind: string, ...failed: string[]): AuditEntry => ({
  id: kind,
  at: '2026-11-03T07:20:00.000Z',
  kind,
  title: kind,
  actor: 'schedule',
  workloads_failed_detail: failed,
});
const cart = (state: Resource['state']): Resource => ({
  kind: 'Deployment',
  namespace: 'shop',
  name: 'cart',
  state,
  recorded: null,
});
const sentence = 'Deployment shop/cart was still Unschedulable after 15 minutes';

describe('how the last transition ended', () => {
  it('is told when it named casualties', () => {
    const failed = entry('wake-failed', sentence);
    expect(lastCasualties([entry('wake-requested'), failed, entry('hibernation')])).toBe(failed);
  });

  it('is not told of one before the last', () => {
    expect(lastCasualties([entry('wake'), entry('wake-failed', sentence)])).toBeUndefined();
    expect(lastCasualties([])).toBeUndefined();
  });

  const rows: readonly (readonly [string, string, readonly Resource[], boolean])[] = [
    ['is open while the workload is not up', 'wake-failed', [cart('starting')], true],
    ['is open while it is down', 'wake-failed', [cart('down')], true],
    ['is seen to once it is up', 'wake-failed', [cart('up')], false],
    ['is seen to once it is gone', 'wake-failed', [], false],
    ['is open while what should sleep is up', 'hibernation-failed', [cart('up')], true],
    ['is seen to once that sleeps', 'hibernation-failed', [cart('hibernated')], false],
  ];
  it.each(rows)('%s', (_, kind, resources, open) => {
    const failed = entry(kind, sentence);
    expect(unfinishedOf(failed, resources)).toEqual(open ? { entry: failed, failed: [sentence] } : undefined);
  });
});
