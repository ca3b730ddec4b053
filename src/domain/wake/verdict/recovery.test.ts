import { describe, expect, it } from 'vitest';
import {
  at,
  ended,
  named,
  observed,
  passes,
  readyPod,
  running,
  seen,
  span,
  startingPod,
  unplaced,
  waiting,
  wakeOf,
  withContainers,
} from '../../../../test/support/wake/scenario.ts';
import { standardFigures } from './figures.ts';
import type { WorkloadObservation } from './observation.ts';
import type { PodView } from './pod.ts';
import { cutRecoveries, endingWords, recoveredClause, recoverySentence } from './recovery.ts';
import type { Lift } from './wake-state.ts';

const lift = (part: Partial<Lift>): Lift => ({ at: at('20:00'), ending: 'unmeasured', ...part });

describe('the endings', () => {
  it.each<[Partial<Lift>, string]>([
    [{ ending: 'restart', gapMs: span('0:59') }, 'came up less than 1 minute after the restart'],
    [{ ending: 'restart', gapMs: span('1:00') }, 'came up 1 minute after the restart'],
    [{ ending: 'restart', gapMs: span('3:10') }, 'came up 3 minutes after the restart'],
    [{ ending: 'waiting', gapMs: span('0:59') }, 'came up less than 1 minute after the service stopped waiting'],
    [{ ending: 'waiting', gapMs: span('1:00') }, 'came up 1 minute after the service stopped waiting'],
    [{ ending: 'waiting', gapMs: span('4:59') }, 'came up 4 minutes after the service stopped waiting'],
    [{ ending: 'unmeasured' }, 'came up after the service stopped waiting'],
    [{ ending: 'back' }, 'came back up after the service stopped waiting'],
    [
      { ending: 'restart', gapMs: 0, broken: true },
      'came up less than 1 minute after the restart, and is not ready again',
    ],
    [
      { ending: 'waiting', gapMs: 0, broken: true },
      'came up less than 1 minute after the service stopped waiting, and is not ready again',
    ],
    [{ ending: 'unmeasured', broken: true }, 'came up after the service stopped waiting, and is not ready again'],
    [{ ending: 'back', broken: true }, 'came back up after the service stopped waiting, and is not ready again'],
  ])('%j', (part, words) => {
    expect(endingWords(lift(part))).toBe(words);
  });

  it('follow the reason of the lifted write-off', () => {
    const writeOff = {
      code: 'default_budget',
      ms: span('10:00'),
      at: at('11:00'),
      lift: lift({ ending: 'back' }),
    } as const;
    expect(recoverySentence('Deployment shop/cart', writeOff, standardFigures)).toBe(
      'Deployment shop/cart did not finish starting within the default 10 minutes, came back up after the service stopped waiting',
    );
  });
});

/** Keeps the wake running beside the workload under test. */
const beside = named('beside', [startingPod('14:59')]);
const crashing = withContainers(
  waiting('CrashLoopBackOff', { restartCount: 2, lastTerminated: ended('1:00', '1:50') }),
);

function changesAt(clocks: string[], script: (now: number) => WorkloadObservation): unknown[] {
  const all = (now: number) => seen([script(now), beside]);
  const wake = wakeOf(all(at('0:00')).workloads);
  return passes(wake, all, clocks).changes.map((change) =>
    'sentence' in change ? [change.kind, change.sentence] : change,
  );
}

describe('a written-off workload that comes up', () => {
  it.each<[string, before: PodView[], writeOff: string, after: PodView[], seenAt: string, sentence: string]>([
    [
      'a container restarted and that attempt came ready',
      [crashing],
      '2:00',
      [readyPod('2:40', { restartCount: 2 }, '2:10')],
      '3:25',
      'restarted twice before it was ready, came up less than 1 minute after the restart',
    ],
    [
      'the gap is measured from the restart, not from the write-off',
      [crashing],
      '2:00',
      [readyPod('5:20', { restartCount: 2 }, '2:10')],
      '6:05',
      'restarted twice before it was ready, came up 3 minutes after the restart',
    ],
    [
      'nothing restarted',
      [startingPod('1:00')],
      '11:00',
      [readyPod('11:59', {}, '1:00')],
      '12:00',
      'did not finish starting within the default 10 minutes, came up less than 1 minute after the service stopped waiting',
    ],
    [
      'nothing restarted, a minute later',
      [startingPod('1:00')],
      '11:00',
      [readyPod('12:00', {}, '1:00')],
      '12:01',
      'did not finish starting within the default 10 minutes, came up 1 minute after the service stopped waiting',
    ],
    [
      'it had been ready before the service stopped waiting',
      [startingPod('1:00')],
      '11:00',
      [readyPod('10:30', {}, '1:00')],
      '11:30',
      'did not finish starting within the default 10 minutes, came up after the service stopped waiting',
    ],
    [
      'ready in the second of the write-off, written by the cluster without its fraction',
      [startingPod('1:00')],
      '11:00.5',
      [readyPod('11:00', {}, '1:00')],
      '11:02',
      'did not finish starting within the default 10 minutes, came up less than 1 minute after the service stopped waiting',
    ],
    [
      'a restart long before is not what brought it up',
      [unplaced('Unschedulable')],
      '15:00',
      [
        {
          ...readyPod('16:30'),
          containers: [
            running('0:30', { ready: true, restartCount: 1, lastTerminated: ended('0:05', '0:20') }),
            running('16:00', { ready: true }),
          ],
        },
      ],
      '16:31',
      'was still Unschedulable after 15 minutes, came up 1 minute after the service stopped waiting',
    ],
  ])('%s', (_name, before, writeOff, after, seenAt, sentence) => {
    const script = (now: number) => observed(now < at(seenAt) ? before : after);
    expect(changesAt([writeOff, seenAt], script)).toContainEqual(['lifted', `Deployment shop/cart ${sentence}`]);
  });

  it('has no instant to measure from where its pods are hidden and its own status calls it ready', () => {
    const hidden = (now: number) => {
      const reportedReady = now < at('15:30') ? 0 : 1;
      return { ...observed([]), reading: { kind: 'unreadable', reportedReady } as const };
    };
    expect(changesAt(['15:00', '15:29'], hidden)).toEqual([]);
    expect(changesAt(['15:00', '15:30'], hidden)).toEqual([
      ['lifted', 'Deployment shop/cart could not be read, came up after the service stopped waiting'],
    ]);
  });

  it('is not lifted while a replica is missing', () => {
    const script = (now: number) => ({ ...observed(now < at('3:00') ? [crashing] : [readyPod('3:00')]), replicas: 2 });
    const two = (now: number) => {
      const one = script(now);
      return one.reading.kind === 'read'
        ? { ...one, reading: { ...one.reading, workload: { ...one.reading.workload, replicas: 2 } } }
        : one;
    };
    expect(changesAt(['2:00', '3:00'], two)).toEqual([]);
  });
});

