import { describe, expect, it } from 'vitest';
import {
  at,
  declaring,
  ended,
  named,
  observed,
  passes,
  probeOf,
  seen,
  span,
  specced,
  startingPod,
  unplaced,
  waiting,
  wakeOf,
  withContainers,
  workload,
} from '../../../../test/support/wake/scenario.ts';
import { resumeWake } from '../start.ts';
import { deriveFailOpenMs, failOpenAt, latestBandEnd, outsideAt } from './failopen.ts';
import { minute, standardFigures } from './figures.ts';
import type { WorkloadObservation } from './observation.ts';

const declared = (seconds: number) => workload({ containers: declaring(probeOf(seconds)) });

describe('the derived fail-open', () => {
  it.each<[string, Parameters<typeof deriveFailOpenMs>[0], string]>([
    ['the default budget: 15 + 10 + 2', [workload()], '27:00'],
    ['the highest of several', [declared(60), declared(1200), workload()], '37:00'],
    ['the cap bounds it: 15 + 30 + 2', [declared(7200)], '47:00'],
    ['a workload that cannot be read counts with the default', [undefined, declared(60)], '27:00'],
    ['never under 15 minutes, with nothing but databases', [], '15:00'],
  ])('%s', (_name, specs, figure) => {
    expect(deriveFailOpenMs(specs, standardFigures)).toBe(span(figure));
  });

  it('is never under 15 minutes with shorter phases', () => {
    const figures = { ...standardFigures, phase1Ms: minute, settleTimeoutMs: minute };
    expect(deriveFailOpenMs([workload()], figures)).toBe(span('15:00'));
  });
});

describe('when it fires', () => {
  const wake = wakeOf([observed([])]);
  it.each<[string, string[], string]>([
    ['without a live band', [], '27:00'],
    ['a band that ends long before moves nothing', ['20:00'], '27:00'],
    ['a band ending 45 seconds before moves nothing', ['26:15'], '27:00'],
    ['the later of the figure and the band plus 45 seconds', ['26:16'], '27:01'],
    ['the latest of several bands', ['28:00', '29:00', '20:00'], '29:45'],
    ['a band ending where bands are cut', ['30:00'], '30:45'],
    ['never past the outside figure', ['31:00'], '30:45'],
  ])('%s', (_name, ends, clock) => {
    expect(failOpenAt(wake, ends.map(at), standardFigures)).toBe(at(clock));
  });
});

describe('the outside figure', () => {
  it('is the fail-open plus 3m45s', () => {
    expect(outsideAt(wakeOf([observed([])]), standardFigures)).toBe(at('30:45'));
    expect(latestBandEnd(wakeOf([observed([])]), standardFigures)).toBe(at('30:00'));
  });

  it('is the fail-open plus 5m45s for a wake resumed after a restart', () => {
    const resumed = resumeWake(wakeOf([observed([])]), at('9:00'));
    expect(outsideAt(resumed, standardFigures)).toBe(at('32:45'));
    expect(latestBandEnd(resumed, standardFigures)).toBe(at('32:00'));
  });
});

