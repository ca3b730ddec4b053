import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { behaviourPrefix } from '../../../embedded-cluster/kubelet/behaviour.ts';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import { firstProblem } from '../../contract/check.ts';
import { transitionFrame } from '../../contract/schemas/transition.ts';
import type { StreamEvents } from '../../contract/stream.ts';

type TransitionFrame = StreamEvents['transition'];
type HibernationFrame = Extract<TransitionFrame, { kind: 'hibernation' }>;
type WakeFrame = Extract<TransitionFrame, { kind: 'wake' }>;

const second = 1_000;
const minute = 60 * second;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const hours = (value: 'on' | 'off') => ({ schedule: Object.fromEntries(weekdays.map((day) => [day, value])) });
const tier = (name: string) => ({ name, timeout: '2m', select: [{ namespace: 'shop', labels: { tier: name } }] });
const down = { tiers: [tier('web'), tier('data')] };
const up = { tiers: [tier('data'), tier('web')] };
const config = (value: 'on' | 'off', parts: object = {}) => ({
  workingHours: hours(value),
  hibernateOrdering: down,
  wakeOrdering: up,
  ...parts,
});

function deployment(name: string, tierName: string) {
  const labels = { app: name, tier: tierName };
  const annotations = { [`${behaviourPrefix}start-seconds`]: '60', [`${behaviourPrefix}terminate-seconds`]: '20' };
  const spec = { containers: [{ name: 'main', image: 'registry.example.com/main:1' }] };
  const template = { metadata: { labels, annotations }, spec };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', labels },
    spec: { replicas: 2, selector: { matchLabels: { app: name } }, template },
  };
}

describe('the frames of a transition', () => {
  let world: ControllerWorld;

  beforeEach(async () => {
    world = new ControllerWorld({ config: config('on') });
    world.cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      deployment('storefront', 'web'),
      deployment('orders', 'data'),
    ]);
    await world.startController();
    await world.clock.advance(5 * minute);
  });

  afterEach(async () => {
    const problems = frames().map((frame) => firstProblem(transitionFrame, JSON.parse(JSON.stringify(frame))));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    await world.stopController();
  });

  const frames = () =>
    world.frames.filter(({ kind }) => kind === 'transition').map(({ payload }) => payload as TransitionFrame);
  const hibernations = () => frames().filter((frame): frame is HibernationFrame => frame.kind === 'hibernation');
  const wakes = () => frames().filter((frame): frame is WakeFrame => frame.kind === 'wake');

  async function become(value: 'on' | 'off', ms: number, parts: object = {}): Promise<void> {
    world.reconfigure(config(value, parts));
    await world.clock.advance(ms);
  }

  it('of a hibernation tell its tiers as they are taken down, and its end', async () => {
    await become('off', 5 * minute);
    const seen = hibernations().map(({ progress }) =>
      progress.tiers.map(({ name, state, down: asleep, workloads }) => `${name} ${state} ${asleep}/${workloads}`),
    );
    expect(seen[0]).toEqual(['web running 0/1', 'data waiting 0/1']);
    expect(seen).toContainEqual(['web released 1/1', 'data running 0/1']);
    expect(hibernations().some(({ progress }) => progress.draining.includes('Deployment shop/storefront'))).toBe(true);
    const { startedAt, deadlineAt } = hibernations()[0]!.progress.tiers[0]!;
    expect(deadlineAt! - startedAt!).toBe(2 * minute);
    expect(hibernations().at(-1)).toEqual({
      kind: 'hibernation',
      trigger: { actor: 'schedule', cause: 'outside_working_hours' },
      progress: {
        id: hibernations()[0]!.progress.id,
        startedAt: hibernations()[0]!.progress.startedAt,
        endedAt: expect.any(Number),
        endedBy: 'complete',
        down: 2,
        total: 2,
        tiers: [
          { name: 'web', state: 'released', timedOut: false, workloads: 1, down: 1, databases: [] },
          { name: 'data', state: 'released', timedOut: false, workloads: 1, down: 1, databases: [] },
        ],
        toLower: 0,
        draining: [],
        failed: {},
        respected: [],
      },
    });
  });

  it('of a hibernation that a stand-down stops end with that', async () => {
    await become('off', 2 * second);
    expect(hibernations().at(-1)?.progress.endedAt).toBeUndefined();
    await become('off', 5 * minute, { global: { enabled: false } });
    const { id } = hibernations()[0]!.progress;
    expect(hibernations().at(-1)?.progress).toMatchObject({ id, endedBy: 'stopped', endedAt: expect.any(Number) });
    expect(wakes().at(-1)?.outcome?.result).toBe('success');
  });

  it('of a wake end with what came of it and where its time went', async () => {
    await become('off', 5 * minute);
    await become('on', 10 * minute);
    expect(wakes().filter(({ outcome }) => outcome !== undefined)).toHaveLength(1);
    const last = wakes().at(-1)!;
    expect(last.progress).toMatchObject({ endedBy: 'settled', up: 2, total: 2 });
    expect(last.outcome).toMatchObject({ title: 'Wake Complete', result: 'success', completeness: 'complete' });
    const { steps, longest } = last.outcome!.criticalPath;
    expect(steps.map(({ tier: name, heldBy }) => [name, heldBy?.name])).toEqual([
      ['data', 'Deployment shop/orders'],
      ['web', 'Deployment shop/storefront'],
    ]);
    expect(steps).toContainEqual(longest);
  });

  it('of a wake that a hibernation supersedes end with that, before the first of the hibernation', async () => {
    await become('off', 5 * minute);
    await become('on', 10 * second);
    const before = frames().length;
    expect(wakes().at(-1)?.progress.endedAt).toBeUndefined();
    await become('off', 5 * minute);
    const [end, next] = frames().slice(before);
    expect(end).toMatchObject({
      kind: 'wake',
      progress: { endedBy: 'superseded', endedAt: expect.any(Number) },
      outcome: { title: 'Wake Complete', result: 'incomplete' },
    });
    const shown = (end as WakeFrame).progress.tiers.flatMap(({ workloads }) => workloads);
    expect(shown.map(({ workload, cause }) => [workload, cause])).toEqual([
      ['Deployment shop/orders', 'superseded'],
      ['Deployment shop/storefront', 'superseded'],
    ]);
    expect(next?.kind).toBe('hibernation');
  });
});
