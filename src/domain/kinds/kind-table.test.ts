import { describe, expect, it } from 'vitest';
import type { DescribedKind } from './described-kind.ts';
import { isCalled, type KindEntry, kindTable } from './kind-table.ts';
import { kindNames } from './kinds.ts';

const place = { group: 'example.com', version: 'v1', plural: 'pools' };
const pool: DescribedKind = { kind: 'Pool', ...place, scale: '/spec/replicas' };
const farm: DescribedKind = {
  kind: 'Farm',
  ...place,
  plural: 'farms',
  annotation: { name: 'example.com/paused', value: 'yes' },
  ready: { condition: 'Ready' },
};

describe('the kinds in force', () => {
  const table = kindTable([pool, 'Rollout', farm, 'ScaledObject']);

  it('are those of every cluster, the named ones in the order of the table, and the described ones', () => {
    expect(table.on).toEqual(['Deployment', 'StatefulSet', 'CronJob', 'ScaledObject', 'Rollout', 'Pool', 'Farm']);
    expect(kindTable([]).on).toEqual(['Deployment', 'StatefulSet', 'CronJob']);
  });

  it('have the rows of the table, on or not, and those that are described', () => {
    expect(table.names).toEqual([...kindNames, 'Pool', 'Farm']);
    expect(table.row('HelmRelease')).toMatchObject({ plural: 'helmreleases' });
    expect(table.row('constructor')).toBeUndefined();
    expect(table.row('Farm')).toEqual({
      ...place,
      plural: 'farms',
      on: 'named',
      sleep: { by: 'annotation', name: 'example.com/paused', value: 'yes' },
      ready: { condition: 'Ready' },
    });
  });

  it.each<[string, Partial<DescribedKind>, object]>([
    ['a count', { scale: '/spec/size' }, { by: 'field', pointer: '/spec/size', value: 0 }],
    [
      'a field',
      { field: { pointer: '/spec/paused', value: true } },
      { by: 'field', pointer: '/spec/paused', value: true },
    ],
    ['an annotation', { annotation: { name: 'a.b/c', value: 'd' } }, { by: 'annotation', name: 'a.b/c', value: 'd' }],
  ])('sleep by %s', (_, way, sleep) => {
    expect(kindTable([{ kind: 'Pool', ...place, ...way }]).row('Pool')?.sleep).toEqual(sleep);
  });

  it.each([
    ['Deployment', 'Deployment'],
    ['DEPLOYMENTS', 'Deployment'],
    ['statefulsets', 'StatefulSet'],
    ['deploy', 'Deployment'],
    ['HR', 'HelmRelease'],
    ['pool', 'Pool'],
    ['Pools', 'Pool'],
    ['ReplicaSet', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%s is called %s', (text, kind) => {
    expect(table.called(text)).toBe(kind);
  });

  it('are listed in a sentence', () => {
    expect(table.listed).toMatch(/^Deployment, StatefulSet(, \w+)*, Pool or Farm$/);
  });

  it('one that is not known is nothing else than called so', () => {
    expect([isCalled('Pool', 'pools'), isCalled('Pool', 'poolses'), isCalled('Deploy', 'deploy')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('a description without a way to sleep was never checked', () => {
    const entry: KindEntry = { kind: 'Pool', ...place };
    expect(() => kindTable([entry])).toThrow('Pool: nothing says by what it sleeps.');
  });
});
