import { describe, expect, it } from 'vitest';
import { fullAnswers } from '../../fixtures/answers.ts';
import { renderPage } from '../../fixtures/render-page.tsx';
import { transition } from '../../fixtures/transition.ts';
import { WakeView } from './wake-view.tsx';

async function upLine(cronJobs: number | undefined): Promise<string | undefined> {
  const { cronJobs: _, ...frame } = transition();
  const shown = { ...frame, ...(cronJobs === undefined ? {} : { cronJobs }) };
  const view = () => <WakeView frame={shown} over="no" zone="Europe/Berlin" />;
  const text = await renderPage(view, '/wake', fullAnswers());
  return text.split('\n').find((line) => line.includes('that the wake waits for'));
}

describe('the counts of a wake', () => {
  const { up, total } = transition().progress;

  it('say how many are waited for, how many are not, and how many that is in all', async () => {
    const waited = `${up} of the ${total} that the wake waits for`;
    const all = `${total + 9} workloads in all`;
    expect(await upLine(9)).toBe(`${waited}; 9 CronJobs are resumed without waiting, ${all}`);
    expect(await upLine(1)).toContain('1 CronJob is resumed without waiting');
    expect(await upLine(0)).toBe(waited);
  });

  it('of a controller that does not tell them say what is not in them', async () => {
    expect(await upLine(undefined)).toContain('; CronJobs are resumed without waiting');
  });
});
