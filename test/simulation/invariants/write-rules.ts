import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { StoreChange } from '../../../embedded-cluster/store/memory-store.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { isReplicaRecord, type WorkloadRecord } from '../../../src/domain/record/record.ts';
import { workloadKey } from '../../../src/domain/workload.ts';
import { databaseStates } from '../../../src/state/database-states.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { satellites } from '../../../src/state/satellites.ts';
import { isNeighbourKind, isNeighbourResource } from '../oracle/neighbour-place.ts';
import { mayBeTakenDown } from '../oracle/scope.ts';
import { isSatellite } from '../oracle/service-owners.ts';
import { isStoodDown, neverWokenForOthers, shouldBeOf } from '../oracle/should-be.ts';
import { isMarked, isWorkloadResource, levelOf, markedLevel, refOf } from '../oracle/workload-level.ts';
import { sentAtHeader } from '../world/faulty-transport.ts';
import { releaseNamespace } from '../world/shipped-controller.ts';
import { isController, type SimWorld } from '../world/sim-world.ts';
import type { Circumstances } from './circumstances.ts';
import type { Court } from './court.ts';
import { watchCloud } from './database-rules.ts';
import { differing } from './differing.ts';
import { NeighbourRules } from './neighbour-rules.ts';
import { ServiceRules } from './service-rules.ts';
import { Told } from './told.ts';
import { Violation } from './violation.ts';

/** More than a request takes. */
const lateMs = 5_000;
/** So long a batch of acts trusts that the state is still the one that it was decided on. */
const trustMs = 2_000;
const ownAnnotations = /^svc\.io\//;

/** Looks at every write of the controller at the moment it is made. */
export class WriteRules {
  readonly violations: Violation[] = [];
  readonly told: Told;
  readonly #world: SimWorld;
  readonly #around: Circumstances;
  readonly #services: ServiceRules;
  readonly #neighbours: NeighbourRules;
  #stoodDownSince: number | undefined;
  #unlicensedSince: number | undefined;
  #undecodableSince: number | undefined;
  /** How long the write under judgement was on its way: it was decided on what was known when it left. */
  #travelledMs = 0;
  /** Since somebody deleted or spoilt what is recorded. */
  #recordsLostAt: number | undefined;
  /** Writes of the controller, events apart. */
  writes = 0;
  workloadWrites = 0;

  constructor(world: SimWorld, around: Circumstances) {
    this.#world = world;
    this.#around = around;
    this.told = new Told(world);
    const court: Court = {
      broken: (invariant, message) => this.#broken(invariant, message),
      takingDown: (ref) => {
        this.#stops(ref);
        this.#wantedDown(ref, this.#sinceAction());
      },
      bringingBack: (ref) => this.#dryRunHolds(ref),
      recordsInDoubt: () => this.#areRecordsInDoubt(),
      settled: () => this.#sinceAction() > this.#around.slackMs(),
    };
    this.#services = new ServiceRules(world, court);
    this.#neighbours = new NeighbourRules(world, around, court);
    watchCloud(world, court);
    world.store.onAnyChange((change) => this.#heard(change));
  }

  /** Times that a neighbour wrote to a workload. */
  get neighbourChanges(): number {
    return this.#neighbours.changes;
  }

  /** Called by the simulation whenever the license changes. */
  licenseChanged(acts: boolean): void {
    this.#unlicensedSince = acts ? undefined : (this.#unlicensedSince ?? this.#mono());
  }

  #mono(): number {
    return this.#world.clock.monotonic();
  }

