import { describe, expect, it } from 'vitest';
import { fullAnswers } from '../../fixtures/answers.ts';
import { savings } from '../../fixtures/insights.ts';
import { renderPage } from '../../fixtures/render-page.tsx';
import { keys } from '../data/keys.ts';
import { InsightsPage } from './insights-page.tsx';

async function page(insights: unknown): Promise<string> {
  const answers = fullAnswers().filter(([key]) => key !== keys.insights);
  const text = await renderPage(InsightsPage, '/insights', [...answers, [keys.insights, insights]]);
  return text.replaceAll('\n', ' ').replace(/ +/g, ' ');
}

describe('the insights', () => {
  it('are pictures of what came of it beside what was planned, and of what keeps the rest up', async () => {
    const text = await page({ enabled: true, available: true, report: savings(10) });
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
