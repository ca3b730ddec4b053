import { describe, expect, it } from 'vitest';
import { hostTook, parseProcessorTime } from './machine.ts';

describe('what the host took of the processors', () => {
  it('is the eighth of the times in the first line; those of guests are not counted twice', () => {
    const stat = 'cpu  10 20 30 40 50 60 70 80 1000 2000\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n';
    expect(parseProcessorTime(stat)).toEqual({ all: 360, stolen: 80 });
  });

  it('is a part of what went by between two looks', () => {
    expect(hostTook({ all: 1000, stolen: 500 }, { all: 1200, stolen: 550 })).toBe(25);
  });

  it('is nothing where no time went by', () => {
    expect(hostTook({ all: 9, stolen: 1 }, { all: 9, stolen: 1 })).toBe(0);
  });
});
