import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestFrameMs, ManyRows } from './many-rows.ts';

let rows: ManyRows;

beforeAll(async () => {
  rows = await ManyRows.start(5000);
});

afterAll(() => rows?.stop());

describe('five thousand rows', () => {
  it('scroll and filter without a frame over 100 ms', async () => {
    const { scrolled, filtered } = await rows.measure();
    for (const [name, { wall, alone, work }] of Object.entries({ scrolled, filtered })) {
      const figures = [wall, alone, work].map((ms) => `${ms.toFixed(1)} ms`);
      console.log(`${name}: longest frame ${figures[0]} (alone ${figures[1]}), most work for a step ${figures[2]}`);
      expect(alone).toBeLessThanOrEqual(longestFrameMs);
      expect(work).toBeLessThanOrEqual(longestFrameMs);
    }
  });
});
