import { describe, expect, it } from 'vitest';
import type { AuditEntry } from './entry.ts';
import { pastOf } from './workload-past.ts';

const entry = (id: string, at: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at,
  kind: 'wake',
  title: 'Wake Complete',
  actor: 'schedule',
  ...more,
});
const cart = 'Deployment shop/cart';

describe('the past of a workload', () => {
  it('is what each end of a transition said of it, newest first', () => {
    const entries = [
      entry('asleep', 1, { kind: 'hibernation' }),
      entry('lost', 2, { kind: 'wake-failed', workloads_failed_detail: [`${cart} could not pull its image`] }),
      entry('back', 3, { workloads_recovered_detail: [`${cart}: svc could not scale it up: no, came up`] }),
      entry('slow', 4, { details: { still_starting: [`${cart}: walked_past`] } }),
      entry('asked', 5, { kind: 'wake-requested' }),
    ];
    expect(pastOf(entries, cart, 9).map(({ entry: { id }, verdict }) => [id, verdict])).toEqual([
      ['slow', 'still_starting'],
      ['back', 'recovered'],
      ['lost', 'failed'],
      ['asleep', 'not_named'],
    ]);
    expect(pastOf(entries, cart, 1)).toHaveLength(1);
  });

  it('is not that of a workload whose name begins alike', () => {
    const entries = [entry('lost', 1, { workloads_failed_detail: [`${cart}-2 could not pull its image`] })];
    expect(pastOf(entries, cart, 9)).toMatchObject([{ verdict: 'not_named' }]);
  });

  it('leaves out wakes of other resources', () => {
    const of = (resources: string[]) => entry(resources[0]!, 1, { details: { resources } });
    const entries = [of(['Deployment shop/web']), of([cart]), of(['shop/cart']), of(['shop/*'])];
    expect(pastOf(entries, cart, 9).map(({ entry: { id } }) => id)).toEqual(
      ['shop/cart', 'shop/*', cart].sort().reverse(),
    );
  });
});
