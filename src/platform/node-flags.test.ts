import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  asInContainer,
  containerMebibytes,
  inRoom,
  isRoomy,
  nodeFlags,
  satelliteMebibytes,
  satelliteNodeFlags,
} from './node-flags.ts';

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

/** Keeps 80,000 small objects and puts another in the place of each, ten times over. */
const churn = `
const kept = [];
for (let i = 0; i < 800_000; i++) kept[i % 80_000] = { name: 'workload-' + i, labels: { app: String(i), of: [i] } };
`;

function collections(before: string): number {
  const flags = asInContainer(nodeFlags, 6 * containerMebibytes);
  const told = execFileSync(process.execPath, [...flags, '--trace-gc', '--eval', before + churn], { encoding: 'utf8' });
  return told.split('Mark-Compact').length - 1;
}

function heapInContainer(mebibytes: number): number {
  const [flag = ''] = asInContainer(nodeFlags, mebibytes).filter((word) => word.startsWith('--max-old-space-size='));
  return Number(flag.slice(flag.indexOf('=') + 1)) * 1024 * 1024;
}

describe('the room of a heap', () => {
  it.each([
    [containerMebibytes, false],
    [1.5 * containerMebibytes, false],
    [2 * containerMebibytes, true],
    [6 * containerMebibytes, true],
  ])('in a container of %d MiB is enough: %s', (mebibytes, roomy) => {
    expect(isRoomy(heapInContainer(mebibytes))).toBe(roomy);
  });

  it('that is enough has it collected less often, though the process runs already', () => {
    const [small, roomy] = [
      collections(''),
      collections(`process.getBuiltinModule('v8').setFlagsFromString('${inRoom}');`),
    ];
    expect(small).toBeGreaterThan(10);
    expect(roomy).toBeLessThan(0.85 * small);
  });
});
