import { describe, expect, it } from 'vitest';
import { figuresOf, formulasOf, numberText } from './report.ts';

describe('a report', () => {
  it('gives its formulas', () => {
    const formula = [{ id: 'a', label: 'Energy', expression: 'watts x hours' }, { label: 1 }];
    expect(formulasOf({ formula })).toEqual([{ label: 'Energy', expression: 'watts x hours' }]);
    expect(formulasOf({})).toEqual([]);
  });

  it('gives its figures in words', () => {
    expect(figuresOf({ asleepHours: 12.345, co2e: { savedKg: 1234 }, days: [1], formula: [] })).toEqual([
      { name: 'Asleep hours', value: '12.3' },
      { name: 'Co2e, saved kg', value: '1,234' },
    ]);
  });

  it('rounds as people do', () => {
    expect([numberText(0), numberText(0.256), numberText(1234.56)]).toEqual(['0', '0.26', '1,234.6']);
  });
});
