import { describe, expect, it } from 'vitest';
import {
  at,
  named,
  passes,
  readyPod,
  type Script,
  seen,
  startingPod,
  type TierOfTest,
  unplaced,
  wakeOf,
} from '../../../test/support/wake/scenario.ts';
import { endOf, type WakeEnding } from './ending.ts';
import { stillStartingWords, wakeEventMessage } from './ending-words.ts';
import { abandonWake } from './start.ts';
import { standardFigures } from './verdict/figures.ts';
import type { WakeObservations, WorkloadObservation } from './verdict/observation.ts';

function endAfter(clocks: string[], script: Script, tiers?: TierOfTest[]): WakeEnding {
  const { wake } = passes(wakeOf(script(at('0:00')).workloads, tiers), script, clocks);
  const last = at(clocks.at(-1) ?? '0:00');
  return endOf(wake, script(last), last, standardFigures);
}

const up = (name: string) => named(name, [readyPod('0:20')]);
const refused = (name: string) => named(name, [], { refused: 'denied' });
/** Refused, and up from 1:00 on all the same. */
const recovering = (name: string) => (now: number) =>
  now < at('1:00') ? refused(name) : named(name, [readyPod('1:00')]);
const stuck = (name: string) => named(name, [startingPod('26:00')]);
const constant =
  (...workloads: WorkloadObservation[]) =>
  (): WakeObservations =>
    seen(workloads);

describe('title, card and audit result of a wake', () => {
  type Row = [
    string,
    clocks: string[],
    Script,
    Pick<WakeEnding, 'title' | 'color' | 'result' | 'completeness' | 'escalated'>,
  ];
  const plain = { title: 'Wake Complete', color: 'green', escalated: false } as const;
  const red = { color: 'red', result: 'failed', escalated: true } as const;
  it.each<Row>([
    ['everything up', ['0:30'], constant(up('a'), up('b')), { ...plain, result: 'success', completeness: 'complete' }],
    ['nothing to wait for', ['0:30'], constant(), { ...plain, result: 'success', completeness: 'complete' }],
    [
      'one still starting',
      ['27:00'],
      constant(up('a'), stuck('b')),
      { ...plain, result: 'incomplete', completeness: 'incomplete' },
    ],
    [
      'one failed',
      ['0:30'],
      constant(up('a'), refused('b')),
      { ...red, title: 'Wake Complete - 1 workload failed', completeness: 'complete' },
    ],
    [
      'two failed',
      ['0:30'],
      constant(refused('a'), refused('b')),
      { ...red, title: 'Wake Complete - 2 workloads failed', completeness: 'complete' },
    ],
    [
      'one failed, one still starting',
      ['0:30', '27:00'],
      constant(refused('a'), stuck('b')),
      { ...red, title: 'Wake Complete - 1 workload failed', completeness: 'incomplete' },
    ],
    [
      'one recovered: plain, green, not escalated',
      ['0:30', '1:05', '27:00'],
      (now) => seen([recovering('a')(now), now < at('27:00') ? stuck('b') : up('b')]),
      { ...plain, result: 'success', completeness: 'complete' },
    ],
    [
      'one recovered, one still starting',
      ['0:30', '1:05', '27:00'],
      (now) => seen([recovering('a')(now), stuck('b')]),
      { ...plain, result: 'incomplete', completeness: 'incomplete' },
    ],
    [
      'one recovered, one failed',
      ['0:30', '1:05'],
      (now) => seen([recovering('a')(now), refused('b'), now < at('1:00') ? stuck('c') : up('c')]),
      { ...red, title: 'Wake Complete - 1 workload failed', completeness: 'complete' },
    ],
    [
      'the overall limit ran out with nothing lost and nothing starting',
      ['27:00'],
      constant(up('a')),
      { ...plain, result: 'success', completeness: 'complete' },
    ],
  ])('%s', (_name, clocks, script, outcome) => {
    expect(endAfter(clocks, script)).toMatchObject(outcome);
  });

  it.each(['starting', 'failed'] as const)('is no success while a database is %s', (status) => {
    const script = () => seen([up('a')], [{ name: 'orders', status }]);
    const ending = endAfter(['27:00'], script, [{ name: 'all', databases: ['orders'] }]);
    expect(ending).toMatchObject({ title: 'Wake Complete', result: 'incomplete', completeness: 'incomplete' });
  });
});

