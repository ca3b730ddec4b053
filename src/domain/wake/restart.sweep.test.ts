// A restart at every single second of wakes that between them hold every reason and every ending.

import { describe, expect, it } from 'vitest';
import {
  at,
  declaring,
  ended,
  named,
  observed,
  probeOf,
  readyPod,
  running,
  seen,
  specced,
  startingPod,
  T0,
  unplaced,
  waiting,
  wakeOf,
  withContainers,
  withInit,
} from '../../../test/support/wake/scenario.ts';
import type { EpochMs } from '../workload.ts';
import { advanceWake } from './advance.ts';
import { endOf, type WakeEnding } from './ending.ts';
import { resumeWake } from './start.ts';
import { outsideAt } from './verdict/failopen.ts';
import { reasonCodes } from './verdict/failure-sentence.ts';
import { standardFigures } from './verdict/figures.ts';
import type { WakeObservations, WorkloadObservation } from './verdict/observation.ts';
import type { PodView } from './verdict/pod.ts';
import type { WakeState } from './verdict/wake-state.ts';

/** What the cluster shows of one workload from each of the instants on. */
type Story = readonly (readonly [from: string, WorkloadObservation])[];

const shows = (...steps: readonly (readonly [string, PodView[]])[]): Story =>
  steps.map(([from, pods]) => [from, observed(pods)]);
const always = (...pods: PodView[]): Story => shows(['0:00', pods]);
const creating = withContainers(waiting('ContainerCreating'));
const refused = withContainers(waiting('CreateContainerConfigError'));
const backingOff = (restartCount: number, from: string, to: string) =>
  withContainers(waiting('CrashLoopBackOff', { restartCount, lastTerminated: ended(from, to) }));
const again = (restartCount: number, started: string, from: string, to: string) =>
  startingPod(started, { restartCount, lastTerminated: ended(from, to) });
const declared = (seconds: number, ...pods: PodView[]) => specced({ containers: declaring(probeOf(seconds)) }, pods);

const stories: Readonly<Record<string, Story>> = {
  unschedulable: always(unplaced('Unschedulable')),
  pending: always(unplaced()),
  init: always(withInit(running('0:05'))),
  pulling: always(creating),
  'no pod': always(),
  'pull fails': always(withContainers(waiting('ImagePullBackOff'))),
  refused: always(refused),
  reference: always(withContainers(waiting('InvalidImageName'))),
  'never pulled': always(withContainers(waiting('ErrImageNeverPull'))),
  declared: [
    ['0:00', declared(300, creating)],
    ['1:00', declared(300, startingPod('1:00'))],
    ['6:40', declared(300, again(1, '6:40', '1:00', '6:39'))],
  ],
  default: shows(['0:00', []], ['2:00', [startingPod('2:00')]]),
  cap: [['0:00', declared(7200, startingPod('0:30'))]],
  restarts: shows(
    ['0:00', [startingPod('0:05')]],
    ['0:20', [backingOff(0, '0:05', '0:20')]],
    ['0:30', [again(1, '0:30', '0:05', '0:20')]],
    ['0:50', [backingOff(1, '0:30', '0:50')]],
    ['1:10', [again(2, '1:10', '0:30', '0:50')]],
  ),
  unreadable: [['0:00', { ...observed([]), reading: { kind: 'unreadable' } }]],
  'scale refused': [['0:00', observed([], { refused: 'denied' })]],
  'recovers by a restart': shows(
    ['0:00', [backingOff(2, '0:05', '0:20')]],
    ['3:00', [again(2, '3:00', '0:05', '0:20')]],
    ['4:30', [readyPod('4:30', { restartCount: 2 }, '3:00')]],
  ),
  'recovers late': shows(
    ['0:00', [creating]],
    ['15:40', [startingPod('15:40')]],
    ['16:10', [readyPod('16:10', {}, '15:40')]],
  ),
  'recovers and breaks': shows(
    ['0:00', [refused]],
    ['15:30', [readyPod('15:30', {}, '15:20')]],
    ['16:00', [{ ...readyPod('15:30', {}, '15:20'), ready: { status: false, since: at('16:00') } }]],
  ),
  'recovers breaks and is back': shows(
    ['0:00', [refused]],
    ['15:30', [readyPod('15:30', {}, '15:20')]],
    ['16:00', [{ ...readyPod('15:30', {}, '15:20'), ready: { status: false, since: at('16:00') } }]],
    ['16:30', [readyPod('16:30', {}, '15:20')]],
  ),
  'verdict returns': shows(
    ['0:00', [backingOff(2, '0:05', '0:20')]],
    ['3:00', [readyPod('3:00', { restartCount: 2 }, '2:50')]],
    ['4:00', [backingOff(2, '2:50', '4:00')]],
    ['4:10', [again(3, '4:10', '2:50', '4:00')]],
    ['4:25', [backingOff(3, '4:10', '4:25')]],
    ['4:50', [again(4, '4:50', '4:10', '4:25')]],
  ),
  'was ready': shows(
    ['0:00', [creating]],
    ['1:00', [startingPod('1:00')]],
    ['1:10', [readyPod('1:10', {}, '1:00')]],
    ['12:00', [{ ...startingPod('1:00'), ready: { status: false, since: at('12:00') } }]],
  ),
  replaced: shows(
    ['0:00', [creating]],
    ['1:10', [readyPod('1:10', {}, '1:00')]],
    ['14:40', [{ ...creating, createdAt: at('14:40') }]],
    ['16:00', [{ ...startingPod('16:00'), createdAt: at('14:40') }]],
    ['16:30', [{ ...readyPod('16:30', {}, '16:00'), createdAt: at('14:40') }]],
  ),
  'ready for a moment': shows(
    ['0:00', [backingOff(2, '0:05', '0:20')]],
    ['3:00', [readyPod('3:00', { restartCount: 3 }, '2:50')]],
    ['3:20', [{ ...backingOff(3, '2:50', '3:20'), ready: { status: false, since: at('3:20') } }]],
  ),
  up: shows(
    ['0:00', []],
    ['0:10', [creating]],
    ['1:00', [startingPod('1:00')]],
    ['2:00', [readyPod('2:00', {}, '1:00')]],
  ),
};

