import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { annotations } from '../../../src/domain/names.ts';
import { serviceManifest } from '../../support/builders/manifests.ts';
import { isSatellite, pointsAtSatellite } from '../oracle/service-owners.ts';
import { refOf } from '../oracle/workload-level.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Actor, Stage } from './actor.ts';
import { clearKey, corruptKey } from './trouble.ts';

const kubectl = { manager: 'kubectl-edit', operation: 'Update' } as const;
const hour = 3_600_000;

/** What owners of Services do, and what happens to stand-ins. */
export const serviceOwners: readonly Actor[] = [
  { name: 'points a Service elsewhere', weight: 3, act: reselect },
  { name: 'heals a redirected Service', weight: 3, act: heal },
  { name: 'strips our marks', weight: 3, act: strip },
  { name: 'recreates a Service', weight: 2, act: recreate },
  { name: 'deletes a Service for a while', weight: 1, act: removeForAWhile },
  { name: 'changes a port', weight: 2, act: changePort },
  { name: 'deletes a satellite', weight: 3, act: removeSatellite },
  { name: 'names other Services', weight: 3, act: nameOthers },
  { name: 'loses the records of redirects', weight: 1, act: ({ world }) => clearKey(world, 'satellites') },
  { name: 'corrupts the records of redirects', weight: 1, act: (stage) => corruptKey(stage, 'satellites') },
];

function pick({ world, chance }: Stage, match: (service: KubeObject) => boolean = () => true): KubeObject | undefined {
  const all = world.store.list('services').filter((one) => one.metadata.namespace !== 'default' && match(one));
  return all.length === 0 ? undefined : chance.pick(all);
}

function put(world: SimWorld, service: KubeObject, spec: object): void {
  const next = { ...service, spec: { ...(service['spec'] as object), ...spec } };
  world.store.update('services', next, { actor: kubectl });
}

function reselect(stage: Stage): string | undefined {
  const service = pick(stage);
  if (service === undefined) return undefined;
  const app = stage.chance.pick(['d0', 'd1', 'd2', 'd3']);
  put(stage.world, service, { selector: { app } });
  return `points ${refOf(service)} at ${app}`;
}

/** GitOps writes the selector of its manifest over ours; our mark stays. */
function heal(stage: Stage): string | undefined {
  const service = pick(stage, pointsAtSatellite);
  const wanted = service === undefined ? undefined : stage.world.serviceOwners.of(service)?.wanted;
  if (service === undefined || wanted === undefined) return undefined;
  put(stage.world, service, { selector: Object.fromEntries(JSON.parse(wanted) as [string, string][]) });
  return `heals ${refOf(service)}`;
}

function strip(stage: Stage): string | undefined {
  const service = pick(stage, ({ metadata }) => metadata.annotations?.[annotations.originalSelector] !== undefined);
  if (service === undefined) return undefined;
  const { annotations: _annotations, labels: _labels, ...metadata } = service.metadata;
  stage.world.store.update('services', { ...service, metadata } as KubeObject, { actor: kubectl });
  stage.world.markLost(service);
  return `strips our marks off ${refOf(service)}`;
}

function recreate(stage: Stage): string | undefined {
  const service = pick(stage);
  if (service === undefined) return undefined;
  const { namespace, name } = service.metadata;
  stage.world.store.delete('services', namespace, name);
  create(stage, namespace!, name);
  return `recreates ${refOf(service)}`;
}

function create({ world, chance }: Stage, namespace: string, name: string): void {
  world.cluster.apply([serviceManifest(namespace, name, chance.pick(['d0', 'd1', 'd2', 'd3']))]);
}

function removeForAWhile(stage: Stage): string | undefined {
  const service = pick(stage);
  if (service === undefined) return undefined;
  const { namespace, name } = service.metadata;
  stage.world.store.delete('services', namespace, name);
  stage.later(stage.chance.between(1, 20) * hour, `creates Service ${namespace}/${name}`, () => {
    if (stage.world.store.get('services', namespace, name) === undefined) create(stage, namespace!, name);
  });
  return `deletes ${refOf(service)}`;
}

function changePort(stage: Stage): string | undefined {
  const service = pick(stage);
  if (service === undefined) return undefined;
  const port = stage.chance.between(8_000, 8_003);
  put(stage.world, service, { ports: [{ name: 'http', port: 80, targetPort: port, protocol: 'TCP' }] });
  return `lets ${refOf(service)} lead to port ${port}`;
}

function removeSatellite({ world, chance }: Stage): string | undefined {
  const all = world.store.list('deployments.apps').filter(isSatellite);
  if (all.length === 0) return undefined;
  const satellite = chance.pick(all);
  const { namespace, name } = satellite.metadata;
  world.store.delete('deployments.apps', namespace, name, { propagationPolicy: 'Background' });
  return `deletes ${refOf(satellite)}`;
}

function nameOthers({ world, chance }: Stage): string {
  const services = world.store
    .list('services')
    .filter(({ metadata }) => metadata.namespace !== 'default' && chance.happens(0.7))
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }));
  const enabled = chance.happens(0.85);
  world.reconfigure({ serviceRedirection: { enabled, services } });
  return `names ${services.map(({ name }) => name)} for redirection${enabled ? '' : ' and turns it off'}`;
}
