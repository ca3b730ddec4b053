import { describe, expect, it } from 'vitest';
import { ignored, resources } from '../../fixtures/resources.ts';
import { filterRows, readFilters, rowsOf, sortRows, writeFilters } from './filters.ts';

const rows = rowsOf(resources(), ignored());
const names = (search: string) => {
  const filters = readFilters(search);
  return filterRows(sortRows(rows, filters), filters).map(({ name }) => name);
};

describe('the filters of the resources', () => {
  it('come from the address and go back into it', () => {
    const search = 'q=shop&kind=Deployment&state=hibernated&namespace=shop&sort=replicas&order=desc';
    expect(writeFilters(readFilters(search))).toBe(search);
    expect(writeFilters(readFilters(''))).toBe('');
  });

  it('leave out what they do not know', () => {
    expect(readFilters('kind=Pod&state=odd&sort=age&order=up')).toEqual(readFilters(''));
  });

  it('find by namespace, name or both', () => {
    expect(names('q=shop/ca')).toEqual(['cart']);
    expect(names('q=DB')).toEqual(['shop-db']);
    expect(names('namespace=tools')).toEqual(['registry']);
  });

  it('find whatever is not up', () => {
    expect(names('state=not-up')).toEqual(
      resources()
        .filter(({ state }) => state !== 'up')
        .map(({ name }) => name)
        .toSorted((a, b) => names('').indexOf(a) - names('').indexOf(b)),
    );
    expect(writeFilters(readFilters('state=not-up'))).toBe('state=not-up');
  });

  it('find what is left alone by its state', () => {
    expect(names('state=excluded')).toEqual(['payouts', 'registry']);
  });

  it('sort, with ties in the order of namespaces', () => {
    expect(names('sort=replicas&order=desc').slice(0, 2)).toEqual(['storefront', 'cart']);
    expect(names('').slice(0, 2)).toEqual(['payouts', 'catalogue-search']);
  });

  it('show a workload once that is managed and listed as left alone', () => {
    const [first] = resources();
    const { kind, namespace, name } = first!;
    const both = rowsOf(resources(), [{ kind, namespace, name, reason: 'excluded since' }]);
    expect(both).toHaveLength(resources().length);
    expect(both.find((row) => row.name === name)?.reason).toBe('excluded since');
  });
});
