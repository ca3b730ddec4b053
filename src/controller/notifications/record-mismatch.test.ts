import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import type { Notice } from '../../domain/notification/notice.ts';
import type { CardProgress } from '../../ports/notifier.ts';

const hour = 3_600_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 12);

describe('a record and an annotation that disagree', () => {
  let world: ControllerWorld;
  let conditions: boolean[];

  beforeEach(async () => {
    world = new ControllerWorld({ startAt: noon });
    const cart = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 3 } as const;
    world.cluster.apply([namespaceManifest('shop'), workloadManifest(cart)]);
    conditions = [];
    await start();
    await until(8);
    expect(conditions).toContain(false);
    expect(conditions).not.toContain(true);
  });
  afterEach(() => world.stopController());

  async function start(): Promise<void> {
    await world.startController();
    const { notifier } = world.ports;
    Object.assign(world.ports, {
      notifier: {
        notify: (notice: Notice, progress: CardProgress) => notifier.notify(notice, progress),
        condition: (notice: Notice, holds: boolean) => {
          if (notice.id === 'records-disagree') conditions.push(holds);
          notifier.condition(notice, holds);
        },
      },
    });
    await world.clock.advance(1_000);
  }

  const until = (hours: number) => world.clock.advance(noon + hours * hour - world.clock.now());
  const replicas = () =>
    (world.cluster.store.get('deployments.apps', 'shop', 'cart')?.spec as { replicas: number } | undefined)?.replicas;
  const texts = (id: string) =>
    world.notices.filter((notice) => notice.key === 'stateMismatch' && notice.id.startsWith(id)).map((one) => one.text);
  const text =
    'The record and the annotation disagree; the annotation counts: Deployment shop/cart (record 7, annotation 3)';

  async function editRecord(): Promise<void> {
    const stored = await world.ports.state.read();
    const edited = (stored.data['resource_states'] ?? '').replace('"replicas":3', '"replicas":7');
    expect(edited).toContain('"replicas":7');
    await world.ports.state.write(stored, { resource_states: edited });
  }

  it('are a condition that holds in the night, and are told of when the workload comes up', async () => {
    await editRecord();
    await until(8.1);
    expect(conditions.at(-1)).toBe(true);
    expect(new Set(texts('records-disagree'))).toEqual(new Set([text]));
    expect(texts('records-disagree-on-wake')).toEqual([]);
    await until(19.5);
    expect(replicas()).toBe(3);
    expect(texts('records-disagree-on-wake')).toEqual([text]);
    expect(conditions.at(-1)).toBe(false);
  });

  it('are told of though nobody was there to see them before the wake', async () => {
    await world.stopController();
    await editRecord();
    await until(19.5);
    await start();
    await until(19.6);
    expect(replicas()).toBe(3);
    expect(texts('records-disagree-on-wake')).toEqual([text]);
  });
});
