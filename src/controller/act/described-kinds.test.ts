import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { customDefinition, customObject } from '../../../test/support/builders/neighbours.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { readEntries } from '../../domain/audit/stored-entry.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Monday, 17:00 in Berlin: an hour before the night. */
const afternoon = Date.UTC(2026, 0, 5, 16);
const workingHours = { timezone: 'Europe/Berlin', schedule: { monday: '08:00-18:00', tuesday: '08:00-18:00' } };
const place = { group: 'example.com', version: 'v1' };
const pool = { kind: 'Pool', ...place, plural: 'pools', scale: '/spec/size/count', ready: { condition: 'Ready' } };
const farm = { kind: 'Farm', ...place, plural: 'farms', field: { pointer: '/spec/mode', value: 'off' } };
const herd = { kind: 'Herd', ...place, plural: 'herds', annotation: { name: 'example.com/paused', value: 'true' } };
const described = { workingHours, targeting: { kinds: [pool, farm, herd] } };

let world: ControllerWorld;
afterEach(() => world.stopController());

const objects: readonly Manifest[] = [
  customObject(pool, 'shop/main', { spec: { size: { count: 3, most: 9 }, image: 'a' } }),
  customObject(pool, 'shop/plain', { spec: { image: 'a' } }),
  customObject(pool, 'shop/empty', { spec: { size: {}, image: 'a' } }),
  customObject(pool, 'shop/none', { spec: { size: { count: 0 } } }),
  customObject(farm, 'shop/big', { spec: { mode: 'full' } }),
  customObject(farm, 'shop/off', { spec: { mode: 'off' } }),
  customObject(herd, 'shop/one', { annotations: { 'example.com/owner': 'them' }, spec: {} }),
];
const everyone: readonly Manifest[] = [
  ...[pool, farm, herd].map(customDefinition),
  namespaceManifest('shop'),
  workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 2 }),
  ...objects,
];

async function started(config: Record<string, unknown> = described, manifests = everyone): Promise<void> {
  world = new ControllerWorld({ startAt: afternoon, config });
  world.cluster.apply(manifests);
  await world.startController();
  await world.clock.advance(5 * minute);
}

const untilNight = () => world.clock.advance(afternoon + 70 * minute - world.clock.now());
const untilMorning = (minutes = 30) =>
  world.clock.advance(afternoon + 15 * hour + minutes * minute - world.clock.now());

const storageOf = (kind: string) => `${kind.toLowerCase()}s.example.com`;
const found = (kind: string, name: string) => world.cluster.store.get(storageOf(kind), 'shop', name);
const specOf = (kind: string, name: string) => found(kind, name)?.['spec'];

/** Everything that an owner may see, as one text. */
function everything(): string {
  return JSON.stringify(
    objects.map(({ kind, metadata }) => {
      const { name } = metadata as { name: string };
      const object = found(kind ?? '', name);
      return [kind, name, object?.['spec'], object?.metadata.annotations ?? {}];
    }),
  );
}

/** An operator that says after a while how its object stands, of the generation that it has seen. */
function poolOperator(after: number): void {
  world.cluster.api.faults.onWrite(({ resource, name }) => {
    if (resource !== storageOf('Pool')) return;
    world.clock.after(after, () => {
      const object = found('Pool', name);
      if (object === undefined) return;
      const { count } = (object['spec'] as { size?: { count?: number } }).size ?? {};
      const lastTransitionTime = new Date(world.clock.now()).toISOString();
      const conditions = [{ type: 'Ready', status: count === 0 ? 'False' : 'True', lastTransitionTime }];
      const status = { observedGeneration: object.metadata.generation, conditions };
      world.cluster.store.update(storageOf('Pool'), { ...object, status } as KubeObject);
    });
  });
}

function wakes() {
  const files = world.cluster.store.get('configmaps', releaseNamespace, 'svc-audit-0')?.['data'];
  const { entries } = readEntries(Object.values(files as Readonly<Record<string, string>>));
  return entries.filter(({ kind }) => kind.startsWith('wake'));
}

