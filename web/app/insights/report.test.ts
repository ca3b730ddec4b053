import { describe, expect, it } from 'vitest';
import { formulasOf, numberText } from './report.ts';

describe('a report', () => {
  it('gives its formulas', () => {
    const formula = [{ id: 'a', label: 'Energy', expression: 'watts x hours' }, { label: 1 }];
    expect(formulasOf({ formula })).toEqual([{ label: 'Energy', expression: 'watts x hours' }]);
    expect(formulasOf({})).toEqual([]);
  });

  it('rounds as people do', () => {
    expect([numberText(0), numberText(0.256), numberText(1234.56)]).toEqual(['0', '0.26', '1,234.6']);
  });
});