describe('after the recovery', () => {
  const up = readyPod('3:00', { restartCount: 2 }, '2:50');
  const flapped = { ...up, ready: { status: false, since: at('4:00') } };
  const restartedOnce = startingPod('4:10', { restartCount: 3, lastTerminated: ended('2:50', '4:00') });
  const restartedTwice = startingPod('4:40', { restartCount: 4, lastTerminated: ended('4:10', '4:30') });
  /** Written off at 2:00, up at 3:00 and steadily so at 3:45, then as given from 4:00 on, and as given from 5:00 on. */
  const story = (broken: PodView, then: PodView) => (now: number) => {
    if (now < at('3:00')) return observed([crashing]);
    if (now < at('4:00')) return observed([up]);
    return observed([now < at('5:00') ? broken : then]);
  };
  const sentence =
    'Deployment shop/cart restarted twice before it was ready, came up less than 1 minute after the restart';

  it('stays quiet while it is up', () => {
    expect(changesAt(['2:00', '3:00', '3:45', '3:50'], story(flapped, up))).toEqual([]);
  });

  it.each<[string, PodView]>([
    ['its readiness went', flapped],
    ['it restarted once', restartedOnce],
  ])('the lift stands although it is not ready again: %s', (_name, broken) => {
    expect(changesAt(['2:00', '3:00', '3:45', '4:15'], story(broken, broken))).toEqual([
      ['broke_again', `${sentence}, and is not ready again`],
    ]);
    expect(changesAt(['2:00', '3:00', '3:45', '4:15', '4:20'], story(broken, broken))).toEqual([]);
  });

  it('nobody says that it is not ready again while it cannot be read', () => {
    const hidden = (now: number) => {
      const shown = story(flapped, flapped)(now);
      return now < at('4:00') ? shown : { ...shown, pods: [], reading: { kind: 'unreadable' } as const };
    };
    expect(changesAt(['2:00', '3:00', '3:45', '4:15', '14:30'], hidden)).toEqual([]);
  });

  it('coming back without a second write-off states no gap', () => {
    expect(
      changesAt(
        ['2:00', '3:00', '3:45', '4:15', '5:00', '5:45'],
        story(flapped, readyPod('5:00', { restartCount: 2 }, '2:50')),
      ),
    ).toEqual([
      [
        'came_back',
        'Deployment shop/cart restarted twice before it was ready, came back up after the service stopped waiting',
      ],
    ]);
  });

  it('the second restart since the recovery files a second write-off, which takes the slot back', () => {
    const all = (now: number) => seen([story(restartedOnce, restartedTwice)(now), beside]);
    const { wake, changes } = passes(wakeOf(all(at('0:00')).workloads), all, ['2:00', '3:00', '3:45', '4:15', '5:00']);
    expect(changes.map((change) => change.kind)).toEqual(['written_off']);
    expect(wake.writeOffs).toEqual({
      'Deployment shop/cart': { code: 'restarted_twice', at: at('5:00'), again: true },
    });
  });

  it.each<[string, unknown[]]>([
    ['14:09', []],
    ['14:10', [['written_off', 'Deployment shop/cart did not finish starting within the default 10 minutes']]],
  ])('a further attempt has its budget from its own start: at %s', (clock, changes) => {
    expect(changesAt(['2:00', '3:00', '3:45', '4:15', clock], story(restartedOnce, restartedOnce))).toEqual(changes);
  });

  it('lost readiness alone never files a second write-off', () => {
    expect(changesAt(['2:00', '3:00', '3:45', '4:15', '14:30'], story(flapped, flapped))).toEqual([]);
  });

  it('a new pod counts its restarts from nothing', () => {
    const replaced = {
      ...restartedTwice,
      createdAt: at('4:00'),
      containers: [running('4:50', { restartCount: 2, lastTerminated: ended('4:20', '4:40') })],
    };
    expect(changesAt(['2:00', '3:00', '3:45', '5:00'], story(flapped, replaced))).toEqual([
      ['written_off', 'Deployment shop/cart restarted twice before it was ready'],
    ]);
  });
});

describe('on cards', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['a'], ['a']],
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'and 1 more'],
    ],
    [
      ['a', 'b', 'c', 'd', 'e', 'f'],
      ['a', 'b', 'c', 'and 3 more'],
    ],
  ])('%j are shown as %j', (sentences, shown) => {
    expect(cutRecoveries(sentences)).toEqual(shown);
  });
});

it('counts recoveries in the clause of the event', () => {
  expect([0, 1, 2].map(recoveredClause)).toEqual([undefined, '1 workload recovered', '2 workloads recovered']);
});