describe('kinds that the configuration describes', () => {
  it('sleep and come back as they were, byte for byte', async () => {
    await started();
    poolOperator(20_000);
    const before = everything();
    await untilNight();
    expect(world.replicas('shop', 'cart')).toBe(0);
    expect([specOf('Pool', 'main'), specOf('Pool', 'plain'), specOf('Farm', 'big')]).toEqual([
      { size: { count: 0, most: 9 }, image: 'a' },
      { size: { count: 0 }, image: 'a' },
      { mode: 'off' },
    ]);
    expect(found('Herd', 'one')?.metadata.annotations?.['example.com/paused']).toBe('true');
    await untilMorning();
    expect(everything()).toBe(before);
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  it('are recorded before they are touched', async () => {
    await started();
    const recorded: boolean[] = [];
    world.cluster.api.faults.onWrite(({ resource }) => {
      if (/example\.com$/.test(resource)) recorded.push(/Pool/.test(world.stateData()['resource_states'] ?? ''));
    });
    await untilNight();
    expect(recorded).toEqual([true, true, true, true, true]);
  });

  it('have a verdict by their condition, and are waited for until it holds', async () => {
    await started();
    poolOperator(4 * minute);
    await untilNight();
    await untilMorning(3);
    expect(wakes()).toEqual([]);
    await untilMorning(6);
    const [wake] = wakes();
    expect(wake).toMatchObject({ title: 'Wake Complete' });
    expect(wake?.durationMs).toBeGreaterThanOrEqual(4 * minute);
  });

  it('are told as failed when it does not hold in time', async () => {
    await started();
    await untilNight();
    await untilMorning(50);
    const late = 'did not finish starting within the default 25 minutes';
    expect(wakes()).toMatchObject([
      {
        title: 'Wake Complete - 3 workloads failed',
        workloads_failed_detail: [`Pool shop/empty ${late}`, `Pool shop/main ${late}`, `Pool shop/plain ${late}`],
      },
    ]);
    expect(specOf('Pool', 'main')).toEqual({ size: { count: 3, most: 9 }, image: 'a' });
  });

  it('a change of their owner in the night stays', async () => {
    await started();
    await untilNight();
    world.cluster.store.update(storageOf('Farm'), { ...found('Farm', 'big'), spec: { mode: 'half' } } as KubeObject);
    await untilMorning();
    expect(specOf('Farm', 'big')).toEqual({ mode: 'half' });
  });

  it('are handed back by a stand-down', async () => {
    await started();
    const before = everything();
    await untilNight();
    world.reconfigure({ ...described, global: { enabled: false } });
    await world.clock.advance(10 * minute);
    expect(everything()).toBe(before);
  });

  it('cost nothing while the cluster does not have them, and are found when it does', async () => {
    await started(
      described,
      everyone.filter(({ kind }) => !['Pool', 'Farm', 'Herd', 'CustomResourceDefinition'].includes(kind ?? '')),
    );
    world.cluster.apply(everyone);
    // The watches of this world live slowly: five minutes of theirs are most of a day.
    await world.clock.advance(26.5 * hour);
    expect([world.replicas('shop', 'cart'), specOf('Farm', 'big')]).toEqual([0, { mode: 'off' }]);
  });

  it('are watched from the moment that they are described, in the way that they are', async () => {
    await started({ workingHours, targeting: { kinds: [{ ...farm, field: { pointer: '/spec/other', value: 1 } }] } });
    world.reconfigure(described);
    await untilNight();
    expect([specOf('Farm', 'big'), specOf('Pool', 'main')]).toMatchObject([{ mode: 'off' }, { size: { count: 0 } }]);
  });

  it('taken off the list in the night are told as not back, and come back when they are described again', async () => {
    await started();
    poolOperator(20_000);
    const before = everything();
    await untilNight();
    world.reconfigure({ workingHours });
    await untilMorning();
    expect(world.replicas('shop', 'cart')).toBe(2);
    expect(wakes()).toMatchObject([{ title: 'Wake Complete - 5 workloads failed' }]);
    world.reconfigure(described);
    await world.clock.advance(10 * minute);
    expect(everything()).toBe(before);
  });

  it('of the whole cluster are left alone', async () => {
    const globe = { kind: 'Globe', ...place, plural: 'globes', scale: '/spec/size' };
    const { metadata, ...object } = customObject(globe, '/one', { spec: { size: 2 } });
    const { spec, ...definition } = customDefinition(globe);
    await started({ workingHours, targeting: { kinds: [globe] } }, [
      ...everyone,
      { ...definition, spec: { ...(spec as object), scope: 'Cluster' } },
      { ...object, metadata: { name: (metadata as { name: string }).name } },
    ]);
    await untilNight();
    expect(world.cluster.store.get('globes.example.com', undefined, 'one')?.['spec']).toEqual({ size: 2 });
    expect(world.replicas('shop', 'cart')).toBe(0);
  });
});
