import { describe, expect, it } from 'vitest';
import { declaring, probe, span, workload } from '../../../../test/support/wake/scenario.ts';
import type { StartupProbe } from '../../workload.ts';
import { startBudget, workloadCeilingMs } from './budget.ts';
import { minute, standardFigures } from './figures.ts';

type Row = [name: string, probes: (StartupProbe | undefined)[], kind: string, budget: string];

describe('the budget of phase 2', () => {
  it.each<Row>([
    ['no start-up probe: the default', [undefined], 'default', '10:00'],
    ['threshold times period', [probe({ failureThreshold: 120 })], 'declared', '20:00'],
    ['plus the initial delay', [probe({ initialDelaySeconds: 15, failureThreshold: 6 })], 'declared', '1:15'],
    ['the longest of several', [probe({ failureThreshold: 6 }), probe({ failureThreshold: 30 })], 'declared', '5:00'],
    [
      'the longest, whatever the order',
      [probe({ failureThreshold: 30 }), probe({ failureThreshold: 6 })],
      'declared',
      '5:00',
    ],
    ['a container that declares none is ignored', [undefined, probe({ failureThreshold: 6 })], 'declared', '1:00'],
    ['shorter than the default is still declared', [probe({ failureThreshold: 1 })], 'declared', '0:10'],
    ['just under the cap', [probe({ periodSeconds: 1, failureThreshold: 1799 })], 'declared', '29:59'],
    ['exactly the cap is declared', [probe({ periodSeconds: 1, failureThreshold: 1800 })], 'declared', '30:00'],
    ['a second over it is held to it', [probe({ periodSeconds: 1, failureThreshold: 1801 })], 'cap', '30:00'],
    ['over it by the initial delay', [probe({ initialDelaySeconds: 1, failureThreshold: 180 })], 'cap', '30:00'],
    ['hours are held to it', [probe({ failureThreshold: 3600 })], 'cap', '30:00'],
  ])('%s', (_name, probes, kind, budget) => {
    expect(startBudget(workload({ containers: declaring(...probes) }), standardFigures)).toMatchObject({
      kind,
      ms: span(budget),
    });
  });

  it('heeds a sidecar that declares one', () => {
    const spec = workload({ sidecars: declaring(probe({ failureThreshold: 30 })), containers: declaring(undefined) });
    expect(startBudget(spec, standardFigures)).toEqual({ kind: 'declared', ms: span('5:00'), killWaitMs: 41_000 });
  });

  it.each<[settle: string, kind: string, budget: string]>([
    ['29:59', 'default', '29:59'],
    ['30:00', 'default', '30:00'],
    ['30:01', 'cap', '30:00'],
    ['600:00', 'cap', '30:00'],
  ])('a settle time-out of %s is %s at %s', (settle, kind, budget) => {
    const figures = { ...standardFigures, settleTimeoutMs: span(settle) };
    for (const spec of [workload(), undefined]) {
      expect(startBudget(spec, figures)).toEqual({ kind, ms: span(budget), killWaitMs: 0 });
    }
  });

  it('is the settle time-out for a workload that cannot be read', () => {
    expect(startBudget(undefined, standardFigures)).toEqual({ kind: 'default', ms: span('10:00'), killWaitMs: 0 });
  });

  it('follows the setting, and only where nothing is declared', () => {
    const figures = { ...standardFigures, settleTimeoutMs: 3 * minute };
    expect(startBudget(workload(), figures).ms).toBe(span('3:00'));
    expect(startBudget(workload({ containers: declaring(probe()) }), figures).ms).toBe(span('0:30'));
  });
});

describe('the wait for the kubelet to kill', () => {
  it.each<[string, StartupProbe[], number, string]>([
    ['about 40 seconds with the defaults', [probe()], 30, '0:41'],
    ['period, time-out and termination grace', [probe({ periodSeconds: 20, timeoutSeconds: 5 })], 60, '1:25'],
    ['just under five minutes', [probe({ timeoutSeconds: 1 })], 288, '4:59'],
    ['never more than five minutes', [probe()], 3600, '5:00'],
    [
      'of the probe with the longest budget',
      [probe({ timeoutSeconds: 9 }), probe({ failureThreshold: 9 })],
      30,
      '0:41',
    ],
    ['the grace of the probe goes before that of the pod', [probe({ terminationGracePeriodSeconds: 5 })], 60, '0:16'],
    ['also when it is none', [probe({ terminationGracePeriodSeconds: 0 })], 60, '0:11'],
    ['none when held to the cap', [probe({ failureThreshold: 181 })], 30, '0:00'],
    ['none without a start-up probe', [], 30, '0:00'],
  ])('%s', (_name, probes, terminationGracePeriodSeconds, wait) => {
    const spec = workload({ containers: declaring(...probes), terminationGracePeriodSeconds });
    expect(startBudget(spec, standardFigures).killWaitMs).toBe(span(wait));
  });

  it('does not depend on the order of containers with the same budget', () => {
    const slow = probe({ periodSeconds: 30, failureThreshold: 1 });
    const quick = probe({ periodSeconds: 10, failureThreshold: 3 });
    const patient = probe({ periodSeconds: 10, failureThreshold: 3, terminationGracePeriodSeconds: 90 });
    const waits = [declaring(slow, quick), declaring(quick, slow), declaring(slow, patient), declaring(patient, slow)];
    expect(waits.map((containers) => startBudget(workload({ containers }), standardFigures).killWaitMs)).toEqual([
      61_000, 61_000, 101_000, 101_000,
    ]);
  });
});

it('puts the ceiling of a workload at phase 1 and its own phase 2', () => {
  expect(workloadCeilingMs(workload(), standardFigures)).toBe(span('25:00'));
  expect(
    workloadCeilingMs(workload({ containers: declaring(probe({ failureThreshold: 120 })) }), standardFigures),
  ).toBe(span('35:00'));
});