describe('the end of a wake that does not settle', () => {
  /** Started at 14:30 in a second tier that began late, so its own limit lies behind the fail-open. */
  const late = (pods: WorkloadObservation['pods']) => named('late', pods, { tier: 1 });
  const stuck = observed([unplaced('Unschedulable')]);
  const tiers = [{ name: 'first', barrier: '14:00' }, { name: 'second' }];
  const script = () => seen([stuck, late([startingPod('26:30')])]);

  it.each<[string, string | undefined]>([
    ['26:59', undefined],
    ['27:00', 'fail_open'],
  ])('at %s: %s', (clock, by) => {
    expect(passes(wakeOf(script().workloads, tiers), script, ['14:00', '15:00', clock]).wake.endedBy).toBe(by);
  });

  it('waits for a live band and its settle margin', () => {
    const crashing = withContainers(
      waiting('CrashLoopBackOff', { restartCount: 2, lastTerminated: ended('24:00', '24:30') }),
    );
    const both = () => seen([{ ...stuck, pods: [crashing] }, late([startingPod('26:30')])]);
    const before = seen([stuck, late([])]);
    const wake = passes(wakeOf(both().workloads, tiers), () => before, ['14:00']).wake;
    expect(passes(wake, both, ['24:30', '29:30', '30:14']).wake.endedBy).toBeUndefined();
    expect(passes(wake, both, ['24:30', '29:30', '30:15']).wake.endedBy).toBe('fail_open');
  });

  it('raises what was held back, so that nothing stays at zero', () => {
    const slow = [{ name: 'first', barrier: '20:00' }, { name: 'second', barrier: '20:00' }, { name: 'third' }];
    const three = () =>
      seen([observed([startingPod('26:00')]), late([startingPod('26:00')]), named('last', [], { tier: 2 })]);
    expect(passes(wakeOf(three().workloads, slow), three, ['20:00', '27:00']).changes).toEqual([
      { kind: 'tier_started', tier: 2, name: 'third' },
      { kind: 'ended', by: 'fail_open' },
    ]);
  });

  it('comes at once when the controller was away past the outside figure', () => {
    const resumed = resumeWake(wakeOf(script().workloads, tiers), at('45:00'));
    expect(passes(resumed, script, ['45:00']).wake).toMatchObject({ endedAt: at('45:00'), endedBy: 'fail_open' });
  });

  it('holds a band that opened late to the outside figure, and to the longer one after a restart', () => {
    const crash = withContainers(
      waiting('CrashLoopBackOff', { restartCount: 2, lastTerminated: ended('26:00', '26:30') }),
    );
    const only = () => seen([{ ...stuck, pods: [crash] }, late([startingPod('26:50')])]);
    const wake = passes(wakeOf(only().workloads, tiers), () => seen([stuck, late([])]), ['14:00']).wake;
    expect(passes(wake, only, ['26:50', '29:00']).nextCheckAt).toBe(at('30:00'));
    expect(passes(resumeWake(wake, at('20:00')), only, ['26:50', '29:00']).nextCheckAt).toBe(at('31:50'));
  });
});

describe('the last second of a wake whose band opened at the fail-open’s margin', () => {
  /** Crashing since just before 25:00, its ceiling: the band of five minutes ends at 30:00, the wake 45 seconds later. */
  const crashing = observed([
    withContainers(waiting('CrashLoopBackOff', { restartCount: 2, lastTerminated: ended('24:00', '24:50') })),
  ]);
  const open = named('open', [startingPod('26:30')], { tier: 1 });
  const tiers = [{ name: 'first', barrier: '20:00' }, { name: 'second' }];
  const before = () => seen([observed([startingPod('20:00')]), open]);
  const after = () => seen([crashing, open]);
  const begun = passes(wakeOf(before().workloads, tiers), before, ['20:00']).wake;

  it.each<[resumed: boolean, writtenOff: string, last: string, end: string]>([
    [false, '25:00', '30:44', '30:45'],
    [false, '26:59', '30:44', '30:45'],
    [true, '25:00', '30:44', '30:45'],
    [true, '26:59', '32:43', '32:44'],
  ])('taken over: %s, written off at %s: goes on at %s, over at %s', (resumed, writtenOff, last, end) => {
    const wake = resumed ? resumeWake(begun, at('21:00')) : begun;
    expect(passes(wake, after, [writtenOff, '28:00', last]).wake.endedBy).toBeUndefined();
    expect(passes(wake, after, [writtenOff, '28:00', last, end]).wake.endedBy).toBe('fail_open');
  });
});

it('derives the figure from the specs at the start and keeps it', () => {
  const slow = specced({ containers: declaring(probeOf(1200)) }, []);
  expect(wakeOf([slow]).failOpenMs).toBe(span('37:00'));
});