/** Keeps the wake open until 34:00, so that every story is told to its end. */
const beside: Story = [
  ['0:00', declared(1800, startingPod('4:30'))],
  ['34:00', declared(1800, readyPod('34:00', {}, '4:30'))],
];
const all = Object.entries({ ...stories, beside });

function script(now: EpochMs): WakeObservations {
  return seen(
    all.map(([name, story]) => {
      const shown = story.findLast(([from]) => at(from) <= now)![1];
      return named(name.replaceAll(/\W/g, '-'), shown.pods, { ...shown });
    }),
  );
}

const events = [...new Set(all.flatMap(([, story]) => story.map(([from]) => at(from))))].sort((a, b) => a - b);

interface Told {
  readonly wake: WakeState;
  readonly ending: WakeEnding;
}

/** Passes come with every event and every deadline, as they do; the restarted controller looks at once. */
function tell(restartAt?: EpochMs, awayMs = 0): Told {
  let wake = wakeOf(script(T0).workloads);
  let now = T0;
  for (;;) {
    if (restartAt !== undefined && wake.resumedAt === undefined && now >= restartAt) {
      now = Math.max(now, restartAt + awayMs);
      wake = resumeWake(JSON.parse(JSON.stringify(wake)) as WakeState, now);
    }
    const advanced = advanceWake(wake, script(now), now, standardFigures);
    wake = advanced.wake;
    if (advanced.nextCheckAt === undefined) return { wake, ending: endOf(wake, script(now), now, standardFigures) };
    const event = events.find((instant) => instant > now) ?? advanced.nextCheckAt;
    const restart = restartAt !== undefined && wake.resumedAt === undefined ? restartAt : advanced.nextCheckAt;
    now = Math.min(event, restart <= now ? advanced.nextCheckAt : restart, advanced.nextCheckAt);
  }
}

describe('a wake with every reason and every ending in it', () => {
  const lived = tell();
  const seconds = Array.from({ length: (lived.wake.endedAt! - T0) / 1_000 + 1 }, (_, second) => second);

  it('holds all fifteen reasons, failed or recovered, and each kind of ending', () => {
    const { failed, recovered } = lived.ending;
    const told = new Set([...failed, ...recovered].map(({ reason }) => reason));
    expect(reasonCodes.filter((code) => !told.has(code))).toEqual([]);
    const endings = recovered.map(({ workload, sentence }) => `${workload.slice(16)}: ${/came .*/.exec(sentence)}`);
    expect(endings).toEqual([
      'recovers-and-breaks: came up less than 1 minute after the service stopped waiting, and is not ready again',
      'recovers-breaks-and-is-back: came back up after the service stopped waiting',
      'recovers-by-a-restart: came up 1 minute after the restart',
      'recovers-late: came up 1 minute after the service stopped waiting',
    ]);
    expect(lived.ending.up.map((workload) => workload.slice(16))).toEqual(['beside', 'replaced', 'up', 'was-ready']);
    expect(lived.ending.stillStarting).toEqual([]);
    expect(Object.keys(lived.wake.writeOffs).filter((key) => lived.wake.writeOffs[key]?.again === true)).toEqual([
      'Deployment shop/verdict-returns',
    ]);
    expect(seconds).toHaveLength(34 * 60 + 1);
  });

  it('gives the same verdicts to the letter when the controller restarts at any second', () => {
    const whole = JSON.stringify(lived.ending);
    for (const second of seconds) {
      const told = JSON.stringify(tell(T0 + second * 1_000).ending);
      if (told !== whole) expect(`${second} ${told}`).toBe(`${second} ${whole}`);
    }
  });

  it('and when it is away for ten seconds, every seventh: every class, every reason, and an end within the allowance', () => {
    const classes = ({ ending }: Told) => ({
      up: ending.up,
      failed: ending.failed,
      recovered: ending.recovered.map(({ workload, reason }) => [workload, reason]),
      stillStarting: ending.stillStarting,
    });
    const whole = JSON.stringify(classes(lived));
    for (const second of seconds.filter((one) => one % 7 === 0)) {
      const died = tell(T0 + second * 1_000, 10_000);
      const told = JSON.stringify(classes(died));
      if (told !== whole) expect(`${second} ${told}`).toBe(`${second} ${whole}`);
      expect(died.wake.endedAt).toBeLessThanOrEqual(outsideAt(died.wake, standardFigures));
    }
  });
});
