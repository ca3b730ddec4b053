import type { KubeObject, StoreEvent } from '../../../embedded-cluster/object-store.ts';
import { annotations } from '../../../src/domain/names.ts';
import { satellites } from '../../../src/state/satellites.ts';
import {
  isMarkedService,
  isSatellite,
  pointsAtSatellite,
  selectorText,
  serviceOf,
  textOfSelector,
} from '../oracle/service-owners.ts';
import { levelOf, refOf, workloadResources } from '../oracle/workload-level.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Court } from './court.ts';
import { differing } from './differing.ts';
import { Violation } from './violation.ts';

/** Looks at every write of the controller to a Service or a satellite. */
export class ServiceRules {
  readonly #world: SimWorld;
  readonly #court: Court;

  constructor(world: SimWorld, court: Court) {
    this.#world = world;
    this.#court = court;
  }

  satelliteWrite({ type, object }: StoreEvent): void {
    const ref = refOf(object);
    const leaves = type === 'DELETED' || object.metadata.deletionTimestamp !== undefined;
    this.#world.trace.note(`our write: ${ref} ${leaves ? 'removed' : type}`);
    if (leaves) return;
    if (type !== 'ADDED') this.#court.broken('only ours', `${ref} was changed`);
    else if (this.#court.settled() && !isNamed(this.#world, object.metadata.namespace, serviceOf(object))) {
      this.#court.broken('only ours', `${ref} was put up for a Service that the configuration does not name`);
    }
  }

  serviceWrite({ type, object, previous }: StoreEvent): void {
    const ref = refOf(object);
    if (type !== 'MODIFIED' || previous === undefined) {
      this.#court.broken('only ours', `${type} of ${ref}`);
      return;
    }
    this.#onlyOurFields(object, previous);
    const [before, after] = [pointsAtSatellite(previous), pointsAtSatellite(object)];
    this.#world.trace.note(`our write: ${ref} ${selectorText(previous)} -> ${selectorText(object)}`);
    if (!before && after) this.#redirected(object, previous);
    else if (selectorText(object) !== selectorText(previous)) this.#restored(object, before);
  }

  #redirected(object: KubeObject, previous: KubeObject): void {
    const ref = refOf(object);
    const stored = satellites.decode(this.#world.stateData()['satellites']);
    const record = stored.ok ? stored.value.find(({ uid }) => uid === object.metadata.uid) : undefined;
    if (record === undefined) {
      const inDoubt = this.#court.recordsInDoubt();
      if (!inDoubt) this.#court.broken('record before act', `${ref} was redirected without a durable record`);
    } else if (textOfSelector(record.selector) !== selectorText(previous)) {
      this.#court.broken('record before act', `${ref} was redirected with a record of ${JSON.stringify(record)}`);
    }
    const mark = object.metadata.annotations?.[annotations.originalSelector];
    if (mark === undefined || textOfSelector(JSON.parse(mark)) !== selectorText(previous)) {
      this.#court.broken('record before act', `${ref} was redirected with mark ${mark}`);
    }
    this.#court.takingDown(ref);
    if (!this.#court.settled()) return;
    if (!isNamed(this.#world, object.metadata.namespace, object.metadata.name)) {
      this.#court.broken('only ours', `${ref} was redirected, and the configuration does not name it`);
    }
  }

  #restored(object: KubeObject, fromSatellite: boolean): void {
    const ref = refOf(object);
    const wish = this.#world.serviceOwners.of(object);
    if (!fromSatellite) this.#court.broken('only ours', `the selector of ${ref} was changed`);
    if (wish?.wanted !== undefined && wish.wanted !== selectorText(object)) {
      this.#court.broken('the user wins', `${ref} was given ${selectorText(object)}, its owner wants ${wish.wanted}`);
    }
    if (isMarkedService(object)) this.#court.broken('only ours', `${ref} was restored and still carries our mark`);
    this.#court.bringingBack(ref);
  }

  #onlyOurFields(object: KubeObject, previous: KubeObject): void {
    const ours =
      /^(metadata\.(resourceVersion|generation|managedFields|annotations$|labels$|annotations\.svc\.io\/original-selector$|labels\.svc\.io\/redirected$)|spec\.selector)/;
    for (const path of differing(object, previous)) {
      if (!ours.test(path)) this.#court.broken('only ours', `${refOf(object)}: ${path} was changed`);
    }
  }
}

