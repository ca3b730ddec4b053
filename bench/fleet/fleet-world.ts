import { ApplicationController } from '../../embedded-cluster/neighbours/argo-cd.ts';
import { RolloutsController } from '../../embedded-cluster/neighbours/argo-rollouts.ts';
import { KustomizeController } from '../../embedded-cluster/neighbours/flux.ts';
import { Keda } from '../../embedded-cluster/neighbours/keda.ts';
import type { Neighbour } from '../../embedded-cluster/neighbours/neighbour.ts';
import { Operator, postgresOperator, prometheusOperator } from '../../embedded-cluster/neighbours/operator.ts';
import type { KubeObject } from '../../embedded-cluster/object-store.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { differing } from '../../test/simulation/invariants/differing.ts';
import { levelOf, refOf } from '../../test/simulation/oracle/workload-level.ts';
import { controllerUser, SimWorld } from '../../test/simulation/world/sim-world.ts';
import { storageOf } from '../../test/support/builders/neighbours.ts';
import { type FleetNight, type GroupNight, groups } from './figures.ts';
import { type Fleet, fleetOf, type Member } from './members.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A Monday; the schedule is read in UTC, 08:00 to 20:00. */
const monday = Date.UTC(2026, 0, 5);
const [evening, night, morning, end] = [20, 20.25, 32, 33];
const latencyMs = 3;

/** A cluster with room for all of it. */
const nodes = [
  {
    name: 'large',
    min: 4,
    max: 4,
    cpu: '100000',
    memory: '100000Gi',
    pods: 100_000,
    addAfterSeconds: 60,
    removeAfterSeconds: 600,
  },
];

/** A mixed fleet with its neighbours at work, and the shipped controller, in virtual time. */
export class FleetWorld {
  readonly #fleet: Fleet;
  readonly #world: SimWorld;
  readonly #neighbours: readonly Neighbour[];
  readonly #byPlace: ReadonlyMap<string, Member>;
  /** Before the morning, by workload: who raised what was down. */
  readonly #raised = new Map<Member, string>();
  readonly #calls = { evening: 0, night: 0, morning: 0 };
  #writes = 0;

