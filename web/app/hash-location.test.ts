import { describe, expect, it } from 'vitest';
import { parseHash } from './hash-location.ts';

describe('a fragment', () => {
  const rows: [string, string, string, string][] = [
    ['nothing is the overview', '', '/', ''],
    ['a lone # is the overview', '#', '/', ''],
    ['a path', '#/resources', '/resources', ''],
    ['a path without its slash', '#resources', '/resources', ''],
    ['the query is part of the fragment', '#/resources?kind=CronJob&q=a%20b', '/resources', 'kind=CronJob&q=a%20b'],
    [
      'a visitor comes to the root',
      '#/?origin=https%3A%2F%2Fa.b%2F%3Fx%3D1',
      '/',
      'origin=https%3A%2F%2Fa.b%2F%3Fx%3D1',
    ],
    [
      'an origin that is not encoded keeps its own question mark',
      '#/?origin=https://a.b/?x=1',
      '/',
      'origin=https://a.b/?x=1',
    ],
    ['several slashes are one', '#//evil.example', '/evil.example', ''],
  ];
  it.each(rows)('%s', (_, hash, path, search) => {
    expect(parseHash(hash)).toEqual({ path, search });
  });
});
