import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { annotations } from '../../../src/domain/names.ts';
import { workloadManifest } from '../../support/builders/manifests.ts';
import { levelOf, refOf } from '../oracle/workload-level.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Actor, Stage } from './actor.ts';

const kubectl = { manager: 'kubectl-edit', operation: 'Update' } as const;
const gitOps = { manager: 'argocd-controller', operation: 'Update' } as const;
const resourceOf: Record<string, string> = {
  Deployment: 'deployments.apps',
  StatefulSet: 'statefulsets.apps',
  CronJob: 'cronjobs.batch',
};

export const users: readonly Actor[] = [
  { name: 'scales', weight: 6, act: scale },
  { name: 'scales twice', weight: 2, act: scaleTwice },
  { name: 'sets to zero', weight: 3, act: (stage) => setTo(stage, 0) },
  { name: 'suspends or resumes', weight: 4, act: toggleCronJob },
  { name: 'creates', weight: 3, act: create },
  { name: 'deletes', weight: 2, act: remove },
  { name: 'recreates', weight: 3, act: recreate },
  { name: 'excludes or includes', weight: 3, act: excludeWorkload },
  { name: 'excludes or includes a namespace', weight: 2, act: excludeNamespace },
  { name: 'strips annotations', weight: 3, act: strip },
  { name: 'heals what we lowered', weight: 3, act: heal },
  { name: 'edits a label', weight: 2, act: relabel },
  { name: 'copies a sleeping workload', weight: 1, act: copy },
];

function candidates(world: SimWorld): readonly KubeObject[] {
  return world
    .workloads()
    .filter(
      ({ kind, metadata }) =>
        Object.hasOwn(resourceOf, kind) &&
        metadata.deletionTimestamp === undefined &&
        metadata.ownerReferences === undefined &&
        metadata.namespace !== 'svc' &&
        metadata.namespace !== 'kube-system',
    );
}

function pick({ world, chance }: Stage, match: (object: KubeObject) => boolean = () => true): KubeObject | undefined {
  const all = candidates(world).filter(match);
  return all.length === 0 ? undefined : chance.pick(all);
}

function putLevel(
  world: SimWorld,
  object: KubeObject,
  level: number,
  actor: typeof kubectl | typeof gitOps = kubectl,
): void {
  const spec = object['spec'] as object;
  const next = object.kind === 'CronJob' ? { ...spec, suspend: level === 0 } : { ...spec, replicas: level };
  world.store.update(resourceOf[object.kind]!, { ...object, spec: next }, { actor });
}

function scale(stage: Stage): string | undefined {
  return setTo(stage, stage.chance.between(0, 4));
}

function setTo(stage: Stage, level: number): string | undefined {
  const object = pick(stage, ({ kind }) => kind !== 'CronJob');
  if (object === undefined) return undefined;
  putLevel(stage.world, object, level);
  return `scales ${refOf(object)} from ${levelOf(object)} to ${level}`;
}

/** Up and down again, faster than anybody looks. */
function scaleTwice(stage: Stage): string | undefined {
  const object = pick(stage, ({ kind }) => kind !== 'CronJob');
  if (object === undefined) return undefined;
  const { world, chance } = stage;
  const [first, second] = [chance.between(0, 4), chance.between(0, 3)];
  putLevel(world, object, first);
  putLevel(world, current(world, object) ?? object, second);
  return `scales ${refOf(object)} from ${levelOf(object)} to ${first} and at once to ${second}`;
}

function toggleCronJob(stage: Stage): string | undefined {
  const object = pick(stage, ({ kind }) => kind === 'CronJob');
  if (object === undefined) return undefined;
  const level = levelOf(object) === 0 ? 1 : 0;
  putLevel(stage.world, object, level);
  return `${level === 0 ? 'suspends' : 'resumes'} ${refOf(object)}`;
}

function create({ world, chance }: Stage): string {
  const kind = chance.pick(['Deployment', 'StatefulSet', 'CronJob'] as const);
  const name = `new${chance.between(0, 5)}`;
  const namespace = chance.pick(['shop', 'blog']);
  if (world.store.get(resourceOf[kind]!, namespace, name) !== undefined) return `finds ${kind} ${namespace}/${name}`;
  world.cluster.apply([workloadManifest({ kind, namespace, name, replicas: chance.between(0, 3) })]);
  return `creates ${kind} ${namespace}/${name}`;
}

