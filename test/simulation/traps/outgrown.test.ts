import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import type { WorkloadParts } from '../../support/builders/manifests.ts';
import { OfficeWorld } from '../office-world.ts';
import { releaseNamespace } from '../world/controller-process.ts';

const workloads: readonly WorkloadParts[] = Array.from({ length: 24 }, (_, index) => ({
  kind: 'Deployment',
  namespace: 'shop',
  name: `app-${String(index).padStart(2, '0')}`,
  replicas: 2,
}));

function office(): OfficeWorld {
  return new OfficeWorld({ workloads, partSizes: { state: 900, part: 450, value: 300 } });
}

function parts(world: OfficeWorld): readonly KubeObject[] {
  return world.store
    .list('configmaps')
    .filter(({ metadata }) => metadata.namespace === releaseNamespace && /^svc-state-\d+$/.test(metadata.name));
}

const textOf = (part: KubeObject) => (part['data'] as Record<string, string>)['resource_states']!;

function spoil(world: OfficeWorld, part: KubeObject, text: string): void {
  const now = world.store.get('configmaps', releaseNamespace, part.metadata.name)!;
  world.store.update('configmaps', { ...now, data: { resource_states: text } });
}

/** In the night, with its first part unreadable; `repair` puts back what it held. */
async function withSpoiltPart() {
  const world = await office().at(22);
  const part = parts(world)[0]!;
  const text = textOf(part);
  spoil(world, part, '{broken');
  return { world, part, text, repair: () => spoil(world, part, text) };
}

const up = (world: OfficeWorld) => Object.values(world.levels()).filter((level) => level === 2).length;

describe('a state that has outgrown one ConfigMap', () => {
  it('takes everything down and up again, and its parts go with the wake', async () => {
    const world = await office().at(20, 30);
    const asleep = [up(world), parts(world).length > 2];
    await world.at(32, 30);
    expect([asleep, up(world), parts(world)]).toEqual([[0, true], 24, []]);
  });

  it('is not written while the cluster sleeps and nothing happens', async () => {
    const world = await office().at(21);
    const before = parts(world).map(({ metadata }) => metadata.resourceVersion);
    const written: string[] = [];
    world.store.onAnyChange(({ resource, event }) => {
      if (resource === 'configmaps') written.push(event.object.metadata.name);
    });
    await world.at(30);
    // The books of what is saved are kept by the hour, in a ConfigMap of their own.
    expect([
      written.filter((name) => name !== configMaps.insights),
      parts(world).map(({ metadata }) => metadata.resourceVersion),
    ]).toEqual([[], before]);
  });

  it('of which a part is spoilt wakes what the others hold, names it, and goes on when it is repaired', async () => {
    const { world, part, text, repair } = await withSpoiltPart();
    const decoded = resourceStates.decode(text);
    const held = decoded.ok ? decoded.value.length : 0;
    await world.at(33);
    expect([held > 0, up(world)]).toEqual([true, 24 - held]);
    const said = world.log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields['error']);
    expect(said).toContain(
      `The value of resource_states in ConfigMap ${part.metadata.name} cannot be decoded: it is not valid JSON.`,
    );
    repair();
    await world.at(34);
    expect([up(world), parts(world)]).toEqual([24, []]);
  });

  it('of which a part is spoilt takes nothing down', async () => {
    const { world } = await withSpoiltPart();
    await world.at(43);
    const before = up(world);
    await world.at(46);
    expect([before > 0, up(world)]).toEqual([true, before]);
  });

  it('of which a part was removed finds its records again by the marks', async () => {
    const world = await office().at(22);
    for (const { metadata } of parts(world)) world.store.delete('configmaps', releaseNamespace, metadata.name);
    await world.at(33);
    expect(up(world)).toBe(24);
  });

  it('of which a part is spoilt hands back what the others hold, and finishes when it is repaired', async () => {
    const { world, repair } = await withSpoiltPart();
    world.reconfigure({ global: { enabled: false } });
    await world.at(23);
    const first = [up(world) > 0 && up(world) < 24, world.standDownState().handbackDone];
    repair();
    await world.at(24);
    expect([first, up(world), world.standDownState().handbackDone]).toEqual([[true, false], 24, true]);
  });

  it('of which a part is spoilt takes down again what it handed back, once the stop is over and the part is repaired', async () => {
    const { world, repair } = await withSpoiltPart();
    world.reconfigure({ global: { enabled: false } });
    await world.at(23);
    world.reconfigure({ global: { enabled: true } });
    await world.at(24);
    const between = up(world) > 0;
    repair();
    await world.at(25);
    expect([between, up(world)]).toEqual([true, 0]);
    await world.at(33);
    expect(up(world)).toBe(24);
  });
});
