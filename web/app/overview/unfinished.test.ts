import { describe, expect, it } from 'vitest';
import type { AuditEntry, Resource } from '../data/queries.ts';
import { casualtiesOf, unfinishedOf } from './unfinished.ts';

const entry = (kind: string, ...failed: string[]): AuditEntry => ({
  id: kind,
  at: '2026-11-03T07:20:00.000Z',
  kind,
  title: kind,
  actor: 'schedule',
  workloads_failed_detail: failed,
});
/** A wake of what is named, as trying one workload again or another cluster asks for it. */
const retry = (resources: readonly string[], failed: readonly string[] = [], starting: readonly string[] = []) => ({
  ...entry(failed.length === 0 ? 'wake' : 'wake-failed', ...failed),
  id: `retry of ${resources}`,
  details: { resources, still_starting: starting },
});
const workload = (name: string, state: Resource['state']): Resource => ({
  kind: 'Deployment',
  namespace: 'shop',
  name,
  state,
  recorded: null,
});
const cart = (state: Resource['state']) => workload('cart', state);
const sentence = 'Deployment shop/cart was still Unschedulable after 15 minutes';
const again = 'Deployment shop/cart could not pull its image';
const search = 'Deployment shop/search did not finish starting within the 30-minute cap';
const sentences = (entries: readonly AuditEntry[]) => casualtiesOf(entries).map((one) => one.sentence);

describe('how the last transition ended', () => {
  it('is told when it named casualties', () => {
    const failed = entry('wake-failed', sentence);
    expect(casualtiesOf([entry('wake-requested'), failed, entry('hibernation')])).toEqual([
      { sentence, entry: failed },
    ]);
  });

  it('is not told of one before the last of the whole cluster', () => {
    expect(sentences([entry('wake'), entry('wake-failed', sentence)])).toEqual([]);
    expect(sentences([entry('hibernation'), entry('wake-failed', sentence)])).toEqual([]);
    expect(sentences([])).toEqual([]);
  });

  const failed = entry('wake-failed', sentence, search);
  const retries: readonly (readonly [string, readonly AuditEntry[], readonly string[]])[] = [
    ['stays but for the one that was tried again and came up', [retry(['Deployment shop/cart'])], [search]],
    ['says what the last try said', [retry(['Deployment shop/cart'], [again])], [search, again]],
    [
      'says no more of one that came up at the second try',
      [retry(['Deployment shop/cart']), retry(['Deployment shop/cart'], [again])],
      [search],
    ],
    [
      'keeps one that still starts after a try',
      [retry(['shop/cart'], [], ['Deployment shop/cart: walked_past'])],
      [sentence, search],
    ],
    ['stays while others are woken', [retry(['shop/cart-2']), retry(['StatefulSet shop/cart'])], [sentence, search]],
    ['is seen to by a wake of the whole namespace', [retry(['shop/*'])], []],
    [
      'stays when a wake is withdrawn before it began',
      [{ ...entry('wake'), result: 'incomplete', title: 'Wake Withdrawn Before It Began' }],
      [sentence, search],
    ],
  ];
  it.each(retries)('%s', (_, newer, expected) => {
    expect(sentences([...newer, failed])).toEqual(expected);
  });

  it('is told of a wake of single workloads alone', () => {
    const one = retry(['shop/cart'], [again]);
    expect(casualtiesOf([one, entry('hibernation')])).toEqual([{ sentence: again, entry: one }]);
  });

  const rows: readonly (readonly [string, string, readonly Resource[], boolean])[] = [
    ['is open while the workload is not up', 'wake-failed', [cart('starting')], true],
    ['is open while it is down', 'wake-failed', [cart('down')], true],
    ['is seen to once it is up', 'wake-failed', [cart('up')], false],
    ['is seen to once it is gone', 'wake-failed', [], false],
    ['is open while what should sleep is up', 'hibernation-failed', [cart('up')], true],
    ['is seen to once that sleeps', 'hibernation-failed', [cart('hibernated')], false],
  ];
  it.each(rows)('%s', (_, kind, resources, open) => {
    const of = entry(kind, sentence);
    expect(unfinishedOf(casualtiesOf([of]), resources)).toEqual(
      open ? { entry: of, failed: [sentence], until: kind.startsWith('wake') ? 'up' : 'asleep' } : undefined,
    );
  });

  it('names the transition of the whole cluster while one of its own is left', () => {
    const both = casualtiesOf([retry(['Deployment shop/cart'], [again]), failed]);
    const resources = [cart('starting'), workload('search', 'starting')];
    expect(unfinishedOf(both, resources)).toMatchObject({ entry: failed, failed: [search, again] });
    expect(unfinishedOf(both, [cart('starting')])).toMatchObject({ entry: { id: 'retry of Deployment shop/cart' } });
  });
});
