import { describe, expect, it } from 'vitest';
import { BrandingValues } from './branding-values.ts';

describe('the values of the brand', () => {
  it.each([undefined, 'name: Staging', 'name: ['])('are read once while the text is %j', (text) => {
    const values = new BrandingValues();
    expect(values.of(text)).toBe(values.of(text));
  });

  it('are those of the newest text', () => {
    const values = new BrandingValues();
    expect(['name: One', undefined, 'name: Two', 'name: ['].map((text) => values.of(text))).toEqual([
      { name: 'One' },
      {},
      { name: 'Two' },
      { name: 0 },
    ]);
  });
});
