import { describe, expect, it } from 'vitest';
import { fullAnswers } from '../../fixtures/answers.ts';
import { renderPage } from '../../fixtures/render-page.tsx';
import { keys } from '../data/keys.ts';
import type { AuditEntry } from '../data/queries.ts';
import { endsOfTransitions } from './past.ts';
import { PastTransitionPage } from './past-transition-page.tsx';
import { PastWakes } from './past-wakes.tsx';

const wake = (id: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: '2026-11-03T07:20:00.000Z',
  kind: 'wake-failed',
  title: 'Wake Complete - 1 workload failed',
  actor: 'schedule',
  trigger: 'working_hours',
  result: 'failed',
  workloads_failed_detail: ['Deployment shop/cart could not pull its image'],
  durationMs: 1_200_000,
  details: {
    up: 41,
    waited_for: 45,
    cron_jobs: 9,
    still_starting: ['Deployment shop/archive: walked_past'],
    tiers: [
      'data: 5m, held longest by Deployment shop/archive for 5m',
      'app: 15m, held longest by Deployment shop/cart for 15m',
    ],
  },
  ...more,
});

async function shown(
  Component: typeof PastTransitionPage,
  path: string,
  entries: readonly AuditEntry[],
): Promise<string> {
  const log = { entries: [...entries], total: entries.length, unreadable: 0 };
  const text = await renderPage(Component, path, [...fullAnswers(), [keys.audit(endsOfTransitions), log]]);
  return text.replaceAll('\n', ' ').replace(/ +/g, ' ');
}

describe('the page of a past transition', () => {
  it('has its counts, verdicts, tiers and what held each', async () => {
    const text = await shown(PastTransitionPage, '/wake/w-1', [wake('w-1')]);
    for (const said of [
      'Wake Complete - 1 workload failed',
      '41 of the 45 that it waited for',
      '9 resumed, without waiting',
      'Deployment shop/cart could not pull its image',
      'Deployment shop/archive was still starting when it ended',
      'app (longest)',
      'Held longest by Deployment shop/cart, 15 min 00 s',
      'The schedule: working hours',
    ])
      expect(text).toContain(said);
  });

  it('says when the log has no tiers, and when there is no such transition', async () => {
    const bare = wake('w-2', { kind: 'wake', title: 'Wake Complete', workloads_failed_detail: [], details: {} });
    const text = await shown(PastTransitionPage, '/wake/w-2', [bare]);
    expect(text).toContain('No workload failed, and none had to recover.');
    expect(text).toContain('The log has no tiers of this wake');
    expect(await shown(PastTransitionPage, '/wake/none', [bare])).toContain('There is no such transition');
  });
});

describe('the last wakes', () => {
  it('are compared by tier, with what got slower', async () => {
    const usual = wake('w-1', {
      details: { tiers: ['data: 1m, held longest by Deployment shop/archive for 50s', 'app: 14m'] },
    });
    const text = await shown(() => <PastWakes zone="Europe/Berlin" />, '/wake', [wake('w-2'), usual]);
    expect(text).toContain('Tier data got slower: 5 min 00 s in the last wake, usually 1 min 00 s.');
    expect(text).toContain('Held the longest tier most often: Deployment shop/cart (1 of 2, 15 min 00 s at most)');
  });
});