  #broken(invariant: string, message: string): void {
    this.violations.push(new Violation(invariant, message));
    this.#world.trace.note(`VIOLATION ${invariant}: ${message}`);
  }

  #heard(change: StoreChange): void {
    const ours = isController(change.origin);
    if (ours) this.#ourWrite(change);
    else this.#neighbours.heard(change);
    const { name } = change.event.object.metadata;
    if (change.resource !== 'configmaps') return;
    if (name === configMaps.state) this.#stateChanged(change);
    else if (!ours && name.startsWith(configMaps.statePartPrefix)) this.#partChanged();
    else return;
    if (!ours && this.#areRecordsLost(change)) this.#recordsLostAt = this.#mono();
  }

  #stateChanged({ event }: StoreChange): void {
    const data = this.#world.wholeState(event.type === 'DELETED' ? undefined : event.object);
    if (event.type === 'DELETED') this.told.stateLost();
    else this.told.stateWritten(data);
    this.#judgeState(data);
  }

  #partChanged(): void {
    const data = this.#world.stateData();
    this.told.stateWritten(data);
    this.#judgeState(data);
  }

  #areRecordsLost({ event }: StoreChange): boolean {
    if (event.type === 'DELETED') return true;
    const data = this.#world.stateData();
    return [resourceStates, satellites, databaseStates].some(({ key, decode }) => !decode(data[key]).ok);
  }

  #judgeState(data: Readonly<Record<string, string>>): void {
    const undecodable = this.#world.shouldBe().unsure.length > 0;
    this.#undecodableSince = undecodable ? (this.#undecodableSince ?? this.#mono()) : undefined;
    const holds = isStoodDown(data) === true;
    this.#stoodDownSince = holds ? (this.#stoodDownSince ?? this.#mono()) : undefined;
  }

  #ourWrite(change: StoreChange): void {
    const { resource, event, origin } = change;
    const { object, previous } = event;
    // Events tell, and the books on what was saved are written by the hour: neither moves anything.
    if (resource === 'events' || object.metadata.name === 'svc-insights') return;
    this.writes++;
    const { headers, body } = origin as { headers: Record<string, string>; body: string };
    this.#travelledMs = this.#mono() - Number(headers[sentAtHeader] ?? this.#mono());
    const created = previous === undefined || event.type !== 'MODIFIED';
    if (!created && !isSatellite(object)) this.#fenced(object, previous, body);
    if (resource === 'configmaps') this.#configMapWrite(object, previous, event.type);
    else if (resource === 'pods') this.#protection(object, previous);
    else if (resource === 'services') this.#services.serviceWrite(event);
    else if (resource === 'deployments.apps' && isSatellite(object)) this.#services.satelliteWrite(event);
    else if (!created && (isWorkloadResource(resource) || isNeighbourResource(resource))) {
      this.workloadWrites++;
      this.#workloadWrite(resource, object, previous);
    } else this.#broken('only ours', `${event.type} of ${resource} ${refOf(object)}`);
  }

  #workloadWrite(resource: string, object: KubeObject, previous: KubeObject): void {
    if (isNeighbourResource(resource)) this.#neighbours.ourWrite(object, previous, this.#travelledMs >= lateMs);
    else {
      this.#onlyOurFields(object, previous);
      this.#act(object, previous);
    }
  }

  #configMapWrite(object: KubeObject, previous: KubeObject | undefined, type: string): void {
    const { name, namespace } = object.metadata;
    if (namespace !== releaseNamespace || !(name === 'svc-state' || /^svc-(?:audit|state)-\d+$/.test(name))) {
      this.#broken('only ours', `${type} of ConfigMap ${namespace}/${name}`);
    }
    if (name.startsWith(configMaps.statePartPrefix)) {
      // It counts once it is named: then the state is written.
      this.#world.trace.note(`our write: ${type} ${name}`);
      return;
    }
    if (name !== 'svc-state') {
      this.#world.trace.note(`our write: ${name}`);
      this.#truthful((object['data'] as Record<string, string>)['entries'] ?? '');
      return;
    }
    const data = this.#world.wholeState(object);
    const before = this.#world.wholeState(previous);
    const keys = new Set([...Object.keys(data), ...Object.keys(before)]);
    const changed = [...keys].filter((key) => data[key] !== before[key]).toSorted();
    this.#world.trace.note(
      `our write: svc-state ${changed.map((key) => `${key}=${(data[key] ?? '').slice(0, 400).replaceAll('\n', '')}`).join(' ')}`,
    );
    if (changed.includes('resource_states') && !resourceStates.decode(before['resource_states']).ok) {
      this.#broken('no guessing', 'resource_states was written over a value that cannot be decoded');
    }
    if (changed.includes('resource_states')) this.#countFidelity(data, before);
  }

  #truthful(text: string): void {
    const untrue = this.told.auditWritten(text);
    const settled = this.#sinceAction() > this.#around.slackMs();
    if (untrue !== undefined && settled) this.#broken('harmless and truthful', untrue);
  }

  /** What is recorded was set by somebody else. */
  #countFidelity(data: Record<string, string>, before: Record<string, string>): void {
    const now = resourceStates.decode(data['resource_states']);
    const then = resourceStates.decode(before['resource_states']);
    if (!now.ok) {
      this.#broken('no guessing', `the controller wrote a resource_states that cannot be decoded: ${now.message}`);
      return;
    }
    const known = new Map((then.ok ? then.value : []).map((record) => [workloadKey(record), record]));
    for (const record of now.value) {
      const old = known.get(workloadKey(record));
      known.delete(workloadKey(record));
      this.#recordedAsSet(record, old);
    }
    for (const dropped of known.values()) this.#mayDrop(dropped);
  }

  #recordedAsSet(record: WorkloadRecord, old: WorkloadRecord | undefined): void {
    if (isNeighbourKind(record.kind)) {
      if (JSON.stringify({ ...old, at: 0 }) !== JSON.stringify({ ...record, at: 0 })) this.#neighbours.recorded(record);
      return;
    }
    const level = recordedLevel(record);
    if (old !== undefined && old.uid === record.uid && recordedLevel(old) === level) return;
    const wish = this.#world.owners.ofUid(record.uid);
    if (wish === undefined) this.#broken('identity', `${workloadKey(record)} is recorded with a uid that never was`);
    else if (!wish.history.has(level)) {
      this.#broken('count fidelity', `${wish.ref} is recorded at ${level}, which its owner never set`);
    }
  }

  /** A record goes only once its workload is back, gone, or its owner's again. */
  #mayDrop(record: WorkloadRecord): void {
    if (isNeighbourKind(record.kind)) {
      this.#neighbours.mayDrop(record);
      return;
    }
    const object = this.#world.workloads().find((one) => one.metadata.uid === record.uid);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined || levelOf(object) > 0) return;
    const wish = this.#world.owners.ofUid(record.uid);
    if (wish !== undefined && !wish.wanted.has(0)) {
      this.#broken(
        'count fidelity',
        `the record of ${wish.ref} was dropped while it is down and its owner wants ${[...wish.wanted]}`,
      );
    }
  }

  #fenced(object: KubeObject, previous: KubeObject, body: string): void {
    const named = (JSON.parse(body) as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion;
    if (named === undefined || named !== previous.metadata.resourceVersion) {
      this.#broken('fenced', `a write to ${refOf(object)} named version ${named}`);
    }
  }

  #onlyOurFields(object: KubeObject, previous: KubeObject): void {
    const touched = differing(object, previous).filter(
      (path) =>
        !/^metadata\.(resourceVersion|generation|managedFields)/.test(path) &&
        !(object.kind === 'CronJob' ? path === 'spec.suspend' : path === 'spec.replicas'),
    );
    for (const path of touched) {
      const annotation = /^metadata\.annotations\.(.*)$/.exec(path)?.[1];
      const emptied = path === 'metadata.annotations';
      if (
        !emptied &&
        (annotation === undefined || !ownAnnotations.test(annotation) || annotation === 'svc.io/exclude')
      ) {
        this.#broken('only ours', `${refOf(object)}: ${path} was changed`);
      }
    }
  }

  /** Our own pods ask node autoscalers to leave them where they are, and nothing else of them is touched. */
  #protection(object: KubeObject, previous: KubeObject | undefined): void {
    const { name, namespace } = object.metadata;
    this.#world.trace.note(`our write: Pod ${namespace}/${name} ${JSON.stringify(object.metadata.annotations)}`);
    if (previous === undefined || namespace !== releaseNamespace) {
      this.#broken('only ours', `a write to Pod ${namespace}/${name}`);
      return;
    }
    const ours =
      /^metadata\.(resourceVersion|managedFields|annotations(\.(svc\.io|karpenter\.sh|cluster-autoscaler).*)?$)/;
    const others = differing(object, previous).filter((path) => !ours.test(path));
    if (others.length > 0) this.#broken('only ours', `Pod ${namespace}/${name}: ${others} was changed`);
  }

  #act(object: KubeObject, previous: KubeObject): void {
    const from = levelOf(previous);
    const to = levelOf(object);
    this.#world.trace.note(`our write: ${refOf(object)} ${from} -> ${to}${isMarked(object) ? ' marked' : ''}`);
    if (to < from) this.#lowered(object, previous, from, to);
    else if (to > from) this.#raised(object, from, to);
    else if (from === 0 && isMarked(previous) && !isMarked(object)) this.#disownedAtZero(object);
  }

  #lowered(object: KubeObject, previous: KubeObject, from: number, to: number): void {
    const ref = refOf(object);
    if (to !== 0) this.#broken('only ours', `${ref} was lowered to ${to}`);
    // One that arrives long after it was sent may find its record gone, and so may one of a batch under which somebody deletes
    // or spoils the state: its mark brings the count back.
    if (this.#travelledMs < lateMs && !this.#areRecordsInDoubt()) this.#recordedBefore(object, from);
    if (markedLevel(object) !== from)
      this.#broken('record before act', `${ref} was lowered from ${from} with mark ${markedLevel(object)}`);
    const sinceAction = this.#sinceAction();
    if (sinceAction > this.#around.slackMs() && !mayBeTakenDown(previous, this.#world.store, this.#around.scope())) {
      this.#broken('only ours', `${ref} is not ours to take down`);
    }
    this.#neighbours.lowered(object);
    this.#stops(ref);
    this.#wantedDown(ref, sinceAction, object);
  }

  #areRecordsInDoubt(): boolean {
    return this.#recordsLostAt !== undefined && this.#knownFor(this.#recordsLostAt) < trustMs;
  }

  #recordedBefore(object: KubeObject, from: number): void {
    const stored = resourceStates.decode(this.#world.stateData()['resource_states']);
    const record = stored.ok ? stored.value.find((one) => one.uid === object.metadata.uid) : undefined;
    if (record === undefined)
      this.#broken('record before act', `${refOf(object)} was lowered without a durable record`);
    else if (recordedLevel(record) !== from) {
      this.#broken(
        'record before act',
        `${refOf(object)} was lowered from ${from} with a record of ${recordedLevel(record)}`,
      );
    }
  }

  #stops(ref: string): void {
    const slack = this.#around.slackMs();
    const longer = (since: number | undefined) => since !== undefined && this.#knownFor(since) > slack;
    if (longer(this.#stoodDownSince)) this.#broken('stops are absolute', `${ref} was lowered while stood down`);
    if (longer(this.#unlicensedSince)) this.#broken('stops are absolute', `${ref} was lowered without a license`);
    if (longer(this.#undecodableSince))
      this.#broken('no guessing', `${ref} was lowered on a state that cannot be decoded`);
  }

  #wantedDown(ref: string, sinceAction: number, object?: KubeObject): void {
    const slack = this.#around.slackMs();
    if (sinceAction <= slack) return;
    const { config, clock } = this.#world;
    if (config.operations.dryRun) this.#broken('dry run', `${ref} was lowered in dry run`);
    const down = (at: number) => {
      const should = this.#world.shouldBe(at);
      return object === undefined
        ? should.cluster === 'down'
        : shouldBeOf(should, this.#world.configParts, object) === 'down';
    };
    const sentAt = clock.now() - this.#travelledMs;
    if (!down(sentAt) && !down(sentAt - slack)) {
      this.#broken('time', `${ref} was taken down while it should be up`);
    }
  }

  /** In the night only what is not ours to take down is given back. */
  #wantedUp(object: KubeObject): void {
    const slack = this.#around.slackMs();
    if (this.#sinceAction() <= slack || !mayBeTakenDown(object, this.#world.store, this.#around.scope())) return;
    const { clock, configParts } = this.#world;
    const down = (at: number) => {
      const should = this.#world.shouldBe(at);
      return should.unsure.length === 0 && shouldBeOf(should, configParts, object) === 'down';
    };
    const sentAt = clock.now() - this.#travelledMs;
    if (down(sentAt) && down(sentAt - slack))
      this.#broken('time', `${refOf(object)} was raised while it should be down`);
  }

  /** A session of another cluster brings nothing up where the configuration forbids it. */
  #notForOthers(object: KubeObject): void {
    const { configParts, clock } = this.#world;
    const slack = this.#around.slackMs();
    if (this.#sinceAction() <= slack || !neverWokenForOthers(configParts, object.metadata.namespace ?? '')) return;
    const sentAt = clock.now() - this.#travelledMs;
    const forced = [sentAt, sentAt - slack].every((at) => this.#world.shouldBe(at).forOthers);
    const ours = mayBeTakenDown(object, this.#world.store, this.#around.scope());
    if (forced && ours) this.#broken('only ours', `${refOf(object)} was raised for another cluster`);
  }

  #raised(object: KubeObject, from: number, to: number): void {
    const ref = refOf(object);
    const wish = this.#world.owners.of(object);
    if (from !== 0) this.#broken('only ours', `${ref} was raised from ${from} to ${to}`);
    if (wish === undefined || !wish.wanted.has(to)) {
      this.#broken('the user wins', `${ref} was raised to ${to}, its owner wants ${[...(wish?.wanted ?? [])]}`);
    }
    if (isMarked(object)) this.#broken('only ours', `${ref} was raised and still carries our mark`);
    this.#dryRunHolds(ref);
    this.#notForOthers(object);
    this.#wantedUp(object);
  }

  /** Only a handback brings anything back in a dry run. */
  #dryRunHolds(ref: string): void {
    const stopped = this.#stoodDownSince !== undefined || this.#unlicensedSince !== undefined;
    if (!this.#world.config.operations.dryRun || stopped) return;
    if (this.#sinceAction() > this.#around.slackMs()) this.#broken('dry run', `${ref} was brought back in dry run`);
  }

  #sinceAction(): number {
    return this.#sentAt() - this.#around.lastActionAt();
  }

  /** For how long something could be known when the write under judgement left: while the apiserver answers nobody, it cannot. */
  #knownFor(since: number): number {
    return this.#world.faults.answeredMs(since, this.#sentAt());
  }

  #sentAt(): number {
    return this.#mono() - this.#travelledMs;
  }

  #disownedAtZero(object: KubeObject): void {
    const wish = this.#world.owners.of(object);
    if (wish !== undefined && !wish.wanted.has(0)) {
      this.#broken(
        'count fidelity',
        `our mark was taken off ${wish.ref}, which is down and whose owner wants ${[...wish.wanted]}`,
      );
    }
  }
}

function recordedLevel(record: WorkloadRecord): number {
  return isReplicaRecord(record) ? record.replicas : record.suspended ? 0 : 1;
}
