import { describe, expect, it } from 'vitest';
import { formulasOf, numberText, ofPlanned } from './report.ts';

describe('a report', () => {
  it('gives its formulas', () => {
    const formula = [{ id: 'a', label: 'Energy', expression: 'watts x hours' }, { label: 1 }];
    expect(formulasOf({ formula })).toEqual([{ label: 'Energy', expression: 'watts x hours' }]);
    expect(formulasOf({})).toEqual([]);
  });

  it('rounds as people do', () => {
    const figures = [0, 0.00342, 0.256, 5.55, 1234.56];
    expect(figures.map(numberText)).toEqual(['0', '0.0034', '0.26', '5.6', '1,234.6']);
  });

  it('says what was planned, if anything was', () => {
    expect([ofPlanned(3, 12), ofPlanned(0.5, 0)]).toEqual(['3 of 12 planned', '0.5, none planned']);
  });
});