function isNamed(world: SimWorld, namespace: string | undefined, name: string): boolean {
  const { enabled, services } = world.config.serviceRedirection;
  return enabled && services.some((one) => one.namespace === namespace && one.name === name);
}

/** Once the cluster is up and at rest, every Service is its owner's again and no stand-in is left. */
export function checkServicesUp(world: SimWorld): void {
  for (const service of world.store.list('services')) {
    const wish = world.serviceOwners.of(service);
    if (wish?.wanted === undefined) continue;
    if (selectorText(service) !== wish.wanted) {
      throw new Violation(
        'eventual up',
        `${refOf(service)} has ${selectorText(service)}, its owner wants ${wish.wanted}`,
      );
    }
    if (isMarkedService(service)) throw new Violation('eventual up', `${refOf(service)} still carries our mark`);
  }
  const lost = world.store.list('services').some((one) => world.serviceOwners.of(one)?.wanted === undefined);
  const left = world.store.list('deployments.apps').filter(isSatellite);
  if (left.length > 0 && !lost)
    throw new Violation('eventual up', `${left.map(refOf)} is left on a cluster that is up`);
  const records = satellites.decode(world.stateData()['satellites']);
  if (records.ok && records.value.length > 0 && !lost) {
    throw new Violation('eventual up', `redirects are left on a cluster that is up: ${JSON.stringify(records.value)}`);
  }
  world.serviceOwners.settled();
}

/** In a night at rest: a named Service stands on its satellite exactly where everything behind it is down. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every rule of a redirected night, one after the other.
export function checkServicesDown(world: SimWorld): void {
  for (const service of world.store.list('services')) {
    const wish = world.serviceOwners.of(service);
    if (wish?.wanted === undefined) continue;
    const redirected = pointsAtSatellite(service);
    const behind = behindOf(world, service, wish.wanted);
    const asleep = behind.length > 0 && behind.every((one) => levelOf(one) === 0);
    const ref = refOf(service);
    if (!redirected && selectorText(service) !== wish.wanted) {
      throw new Violation('the user wins', `${ref} has ${selectorText(service)}, its owner wants ${wish.wanted}`);
    }
    if (redirected && !isNamed(world, service.metadata.namespace, service.metadata.name)) {
      throw new Violation('only ours', `${ref} is redirected, and the configuration does not name it`);
    }
    if (redirected && !asleep) {
      const up = behind.filter((one) => levelOf(one) > 0).map(refOf);
      throw new Violation('the user wins', `${ref} points at its satellite while ${up} behind it is up`);
    }
    if (redirected) checkRedirect(world, service, wish.wanted);
    else if (asleep && !wish.touched && isNamed(world, service.metadata.namespace, service.metadata.name)) {
      throw new Violation('time', `everything behind ${ref} sleeps and it has no satellite`);
    }
  }
}

function checkRedirect(world: SimWorld, service: KubeObject, wanted: string): void {
  const records = satellites.decode(world.stateData()['satellites']);
  const record = records.ok ? records.value.find(({ uid }) => uid === service.metadata.uid) : undefined;
  if (record === undefined || textOfSelector(record.selector) !== wanted) {
    throw new Violation('count fidelity', `${refOf(service)} is redirected with a record of ${JSON.stringify(record)}`);
  }
  const satellite = world.store.get(
    'deployments.apps',
    service.metadata.namespace,
    `svc-satellite-${service.metadata.name}`,
  );
  if (satellite === undefined) throw new Violation('time', `${refOf(service)} points at a satellite that is not there`);
}

function behindOf(world: SimWorld, service: KubeObject, wanted: string): readonly KubeObject[] {
  const app = new Map(JSON.parse(wanted) as [string, string][]).get('app');
  return workloadResources
    .flatMap((resource) => [...world.store.list(resource, service.metadata.namespace)])
    .filter((object) => object.kind !== 'CronJob' && object.metadata.deletionTimestamp === undefined)
    .filter((object) => {
      const { matchLabels } = (object['spec'] as { selector: { matchLabels: Record<string, string> } }).selector;
      return matchLabels['app'] === app;
    });
}
