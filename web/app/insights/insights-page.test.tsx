import { describe, expect, it } from 'vitest';
import { fullAnswers } from '../../fixtures/answers.ts';
import { renderPage } from '../../fixtures/render-page.tsx';
import { keys } from '../data/keys.ts';
import { InsightsPage } from './insights-page.tsx';

const figures = (coreHours: number) => ({ coreHours, memoryGBHours: 0, energyKWh: 1, co2eGrams: 298 });
const hours = { saved: 0, planned: 0, ran: 0 };
const report = (asleep: number) => ({
  timezone: 'Europe/Berlin',
  from: '2026-11-02',
  to: '2026-11-03',
  accountedUntil: null,
  asleepHours: asleep,
  plannedAsleepHours: 12,
  totals: { saved: figures(asleep), planned: figures(12), ran: figures(9), databaseHours: hours },
  days: [
    {
      date: '2026-11-02',
      asleepHours: asleep,
      plannedAsleepHours: 12,
      saved: figures(asleep),
      planned: figures(12),
      ran: figures(9),
      databaseHours: hours,
    },
  ],
  namespaces: [],
  databases: [],
  formula: [],
});
const none = {
  workloads: 0,
  sleeps: 0,
  excluded: 0,
  neverScaled: 0,
  ownedByOthers: 0,
  raisedByOwners: 0,
  downByOwners: 0,
};
const shares = { ...none, workloads: 10, sleeps: 7, excluded: 2, neverScaled: 1 };
const fleet = { total: shares, namespaces: [{ namespace: 'shop', ...shares }], projection: report(0) };

async function page(insights: unknown): Promise<string> {
  const answers = fullAnswers().filter(([key]) => key !== keys.insights);
  const text = await renderPage(InsightsPage, '/insights', [
    ...answers,
    [keys.insights, insights],
    [keys.fleet, fleet],
  ]);
  return text.replaceAll('\n', ' ').replace(/ +/g, ' ');
}

describe('the insights', () => {
  it('are pictures of what came of it beside what was planned, and of what keeps the rest up', async () => {
    const text = await page({ enabled: true, available: true, report: report(10) });
    expect(text).toContain('Hours asleep: Actual 10 h, Planned 12 h');
    expect(text).toContain('7 workloads of 10 sleep with the cluster (70 %)');
    expect(text).toContain('7 of 10 sleep, 2 excluded, 1 never scaled');
    expect(text).not.toContain('A projection:');
  });

  it('are a projection before the first night, and say that they are one', async () => {
    const text = await page({
      enabled: true,
      available: false,
      message: 'Nothing has been accounted for yet',
      report: null,
    });
    expect(text).toContain('Nothing has been accounted for yet');
    expect(text).toContain('The coming week, projected');
    expect(text).toContain('Nothing of it has been measured.');
    expect(text).toContain('Hours asleep: Projected 12 h');
  });
});