function remove(stage: Stage): string | undefined {
  const object = pick(stage);
  if (object === undefined) return undefined;
  const { namespace, name } = object.metadata;
  stage.world.store.delete(resourceOf[object.kind]!, namespace, name, { propagationPolicy: 'Background' });
  return `deletes ${refOf(object)}`;
}

function recreate(stage: Stage): string | undefined {
  const object = pick(stage);
  if (object === undefined) return undefined;
  const { namespace, name } = object.metadata;
  const replicas = stage.chance.between(0, 3);
  stage.world.store.delete(resourceOf[object.kind]!, namespace, name, { propagationPolicy: 'Background' });
  const kind = object.kind as 'Deployment';
  stage.world.cluster.apply([workloadManifest({ kind, namespace: namespace!, name, replicas })]);
  return `recreates ${refOf(object)} with ${replicas}`;
}

function annotate(
  world: SimWorld,
  resource: string,
  object: KubeObject,
  map: Record<string, string> | undefined,
): void {
  const { annotations: _, ...metadata } = object.metadata;
  const next = { ...object, metadata: map === undefined ? metadata : { ...metadata, annotations: map } } as KubeObject;
  world.store.update(resource, next, { actor: kubectl });
}

function excludeWorkload(stage: Stage): string | undefined {
  const object = pick(stage);
  if (object === undefined) return undefined;
  const { [annotations.exclude]: given, ...rest } = object.metadata.annotations ?? {};
  annotate(
    stage.world,
    resourceOf[object.kind]!,
    object,
    given === undefined ? { ...rest, [annotations.exclude]: 'true' } : rest,
  );
  return `${given === undefined ? 'excludes' : 'includes'} ${refOf(object)}`;
}

function excludeNamespace({ world, chance }: Stage): string | undefined {
  const object = world.store.get('namespaces', undefined, chance.pick(['shop', 'blog', 'data']));
  if (object === undefined) return undefined;
  const { [annotations.exclude]: given, ...rest } = object.metadata.annotations ?? {};
  annotate(world, 'namespaces', object, given === undefined ? { ...rest, [annotations.exclude]: 'true' } : rest);
  return `${given === undefined ? 'excludes' : 'includes'} namespace ${object.metadata.name}`;
}

/** `kubectl replace` with a manifest that knows nothing of our annotations; the level stays as it is. */
function strip(stage: Stage): string | undefined {
  const object = pick(stage, ({ metadata }) => Object.keys(metadata.annotations ?? {}).length > 0);
  if (object === undefined) return undefined;
  annotate(stage.world, resourceOf[object.kind]!, object, undefined);
  stage.world.markLost(object);
  return `strips the annotations of ${refOf(object)}`;
}

function heal(stage: Stage): string | undefined {
  const object = pick(
    stage,
    (one) => levelOf(one) === 0 && (stage.world.owners.of(one)?.wanted.has(0) ?? true) === false,
  );
  if (object === undefined) return undefined;
  const level = Math.max(...(stage.world.owners.of(object)?.wanted ?? [1]));
  putLevel(stage.world, object, level, gitOps);
  return `GitOps raises ${refOf(object)} to ${level}`;
}

function relabel(stage: Stage): string | undefined {
  const object = pick(stage);
  if (object === undefined) return undefined;
  const labels = { ...object.metadata.labels, edited: String(stage.chance.between(0, 1000)) };
  const next = { ...object, metadata: { ...object.metadata, labels } };
  stage.world.store.update(resourceOf[object.kind]!, next, { actor: kubectl });
  return `labels ${refOf(object)}`;
}

/** With the marks and the zero of the original: what `kubectl get -o yaml | sed | kubectl create` makes. */
function copy(stage: Stage): string | undefined {
  const object = pick(stage, ({ metadata }) => metadata.annotations?.[annotations.markedUid] !== undefined);
  if (object === undefined) return undefined;
  const name = `copy${stage.chance.between(0, 3)}`;
  const { namespace } = object.metadata;
  const resource = resourceOf[object.kind]!;
  if (stage.world.store.get(resource, namespace, name) !== undefined) return undefined;
  const { labels, annotations: marks } = object.metadata;
  stage.world.cluster.apply([
    { ...object, metadata: { name, namespace: namespace!, labels, annotations: marks }, status: undefined },
  ]);
  return `copies ${refOf(object)} to ${name}`;
}

function current(world: SimWorld, object: KubeObject): KubeObject | undefined {
  return world.store.get(resourceOf[object.kind]!, object.metadata.namespace, object.metadata.name);
}