  /** `kinds` is what the configuration names. */
  constructor(workloads: number, kinds?: readonly string[]) {
    this.#fleet = fleetOf(workloads);
    this.#byPlace = new Map(this.#fleet.members.map((one) => [placeOf(one.resource, one.namespace, one.name), one]));
    this.#world = new SimWorld({
      startAt: monday + 12 * hour,
      config: { workingHours: { timezone: 'UTC' }, targeting: { kinds: kinds ?? this.#fleet.kinds } },
      nodes,
      latency: () => latencyMs,
      objects: this.#fleet.objects,
    });
    this.#neighbours = this.#settle();
    for (const one of this.#neighbours) one.start();
    this.#listen();
    this.#world.start();
  }

  async night(): Promise<FleetNight> {
    await this.#until(evening - 0.25);
    const before = this.#look();
    await this.#until(evening);
    const reconciled = this.#neighbours.map((one) => one.reconciles);
    await this.#until(night);
    const down = new Set(
      this.#fleet.members.filter((member) => this.#levelOf(member) === 0 && this.#hasNoPods(member)),
    );
    const counted = () =>
      this.#neighbours.map((one, index) => [one.manager, one.reconciles - reconciled[index]!] as const);
    await this.#until(morning);
    const reconciles = new Map(counted());
    await this.#until(end);
    const after = this.#look();
    return {
      groups: groups.map((group) => this.#groupNight(group, down, before)),
      objects: before.size,
      differing: differences(before, after),
      reconciles,
      calls: this.#calls,
      writes: this.#writes,
      writesDue: 2 * this.#fleet.sleepers,
    };
  }

  end(): void {
    for (const one of this.#neighbours) one.stop();
    this.#world.kill();
    this.#world.cluster.stop();
  }

  #settle(): readonly Neighbour[] {
    const { cluster, clock } = this.#world;
    const options = { cluster, clock, random: seededRandom(77) };
    return [
      // There is always something to do, so that whatever is not paused is raised.
      new Keda({ ...options, demand: (random, most) => 1 + Math.floor(random.next() * most) }),
      new RolloutsController(options),
      new ApplicationController(options, this.#fleet.argo),
      new KustomizeController(options, this.#fleet.flux),
      new Operator(options, postgresOperator),
      new Operator(options, prometheusOperator),
    ];
  }

  async #until(hours: number): Promise<void> {
    await this.#world.advance(monday + hours * hour - this.#world.clock.now());
  }

  #hours(): number {
    return (this.#world.clock.now() - monday) / hour;
  }

  #listen(): void {
    const { store, cluster } = this.#world;
    store.onAnyChange(({ resource, event: { object, previous } }) => {
      const member = this.#byPlace.get(placeOf(resource, object.metadata.namespace ?? '', object.metadata.name));
      const hours = this.#hours();
      if (member === undefined || previous === undefined || hours < evening || hours >= morning) return;
      if (levelOf(previous) === 0 && levelOf(object) > 0) this.#raised.set(member, lastManager(object));
    });
    cluster.api.faults.onRequest(({ user, verb }) => {
      const hours = this.#hours();
      if (user !== controllerUser || verb === 'watch' || hours < evening) return;
      this.#calls[hours < night ? 'evening' : hours < morning ? 'night' : 'morning']++;
    });
    const scaled = new Set([
      ...this.#fleet.members.map(({ resource }) => resource),
      ...this.#fleet.kinds.map(storageOf),
    ]);
    cluster.api.faults.onWrite(({ user, resource }) => {
      if (user === controllerUser && scaled.has(resource) && this.#hours() >= evening) this.#writes++;
    });
  }

  #get({ resource, namespace, name }: Member): KubeObject {
    const found = this.#world.store.get(resource, namespace, name);
    if (found === undefined) throw new Error(`${resource} ${namespace}/${name} is not there.`);
    return found;
  }

  #levelOf(member: Member): number {
    return levelOf(this.#get(member));
  }

  #hasNoPods(member: Member): boolean {
    const { replicas = 0 } = (this.#get(member)['status'] ?? {}) as { readonly replicas?: number };
    return replicas === 0;
  }

  #groupNight(
    group: GroupNight['group'],
    down: ReadonlySet<Member>,
    before: ReadonlyMap<string, KubeObject>,
  ): GroupNight {
    const members = this.#fleet.members.filter((member) => member.group === group);
    const isUp = (member: Member) => {
      const level = this.#levelOf(member);
      if (group === 'KEDA') return level >= 1 && level <= 4;
      const was = before.get(placeOf(member.resource, member.namespace, member.name));
      return was !== undefined && levelOf(was) === level;
    };
    return {
      group,
      workloads: members.length,
      down: members.filter((member) => down.has(member)).length,
      raised: members.flatMap((member) => {
        const by = this.#raised.get(member);
        return by === undefined ? [] : [`${refOf(this.#get(member))} by ${by}`];
      }),
      up: members.filter(isUp).length,
    };
  }

  /** All workloads and custom resources, by place. */
  #look(): ReadonlyMap<string, KubeObject> {
    const builtin = ['deployments.apps', 'statefulsets.apps', 'cronjobs.batch'];
    const all = [...builtin, ...this.#fleet.kinds.map(storageOf)].flatMap((resource) =>
      this.#world.store.list(resource).map((object) => {
        const { namespace = '', name } = object.metadata;
        return [placeOf(resource, namespace, name), object] as const;
      }),
    );
    return new Map(all);
  }
}

function placeOf(resource: string, namespace: string, name: string): string {
  return `${resource} ${namespace}/${name}`;
}

/** What its owner wrote, to the byte; the count of what KEDA scales is KEDA's. */
function differences(
  before: ReadonlyMap<string, KubeObject>,
  after: ReadonlyMap<string, KubeObject>,
): readonly string[] {
  const places = new Set([...before.keys(), ...after.keys()]);
  return [...places].flatMap((place) => {
    const [was, is] = [before.get(place), after.get(place)];
    const paths = differing(ownersPart(was, before), ownersPart(is, after));
    return paths.length === 0 ? [] : [`${place}: ${paths.join(', ')}`];
  });
}

function ownersPart(object: KubeObject | undefined, all: ReadonlyMap<string, KubeObject>): unknown {
  if (object === undefined) return undefined;
  const { namespace = '', name, labels, annotations } = object.metadata;
  const scaled = object.kind === 'Deployment' && all.has(placeOf(storageOf('ScaledObject'), namespace, name));
  const spec = { ...(object['spec'] as object), ...(scaled ? { replicas: 'as KEDA has it' } : {}) };
  // The apiserver leaves an empty map out.
  return { spec, labels, ...(Object.keys(annotations ?? {}).length === 0 ? {} : { annotations }) };
}

function lastManager({ metadata }: KubeObject): string {
  const entries = metadata['managedFields'] as readonly { readonly manager: string }[] | undefined;
  return entries?.at(-1)?.manager ?? 'somebody';
}
