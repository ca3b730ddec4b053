import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { NeighbourKind } from '../../support/builders/neighbours.ts';
import { storageOf } from '../../support/builders/neighbours.ts';
import { isQuiet, placeOf, standing } from '../oracle/neighbour-place.ts';
import { levelOf, refOf } from '../oracle/workload-level.ts';
import type { Neighbourhood } from '../world/neighbourhood.ts';
import type { Actor, Stage } from './actor.ts';

const minute = 60_000;
const kubectl = { manager: 'kubectl-edit', operation: 'Update' } as const;

/** What happens to neighbours, and what their owners do with their objects. */
export const neighbourOwners: readonly Actor[] = [
  { name: 'a neighbour dies', weight: 4, act: die },
  { name: 'a neighbour is removed', weight: 2, act: remove },
  { name: 'a neighbour is installed', weight: 3, act: install },
  { name: 'quiets or unquiets', weight: 3, act: toggle },
  { name: 'sets another value', weight: 2, act: another },
  { name: 'scales a Rollout', weight: 2, act: scaleRollout },
  { name: 'deletes an object of a neighbour', weight: 1, act: deleteOne },
  { name: 'strips an object of a neighbour', weight: 2, act: strip },
];

function pickKind({ world, chance }: Stage, installed: boolean): [Neighbourhood, NeighbourKind] | undefined {
  const { neighbourhood } = world;
  const kinds = neighbourhood?.kinds.filter((kind) => neighbourhood.isInstalled(kind) === installed) ?? [];
  return neighbourhood === undefined || kinds.length === 0 ? undefined : [neighbourhood, chance.pick(kinds)];
}

function pickObject(
  { world, chance }: Stage,
  match: (object: KubeObject) => boolean = () => true,
): KubeObject | undefined {
  const all = world.neighbours().filter((one) => one.metadata.deletionTimestamp === undefined && match(one));
  return all.length === 0 ? undefined : chance.pick(all);
}

function die(stage: Stage): string | undefined {
  const found = pickKind(stage, true);
  if (found === undefined) return undefined;
  const [neighbourhood, kind] = found;
  const minutes = stage.chance.between(1, 600);
  neighbourhood.kill(kind);
  stage.later(minutes * minute, `restarts the controller of ${kind}`, () => neighbourhood.start(kind));
  return `the controller of ${kind} dies for ${minutes} min`;
}

function remove(stage: Stage): string | undefined {
  const found = pickKind(stage, true);
  if (found === undefined) return undefined;
  const [neighbourhood, kind] = found;
  neighbourhood.remove(kind);
  stage.troubleFor(12 * minute);
  return `removes ${kind} with its controller`;
}

function install(stage: Stage): string | undefined {
  const found = pickKind(stage, false);
  if (found === undefined) return undefined;
  const [neighbourhood, kind] = found;
  neighbourhood.install(kind);
  // A kind that was not there is looked for every five minutes.
  stage.troubleFor(12 * minute);
  return `installs ${kind} with its controller`;
}

function put(stage: Stage, object: KubeObject, value: unknown): string {
  const { in: where, name } = placeOf(object);
  const before = standing(object);
  const map = { ...(where === 'spec' ? (object['spec'] as object) : object.metadata.annotations), [name]: value };
  const without = JSON.parse(JSON.stringify(map)) as Record<string, string>;
  const next =
    where === 'spec'
      ? { ...object, spec: without }
      : { ...object, metadata: { ...object.metadata, annotations: without } };
  stage.world.store.update(storageOf(object.kind as NeighbourKind), next, { actor: kubectl });
  return `sets ${refOf(object)} from ${before} to ${value === undefined ? 'absent' : JSON.stringify(value)}`;
}

function toggle(stage: Stage): string | undefined {
  const object = pickObject(stage);
  if (object === undefined) return undefined;
  const awake: Readonly<Record<string, unknown>> = { postgresql: 2, Prometheus: 1 };
  return put(stage, object, isQuiet(object) ? awake[object.kind] : (JSON.parse(placeOf(object).asleep) as unknown));
}

function another(stage: Stage): string | undefined {
  const object = pickObject(stage);
  if (object === undefined) return undefined;
  const { chance } = stage;
  const values: Readonly<Record<string, readonly unknown[]>> = {
    ScaledObject: ['1', '2', undefined],
    Kustomization: [false, undefined],
    Application: ['false', undefined],
    postgresql: [1, 2, 3],
    Prometheus: [1, 2, undefined],
  };
  return put(stage, object, chance.pick(values[object.kind]!));
}

function scaleRollout(stage: Stage): string | undefined {
  const { world, chance } = stage;
  const all = world.store.list('rollouts.argoproj.io');
  if (all.length === 0) return undefined;
  const object = chance.pick(all);
  const replicas = chance.between(0, 3);
  const spec = { ...(object['spec'] as object), replicas };
  world.store.update('rollouts.argoproj.io', { ...object, spec }, { actor: kubectl });
  return `scales ${refOf(object)} from ${levelOf(object)} to ${replicas}`;
}

function deleteOne(stage: Stage): string | undefined {
  const object = pickObject(stage);
  if (object === undefined) return undefined;
  const { namespace, name } = object.metadata;
  stage.world.store.delete(storageOf(object.kind as NeighbourKind), namespace, name, {
    propagationPolicy: 'Background',
  });
  return `deletes ${refOf(object)}`;
}

/** `kubectl replace` with a manifest that knows of no annotations. */
function strip(stage: Stage): string | undefined {
  const object = pickObject(stage, ({ metadata }) => Object.keys(metadata.annotations ?? {}).length > 0);
  if (object === undefined) return undefined;
  const { annotations: _, ...metadata } = object.metadata;
  stage.world.store.update(storageOf(object.kind as NeighbourKind), { ...object, metadata } as KubeObject, {
    actor: kubectl,
  });
  stage.world.markLost(object);
  return `strips the annotations of ${refOf(object)}`;
}
