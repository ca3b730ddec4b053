import { describe, expect, it } from 'vitest';
import { isScalableKind, kindNames, kinds, rowOf, runsOf, runsPods } from './kinds.ts';

describe('the table of kinds', () => {
  it('begins with the kinds of every cluster', () => {
    expect(kindNames.slice(0, 3)).toEqual(['Deployment', 'StatefulSet', 'CronJob']);
  });

  it('tells what sleeps by a count from what is switched', () => {
    expect([isScalableKind('Deployment'), isScalableKind('StatefulSet'), isScalableKind('CronJob')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(kindNames)('has a whole row for %s', (kind) => {
    const { version, plural, sleep } = rowOf(kind);
    expect(version).toMatch(/^v\d/);
    expect(plural).toBe(plural.toLowerCase());
    if (sleep.by === 'annotation') expect(sleep.name).toMatch(/^[a-z0-9.-]+\/[a-z0-9.-]+$/);
    else expect(sleep.pointer).toMatch(/^\/spec\/[^/]/);
  });

  it('has no two kinds of one resource', () => {
    const places = Object.values(kinds).map(({ group, plural }) => `${plural}.${group}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('has no name that stands for two kinds', () => {
    const names = kindNames.flatMap((kind) => [kind.toLowerCase(), rowOf(kind).plural, rowOf(kind).short ?? []].flat());
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('knows what an object of a kind runs', () => {
    expect(['Deployment', 'StatefulSet', 'CronJob', 'Pod', 'constructor'].map(runsPods)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([runsOf('CronJob'), runsOf('Pod')]).toEqual(['jobs', undefined]);
  });
});
