import { describe, expect, it } from 'vitest';
import { parseProcessSeconds, processorSeconds } from './processor-time.ts';

describe('the processor time of a process', () => {
  it('is what it and the kernel for it took, whatever it is called', () => {
    const stat = '4711 (a (b) c) S 1 4711 4711 0 -1 4194560 9000 0 12 0 250 75 0 0 20 0 11 0 123456 1000000 2000 0';
    expect(parseProcessSeconds(stat)).toBe(3.25);
  });

  it('of this process grows', () => {
    const before = processorSeconds(process.pid);
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect(processorSeconds(process.pid)).toBeGreaterThan(before);
  });
});
