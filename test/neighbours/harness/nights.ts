import { expect, it, vi } from 'vitest';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import type { Neighbour } from './neighbour.ts';
import { asOwned, ourMarks, type Place } from './objects.ts';
import type { Service } from './service.ts';

/** Somebody's workloads, the neighbours that care for them, and the service beside them. */
export interface Scene {
  readonly cluster: RealCluster;
  readonly service: Service;
  readonly neighbours: readonly Neighbour[];
  /** Every object that may be touched, of any kind. */
  readonly places: readonly Place[];
  /** Some of the neighbours' own reconciliations. */
  night(): Promise<void>;
  /** What holds while they sleep; throws otherwise. */
  asleep(): Promise<void>;
  /** What holds while they are up and in the care of the neighbours; throws otherwise. */
  up(): Promise<void>;
}

const patience = { timeout: 90_000, interval: 200 };

/** Waits for it, and says what everybody said last when it does not come. */
export async function until(scene: Pick<Scene, 'service' | 'neighbours'>, check: () => Promise<void>): Promise<void> {
  try {
    await vi.waitFor(check, patience);
  } catch (error) {
    const said = [scene.service?.lastWords(), ...scene.neighbours.map((one) => one.lastWords(8))];
    throw new Error(`${String(error)}\n${said.join('\n---\n')}`);
  }
}

/** As it was: what is the owners' byte for byte, nothing of ours left, and everything up. */
export async function untilAsBefore(scene: Scene, before: Readonly<Record<Place, string>>): Promise<void> {
  const { cluster, places } = scene;
  await until(scene, async () => expect(await asOwned(cluster, places)).toEqual(before));
  await until(scene, async () => expect(await ourMarks(cluster, places)).toEqual([]));
  await until(scene, scene.up);
}

/** The nights that every neighbour has to pass with us; the last one ends with an uninstall. */
export function everyNight(scene: () => Scene): void {
  it('sleeps through a night of their reconciling, and is as it was in the morning', async () => {
    const here = scene();
    const before = await asOwned(here.cluster, here.places);
    await here.service.hibernate();
    await until(here, here.asleep);
    await here.night();
    await here.asleep();
    await here.service.wake();
    await untilAsBefore(here, before);
  });

  it('both are killed while it falls asleep, in the night and while it wakes', async () => {
    const here = scene();
    const before = await asOwned(here.cluster, here.places);
    const crash = () => Promise.all([here.service.crash(), ...here.neighbours.map((one) => one.crash())]);
    await here.service.hibernate();
    await crash();
    await until(here, here.asleep);
    await crash();
    await here.night();
    await here.asleep();
    await here.service.wake();
    await crash();
    await untilAsBefore(here, before);
  });

  it('is handed back by a stand-down', async () => {
    const here = scene();
    const before = await asOwned(here.cluster, here.places);
    await here.service.hibernate();
    await until(here, here.asleep);
    await here.service.standDown();
    await untilAsBefore(here, before);
    await here.service.endStandDown();
    await until(here, here.asleep);
    await here.service.wake();
    await untilAsBefore(here, before);
  });

  it('is handed back by an uninstall', async () => {
    const here = scene();
    const before = await asOwned(here.cluster, here.places);
    await here.service.hibernate();
    await until(here, here.asleep);
    await here.service.uninstall();
    expect(await asOwned(here.cluster, here.places)).toEqual(before);
    expect(await ourMarks(here.cluster, here.places)).toEqual([]);
    await until(here, here.up);
  });
}
