import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

describe('nearestName', () => {
  const known = ['clusterName', 'externalUrl', 'internalUrl', 'api', 'auth'];
  const rows: Record<string, [wrong: string, near: string | undefined]> = {
    'another case': ['CLUSTERNAME', 'clusterName'],
    'a letter too few': ['clustrName', 'clusterName'],
    'two letters swapped': ['exetrnalUrl', 'externalUrl'],
    'two letters swapped in a short name': ['aip', 'api'],
    'the nearer of two': ['intrnalUrl', 'internalUrl'],
    'a short name with one letter wrong': ['apo', 'api'],
    'a name that is nothing like any': ['replicas', undefined],
    'a name too long to be a slip': ['a'.repeat(5000), undefined],
    'an empty name': ['', undefined],
  };
  it.each(Object.entries(rows))('finds for %s', (_name, [wrong, near]) => {
    expect(nearestName(wrong, known)).toBe(near);
  });
});
