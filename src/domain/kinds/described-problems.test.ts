import { describe, expect, it } from 'vitest';
import type { DescribedKind } from './described-kind.ts';
import { kindProblems } from './described-problems.ts';
import type { KindEntry } from './kind-table.ts';

const pool: DescribedKind = {
  kind: 'Pool',
  group: 'example.com',
  version: 'v1',
  plural: 'pools',
  scale: '/spec/replicas',
};
const only = 'set exactly one of scale, field and annotation';
const { scale: _, ...silent } = pool;

describe('what is wrong between the entries of config.targeting.kinds', () => {
  const rows: Record<string, [readonly KindEntry[], readonly string[]]> = {
    nothing: [['Rollout', pool, { ...pool, kind: 'Farm', plural: 'farms' }], []],
    'a kind of the table': [
      [{ ...pool, kind: 'Rollout' }],
      ['0 kind: "Rollout" is known to the service; write Rollout alone, without a description'],
    ],
    'a kind of the table by its short name': [
      [{ ...pool, kind: 'Ks' }],
      ['0 kind: "Ks" is known to the service; write Kustomization alone, without a description'],
    ],
    'a kind that always sleeps': [[{ ...pool, kind: 'CronJob' }], ['0 kind: "CronJob" always sleeps; leave it out']],
    'a kind of Kubernetes, in any case': [
      ['Job', 'pod', 'Service', 'ReplicaSet'].map((kind, index) => ({ ...pool, kind, plural: `things${index}` })),
      ['Job', 'pod', 'Service', 'ReplicaSet'].map(
        (kind, index) =>
          `${index} kind: "${kind}" is the name of a kind of Kubernetes itself, which cannot be described; describe a custom resource`,
      ),
    ],
    'a kind twice': [
      [pool, { ...pool, kind: 'POOL', plural: 'others' }],
      ['1 kind: "POOL" is already used by entry 0; each may be there once'],
    ],
    'a name twice': [['Rollout', 'Rollout'], ['1: "Rollout" is already used by entry 0; each may be there once']],
    'a resource twice': [
      [pool, { ...pool, kind: 'Other' }],
      ['1 plural: pools.example.com is already described by entry 0; each may be there once'],
    ],
    'a resource of the table under another kind': [
      [{ ...pool, kind: 'Mine', group: 'argoproj.io', plural: 'rollouts' }],
      ['0 plural: rollouts.argoproj.io is known to the service; write Rollout alone, without a description'],
    ],
    'no way to sleep': [[silent], [`0: does not say by what it sleeps; ${only}`]],
    'two ways to sleep': [
      [{ ...pool, annotation: { name: 'example.com/paused', value: 'true' } }],
      [`0: sets scale and annotation; ${only}`],
    ],
    'values that were wrong by themselves': [
      [
        { ...pool, kind: '', group: '' },
        { ...pool, kind: '', plural: '' },
      ],
      [],
    ],
  };

  it.each(Object.entries(rows))('%s', (_name, [entries, expected]) => {
    const told = kindProblems(entries).map(
      ({ entry, field, message }) => `${entry}${field === undefined ? '' : ` ${field}`}: ${message}`,
    );
    expect(told).toEqual(expected);
  });
});
