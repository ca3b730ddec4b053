import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { transition } from '../../../src/controller/transition/transition.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { releaseNamespace } from '../world/controller-process.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Actor, Stage } from './actor.ts';
import { putState } from './trouble.ts';

const minute = 60_000;

/** What people do to the ConfigMaps in which the state goes on. */
export const statePartMeddlers: readonly Actor[] = [
  { name: 'spoils a part of the state', weight: 2, act: spoil },
  { name: 'removes a part of the state', weight: 1, act: remove },
  { name: 'looks at a part of the state', weight: 2, act: touch },
];

function pick({ world, chance }: Stage): KubeObject | undefined {
  const parts = partsOf(world);
  return parts.length === 0 ? undefined : chance.pick(parts);
}

function partsOf(world: SimWorld): readonly KubeObject[] {
  return world.store
    .list('configmaps')
    .filter(({ metadata }) => metadata.namespace === releaseNamespace && /^svc-state-\d+$/.test(metadata.name));
}

/** Until somebody repairs it, hours later; by then it may have been replaced. */
function spoil(stage: Stage): string | undefined {
  const part = pick(stage);
  const data = part?.['data'] as Record<string, string> | undefined;
  const text = data?.['resource_states'];
  if (part === undefined || text === undefined || text === '{broken') return undefined;
  const { world, chance, later } = stage;
  world.store.update('configmaps', { ...part, data: { ...data, resource_states: '{broken' } });
  const { name } = part.metadata;
  later(chance.between(1, 240) * minute, `repairs ${name}`, () => {
    const now = world.store.get('configmaps', releaseNamespace, name);
    if ((now?.['data'] as typeof data)?.['resource_states'] !== '{broken') return;
    world.store.update('configmaps', { ...now!, data: { ...data, resource_states: text } });
  });
  return `spoils ${name}`;
}

/** A list is found again by the marks. A transition is not: until somebody clears it, hours later, it cannot be decoded. */
function remove(stage: Stage): string | undefined {
  const part = pick(stage);
  if (part === undefined) return undefined;
  const { world, chance, later } = stage;
  world.recordsLost();
  world.store.delete('configmaps', releaseNamespace, part.metadata.name);
  if (Object.hasOwn(part['data'] as object, 'transition')) {
    later(chance.between(1, 240) * minute, 'clears transition', () => {
      if (transition.decode(world.stateData()['transition']).ok) return;
      putState(world, (all) => {
        all['transition'] = '';
      });
    });
  }
  return `removes ${part.metadata.name} of ${configMaps.state}`;
}

/** A change that means nothing: only the version moves on. */
function touch(stage: Stage): string | undefined {
  const part = pick(stage);
  if (part === undefined) return undefined;
  const annotations = { ...part.metadata.annotations, seen: String(stage.world.clock.now()) };
  stage.world.store.update('configmaps', { ...part, metadata: { ...part.metadata, annotations } });
  return `annotates ${part.metadata.name}`;
}
