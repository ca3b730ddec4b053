import { describe, expect, it } from 'vitest';
import {
  at,
  named,
  observed,
  passes,
  readyPod,
  seen,
  startingPod,
  T0,
  unplaced,
  wakeOf,
} from '../../../test/support/wake/scenario.ts';
import { abandonWake, resumeWake, startWake } from './start.ts';
import { standardFigures } from './verdict/figures.ts';
import type { DatabaseStatus } from './verdict/observation.ts';
import type { PodView } from './verdict/pod.ts';

const tiers = [{ name: 'data', barrier: '5:00', databases: ['orders'] }, { name: 'apps' }];
const scene = (first: PodView[], database: DatabaseStatus = 'available', second: PodView[] = [], refused?: string) =>
  seen(
    [observed(first, refused === undefined ? {} : { refused }), named('web', second, { tier: 1 })],
    [{ name: 'orders', status: database }],
  );
const passAt = (clock: string, ...args: Parameters<typeof scene>) => {
  const script = () => scene(...args);
  return passes(wakeOf(script().workloads, tiers), script, [clock]);
};

describe('a tier is released', () => {
  it.each<[string, clock: string, Parameters<typeof scene>, kinds: string[]]>([
    ['when its members are ready', '1:00', [[readyPod('0:50')]], ['tier_released', 'tier_started']],
    ['not while a workload starts', '1:00', [[startingPod('0:50')]], []],
    ['not while a database starts', '1:00', [[readyPod('0:50')], 'starting'], []],
    [
      'when a database failed: that is an answer',
      '1:00',
      [[readyPod('0:50')], 'failed'],
      ['tier_released', 'tier_started'],
    ],
    [
      'when the missing one is written off',
      '1:00',
      [[], 'available', [], 'denied'],
      ['written_off', 'tier_released', 'tier_started'],
    ],
    ['not at 4:59 of its barrier', '4:59', [[unplaced()]], []],
    ['at 5:00 of its barrier', '5:00', [[unplaced()]], ['barrier_timeout', 'tier_started']],
    [
      'at 5:00 of its barrier for a database',
      '5:00',
      [[readyPod('0:50')], 'starting'],
      ['barrier_timeout', 'tier_started'],
    ],
    [
      'and the next one with it, when that is up already',
      '1:00',
      [[readyPod('0:50')], 'available', [readyPod('0:50')]],
      ['tier_released', 'tier_started', 'tier_released', 'ended'],
    ],
  ])('%s', (_name, clock, args, kinds) => {
    expect(passAt(clock, ...args).changes.map((change) => change.kind)).toEqual(kinds);
  });

  it('by its barrier with the names of those it leaves behind', () => {
    expect(passAt('5:00', [unplaced()], 'starting').changes[0]).toEqual({
      kind: 'barrier_timeout',
      tier: 0,
      name: 'data',
      barrierMs: 300_000,
      leftBehind: ['Deployment shop/cart'],
      databasesLeftBehind: ['orders'],
    });
  });

  it('not on a guess: a database that nobody reported on is still starting', () => {
    const script = () => seen([observed([readyPod('0:50')])]);
    expect(passes(wakeOf(script().workloads, tiers), script, ['1:00']).changes).toEqual([]);
  });
});

describe('the last tier', () => {
  it('has no barrier: it waits for its verdicts', () => {
    const script = () => seen([observed([startingPod('1:00')])]);
    const wake = wakeOf(script().workloads, [{ name: 'all', barrier: '5:00' }]);
    expect(passes(wake, script, ['5:00', '10:59']).wake.endedAt).toBeUndefined();
    expect(passes(wake, script, ['5:00', '11:00']).wake.endedBy).toBe('settled');
  });

  it('waits for its database, and at the longest for the fail-open', () => {
    const script = () => seen([], [{ name: 'orders', status: 'starting' }]);
    const wake = wakeOf([], [{ name: 'all', databases: ['orders'] }]);
    expect(passes(wake, script, ['14:59']).wake.endedAt).toBeUndefined();
    expect(passes(wake, script, ['15:00']).wake.endedBy).toBe('fail_open');
  });
});

