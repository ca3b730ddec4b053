// The page *Resources* with so many rows, in a real browser: how long until it is there, and its longest frames.
import { parseArgs } from 'node:util';
import { longestFrameMs, ManyRows, type Measured } from '../../test/browser/many-rows.ts';
import type { Result } from '../recorded.ts';

export async function run(args: readonly string[]): Promise<Result> {
  const { values } = parseArgs({ args: [...args], options: { workloads: { type: 'string', default: '5000,50000' } } });
  const figures: string[] = [];
  let pass = true;
  for (const count of values.workloads.split(',').map(Number)) {
    const rows = await ManyRows.start(count);
    try {
      const { shownMs, scrolled, filtered } = await rows.measure();
      figures.push(
        `${count} rows shown after ${(shownMs / 1000).toFixed(1)} s, ${way('scrolled', scrolled)}, ${way('filtered', filtered)}`,
      );
      console.log(figures.at(-1));
      pass &&= [scrolled, filtered].every(({ alone, work }) => Math.max(alone, work) <= longestFrameMs);
    } finally {
      await rows.stop();
    }
  }
  return { figure: `${figures.join('; ')}; goal ${longestFrameMs} ms`, pass };
}

function way(name: string, { wall, alone, work }: Measured): string {
  return `${name} with a longest frame of ${wall.toFixed(0)} ms (${alone.toFixed(0)} on a machine of its own) and ${work.toFixed(0)} ms of work for a step`;
}
