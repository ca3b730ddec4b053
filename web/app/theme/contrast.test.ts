import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, parseHex, readableOn } from './contrast.ts';

describe('contrast', () => {
  it('is 21 between black and white, and 1 between a color and itself', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([25, 118, 210], [25, 118, 210])).toBe(1);
  });

  it('leaves an accent that is readable as it is', () => {
    expect(readableOn('#ffffff', '#1976d2')).toBe('#1976d2');
  });

  it('makes any accent readable on the dark ground', () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(part, part, part, (...rgb) => {
        const hex = `#${rgb.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
        const result = parseHex(readableOn('#1e2126', hex));
        expect(contrast(result!, parseHex('#1e2126')!)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('gives back what is no color', () => {
    expect(readableOn('#121212', 'tomato')).toBe('tomato');
  });
});