describe('the clock of a tier', () => {
  it.each<[string, string[]]>([
    ['16:59', []],
    ['17:00', ['Deployment shop/web']],
  ])('phase 1 of a second tier that starts at 2:00 ends at 17:00: at %s', (clock, writtenOff) => {
    const script = () => scene([readyPod('1:55')], 'available', [unplaced()]);
    const { wake } = passes(wakeOf(script().workloads, tiers), script, ['2:00', clock]);
    expect(Object.keys(wake.writeOffs)).toEqual(writtenOff);
  });

  it('nothing of a tier is judged before the tier starts', () => {
    const script = () => scene([startingPod('0:50')], 'available', [unplaced()]);
    expect(passes(wakeOf(script().workloads, tiers), script, ['4:59']).wake.writeOffs).toEqual({});
  });
});

describe('workloads that a barrier walked past', () => {
  it('do not hold the end of the wake', () => {
    const script = () => scene([unplaced()], 'available', [readyPod('5:30')]);
    expect(passes(wakeOf(script().workloads, tiers), script, ['5:00', '5:31']).wake.endedBy).toBe('settled');
  });

  it('are observed until it ends, and written off at their own limit', () => {
    const script = () => scene([unplaced()], 'available', [startingPod('9:00')]);
    const { changes } = passes(wakeOf(script().workloads, tiers), script, ['5:00', '15:00']);
    expect(changes).toContainEqual(
      expect.objectContaining({ kind: 'written_off', workload: 'Deployment shop/cart', reason: 'pending_no_node' }),
    );
  });
});

describe('when the wake wants its next pass', () => {
  it.each<[string, string[], Parameters<typeof scene>, string]>([
    ['the barrier', ['0:30'], [[unplaced()]], '5:00'],
    ['the limit of phase 1, once past the barrier', ['5:00'], [[unplaced()]], '15:00'],
    ['the budget of phase 2', ['0:30'], [[startingPod('-8:00')]], '5:00'],
    [
      'the fail-open when nothing else is due',
      ['5:00', '15:00', '20:00'],
      [[unplaced()], 'available', [startingPod('19:00')]],
      '27:00',
    ],
  ])('%s', (_name, clocks, args, next) => {
    const script = () => scene(...args);
    expect(passes(wakeOf(script().workloads, tiers), script, clocks).nextCheckAt).toBe(at(next));
  });

  it('never once it has ended', () => {
    const script = () => seen([observed([readyPod('0:20')])]);
    expect(passes(wakeOf(script().workloads), script, ['0:30']).nextCheckAt).toBeUndefined();
    expect(passes(wakeOf(script().workloads), script, ['0:30', '0:31']).changes).toEqual([]);
  });
});

describe('a wake from outside', () => {
  it('starts its first tier at once', () => {
    const plan = {
      id: 'w1',
      tiers: [{ name: 'data', barrierMs: 1, workloads: [undefined, undefined], databases: [] }],
    };
    expect(startWake(plan, T0, standardFigures)).toEqual({
      wake: {
        id: 'w1',
        startedAt: T0,
        failOpenMs: 27 * 60_000,
        tiers: [{ name: 'data', barrierMs: 1, workloads: 2, databases: [], startedAt: T0 }],
        writeOffs: {},
      },
      changes: [{ kind: 'tier_started', tier: 0, name: 'data' }],
    });
  });

  it('is resumed once', () => {
    const resumed = resumeWake(wakeOf([]), at('3:00'));
    expect(resumed.resumedAt).toBe(at('3:00'));
    expect(resumeWake(resumed, at('4:00'))).toBe(resumed);
  });

  it.each(['superseded', 'not_observed'] as const)('ends as %s, and only once', (by) => {
    const { wake, changes } = abandonWake(wakeOf([observed([])]), by, at('3:00'));
    expect(wake).toMatchObject({ endedAt: at('3:00'), endedBy: by });
    expect(changes).toEqual([{ kind: 'ended', by }]);
    expect(abandonWake(wake, 'superseded', at('4:00'))).toEqual({ wake, changes: [] });
    expect(resumeWake(wake, at('5:00'))).toBe(wake);
  });
});
