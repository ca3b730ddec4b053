import { describe, expect, it } from 'vitest';
import { annotations } from '../../../src/domain/names.ts';
import { standDownIntent, wakeIntent } from '../actors/state-intents.ts';
import { ann, hour, minute, OfficeWorld } from '../office-world.ts';
import { sentAtHeader } from '../world/faulty-transport.ts';
import { controllerUser } from '../world/sim-world.ts';
import { WriteRules } from './write-rules.ts';

const second = 1_000;
const day = 24 * hour;

/** What a controller may not do: lowers a workload, without a record, in the name of ours. */
function lowerCart(world: OfficeWorld): Promise<void> {
  return scaleCart(world, 0, '3');
}

function raiseCart(world: OfficeWorld): Promise<void> {
  return scaleCart(world, 3, null);
}

async function scaleCart(world: OfficeWorld, replicas: number, mark: string | null): Promise<void> {
  const { resourceVersion } = world.workload('Deployment shop/cart').metadata;
  const marks = { [annotations.hibernatedReplicas]: mark };
  await world.cluster.transport({ user: controllerUser, groups: [] }).send({
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/shop/deployments/cart',
    headers: { 'content-type': 'application/merge-patch+json', [sentAtHeader]: String(world.clock.monotonic()) },
    body: JSON.stringify({ metadata: { resourceVersion, annotations: marks }, spec: { replicas } }),
  });
}

function judged(world: OfficeWorld, slackMs = 2_000): WriteRules {
  const neverScale: readonly { readonly namespace: string; readonly name: string }[] = [];
  return new WriteRules(world, {
    lastActionAt: () => Number.NEGATIVE_INFINITY,
    slackMs: () => slackMs,
    scope: () => ({ neverScale: [...neverScale] }),
  });
}

async function outage(world: OfficeWorld, ms: number): Promise<void> {
  world.faults.outage = true;
  await world.advance(ms);
  world.faults.outage = false;
}

const broken = (rules: WriteRules) => rules.violations.map(({ message }) => message).join(' | ');

it.each([0, minute])(
  'a lowering an hour into a stand-down is judged, %i ms of an outage before it or not',
  async (ms) => {
    const world = await new OfficeWorld().at(12, 1);
    const rules = judged(world, 150_000);
    await standDownIntent(world, { type: 'admin-stands-down', actor: ann });
    await world.advance(hour);
    if (ms > 0) await outage(world, ms);
    await world.advance(140 * second);
    world.kill();
    await lowerCart(world);
    expect(broken(rules)).toContain('was lowered while stood down');
  },
);

it('what came to be a second before an outage could be known for a second', async () => {
  const world = await new OfficeWorld().at(12, 1);
  const rules = judged(world);
  await standDownIntent(world, { type: 'admin-stands-down', actor: ann });
  await world.advance(second);
  await outage(world, 10 * minute);
  world.kill();
  await lowerCart(world);
  expect(broken(rules)).not.toContain('was lowered while stood down');
});

it('what an outage hid is not held against a write right after it', async () => {
  const world = await new OfficeWorld().at(12, 1);
  const rules = judged(world);
  world.faults.outage = true;
  await standDownIntent(world, { type: 'admin-stands-down', actor: ann });
  await world.advance(10 * minute);
  world.kill();
  world.faults.outage = false;
  await lowerCart(world);
  expect(broken(rules)).not.toContain('was lowered while stood down');
});

it('a lowering without a record is judged two days after the records were lost, and after an outage', async () => {
  const world = await new OfficeWorld().at(12, 1);
  const rules = judged(world);
  world.store.delete('configmaps', 'svc', 'svc-state');
  world.recordsLost();
  await world.advance(2 * day);
  await outage(world, 10 * second);
  await world.advance(second);
  world.kill();
  await lowerCart(world);
  expect(broken(rules)).toContain('was lowered without a durable record');
});

describe('a raise', () => {
  const raised = async (world: OfficeWorld) => {
    const rules = judged(world);
    world.kill();
    await raiseCart(world);
    return broken(rules);
  };

  it('in the night is judged', async () => {
    expect(await raised(await new OfficeWorld().at(22))).toContain('was raised while it should be down');
  });

  it('in the night is right under a stand-down, for who asked for it, and of what is not ours any more', async () => {
    const stood = await new OfficeWorld().at(22);
    await standDownIntent(stood, { type: 'admin-stands-down', actor: ann });
    const woken = await new OfficeWorld().at(22);
    await wakeIntent(woken, ann, hour);
    const excluded = await new OfficeWorld().at(22);
    excluded.owner('Deployment shop/cart', { annotations: { [annotations.exclude]: 'true' } });
    for (const world of [stood, woken, excluded]) expect(await raised(world)).not.toContain('was raised while');
  });
});