describe('the cause of a workload that is still starting', () => {
  const tiers = [{ name: 'first', barrier: '5:00' }, { name: 'second' }];
  const second = (pods: WorkloadObservation['pods']) => named('b', pods, { tier: 1 });

  it('fail_open: the limit of the whole wake ran out', () => {
    expect(endAfter(['27:00'], constant(stuck('a'))).stillStarting).toEqual([
      { workload: 'Deployment shop/a', cause: 'fail_open' },
    ]);
  });

  it('walked_past: its tier was released without it', () => {
    const script = constant(named('a', [unplaced()]), second([readyPod('5:30')]));
    expect(endAfter(['5:00', '5:31'], script, tiers).stillStarting).toEqual([
      { workload: 'Deployment shop/a', cause: 'walked_past' },
    ]);
  });

  it('walked_past also when the wake went on to its fail-open; who was waited for is fail_open', () => {
    const script: Script = (now) =>
      seen([named('a', now < at('14:00') ? [] : [startingPod('26:00')]), second([startingPod('26:00')])]);
    expect(endAfter(['5:00', '14:00', '27:00'], script, tiers).stillStarting).toEqual([
      { workload: 'Deployment shop/a', cause: 'walked_past' },
      { workload: 'Deployment shop/b', cause: 'fail_open' },
    ]);
  });

  it('none when it came up after its tier was released', () => {
    const script: Script = (now) =>
      seen([named('a', now < at('6:00') ? [] : [readyPod('6:00')]), second([readyPod('6:30')])]);
    const ending = endAfter(['5:00', '6:30'], script, tiers);
    expect(ending).toMatchObject({
      result: 'success',
      stillStarting: [],
      up: ['Deployment shop/a', 'Deployment shop/b'],
    });
  });

  it.each(['superseded', 'not_observed'] as const)('%s: for all that had no answer, in every tier', (by) => {
    const scene = seen([named('a', [unplaced()]), second([]), named('c', [readyPod('0:20')])]);
    const { wake } = passes(wakeOf(scene.workloads, tiers), () => scene, ['5:00']);
    const ending = endOf(abandonWake(wake, by, at('6:00')).wake, scene, at('6:00'), standardFigures);
    expect(ending.stillStarting).toEqual([
      { workload: 'Deployment shop/a', cause: by },
      { workload: 'Deployment shop/b', cause: by },
    ]);
    expect(ending).toMatchObject({
      title: 'Wake Complete',
      color: 'green',
      result: 'incomplete',
      up: ['Deployment shop/c'],
    });
  });

  it.each([
    ['fail_open', 'was still starting when the wake reached its overall limit'],
    ['walked_past', 'was still starting when its tier was released without waiting for it'],
    ['superseded', 'was still starting when a hibernation began'],
    ['not_observed', 'was not observed to the end: the controller restarted and the cluster was no longer being woken'],
  ] as const)('%s in words', (cause, words) => {
    expect(stillStartingWords(cause)).toBe(words);
  });
});

describe('the records of a wake', () => {
  const script: Script = (now) =>
    seen([
      recovering('a')(now),
      recovering('b')(now),
      refused('x'),
      now < at('1:00') ? stuck('z') : named('z', [startingPod('26:30')]),
    ]);
  const ending = endAfter(['0:30', '1:05', '27:00'], script);

  it('are counted in the event', () => {
    expect(wakeEventMessage(ending)).toBe(
      'Wake Complete - 1 workload failed, 2 workloads recovered, 1 workload still starting',
    );
    expect(wakeEventMessage(endAfter(['0:30'], constant(up('a'))))).toBe('Wake Complete');
  });

  it('leave out what left the wake, and never cut the casualties', () => {
    const casualties = Array.from({ length: 40 }, (_, index) => refused(`x${index}`));
    const gone = named('gone', [], { reading: { kind: 'left' } });
    const many = endAfter(['0:30'], constant(gone, ...casualties));
    expect(many.left).toEqual(['Deployment shop/gone']);
    expect(many.failed).toHaveLength(40);
    expect(many.title).toBe('Wake Complete - 40 workloads failed');
  });
});
