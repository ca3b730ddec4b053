import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { asInContainer, containerMebibytes, nodeFlags, satelliteMebibytes, satelliteNodeFlags } from './node-flags.ts';

describe('the heap', () => {
  it.each([
    ['a process at its usual limit', nodeFlags, containerMebibytes, 56],
    ['a process with four times as much', nodeFlags, 4 * containerMebibytes, 225],
    ['a satellite', satelliteNodeFlags, satelliteMebibytes, 24],
  ])('of %s follows the limit of its container', (_, flags, mebibytes, heap) => {
    expect(asInContainer(flags, mebibytes)).toContain(`--max-old-space-size=${heap}`);
    expect(asInContainer(flags, mebibytes)).toHaveLength(flags.length);
  });

  it.each([
    ['a process', nodeFlags],
    ['a satellite', satelliteNodeFlags],
  ])('is nowhere a number in the start of %s, so that more memory is more heap', (_, flags) => {
    expect(flags.join(' ')).not.toMatch(/--max-(old-space|heap)-size=/);
  });

  it('is what Node itself makes of its share', () => {
    const print =
      'console.log(process.constrainedMemory() + " " + require("os").totalmem() + " " + v8.getHeapStatistics().heap_size_limit)';
    const heapOf = (flags: readonly string[]) => {
      const [constrained = 0, total = 0, limit = 0] = execFileSync(
        process.execPath,
        [...flags, '--eval', `const v8 = require("v8"); ${print}`],
        {
          encoding: 'utf8',
        },
      )
        .split(' ')
        .map(Number);
      return { mebibytes: Math.min(constrained || total, total) / 1024 / 1024, limit };
    };
    const { mebibytes, limit } = heapOf(nodeFlags);
    expect(heapOf(asInContainer(nodeFlags, mebibytes)).limit).toBe(limit);
  });
});
