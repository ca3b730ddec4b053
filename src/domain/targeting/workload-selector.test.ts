import { describe, expect, it } from 'vitest';
import { compileSelector, selectorProblems } from './workload-selector.ts';

describe('a type', () => {
  const matches = (type: string, kind: string) =>
    compileSelector({ namespace: 'shop', type })({ kind, namespace: 'shop', name: 'one' });

  it.each([
    ['cronjobs', 'CronJob'],
    ['deploy', 'Deployment'],
    ['Pool', 'Pool'],
    ['pools', 'Pool'],
  ])('%s means %s, described or not', (type, kind) => {
    expect(matches(type, kind)).toBe(true);
    expect(matches(type, 'StatefulSet')).toBe(false);
  });
});

describe('selectorProblems', () => {
  it('finds none in a selector with every field', () => {
    const selector = { namespace: 'a*', type: 'cronjob', name: 'b?', labels: { a: 'b' }, annotations: { c: 'd' } };
    expect(selectorProblems(selector)).toEqual([]);
  });

  it('names every field that is wrong', () => {
    expect(selectorProblems({ namespace: '', name: '' })).toEqual([
      { field: 'namespace', message: 'is required: write a name or a pattern such as shop-*' },
      { field: 'name', message: 'is empty: write a name or a pattern, or leave it out to mean every name' },
    ]);
  });

  it('are thrown by a compilation that was not validated', () => {
    expect(() => compileSelector({ namespace: '' })).toThrow('namespace: is required');
  });
});
