import { isNeighbourOrigin } from '../../../embedded-cluster/neighbours/neighbour.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { StoreChange } from '../../../embedded-cluster/store/memory-store.ts';
import type { SuspendRecord, WorkloadRecord } from '../../../src/domain/record/record.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { appliersOf, applies, isApplier, mayBeQuieted } from '../oracle/appliers.ts';
import type { NeighbourWish } from '../oracle/neighbour-owners.ts';
import {
  absent,
  isNeighbourKind,
  isNeighbourResource,
  isQuiet,
  markedStanding,
  placeOf,
  standing,
} from '../oracle/neighbour-place.ts';
import { mayBeTakenDown } from '../oracle/scope.ts';
import { isMarked, isWorkloadResource, levelOf, refOf } from '../oracle/workload-level.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Circumstances } from './circumstances.ts';
import type { Court } from './court.ts';
import { differing } from './differing.ts';
import { isGoing } from './going.ts';
import { Violation } from './violation.ts';

const day = 86_400_000;
/** Longer than a tier waits for what cannot be done. */
const tierTime = 5 * 60_000;

/** Looks at what we write to objects of neighbours, at the order of it, and at what neighbours do to what sleeps. */
export class NeighbourRules {
  readonly #world: SimWorld;
  readonly #around: Circumstances;
  readonly #court: Court;
  /** Times that a neighbour created a workload, or wrote to one. */
  changes = 0;
  /** What somebody took our mark off while it was quiet, until we quiet it again. */
  readonly #stripped = new Set<string>();

  constructor(world: SimWorld, around: Circumstances, court: Court) {
    this.#world = world;
    this.#around = around;
    this.#court = court;
  }

  /** A write of ours; `late` where it arrived long after it was sent. */
  ourWrite(object: KubeObject, previous: KubeObject, late: boolean): void {
    const ref = refOf(object);
    const [from, to] = [standing(previous), standing(object)];
    this.#world.trace.note(
      `our write: ${ref} ${from} -> ${to}${markedStanding(object) === undefined ? '' : ' marked'}`,
    );
    this.#onlyOurFields(object, previous);
    if (isQuiet(object) && !isQuiet(previous)) this.#quieted(object, previous, late);
    else if (from !== to) this.#givenBack(object);
    else if (isQuiet(object) && markedStanding(previous) !== undefined && markedStanding(object) === undefined) {
      this.#mayBeOwnersQuiet(object, 'our mark was taken off');
    }
  }

  /** Whatever would put the workload back has to be quiet before it is lowered. */
  lowered(workload: KubeObject): void {
    if (!this.#court.settled()) return;
    for (const applier of appliersOf(workload, this.#world.store)) {
      if (isQuiet(applier) || this.#isOwnersLately(applier)) continue;
      // Quiet by us without a mark, it goes where what it applied went, and comes back with it.
      if (this.#stripped.has(applier.metadata.uid)) continue;
      if (this.#world.wasHinderedLately(applier, tierTime)) continue;
      if (!isOurs(this.#world, applier, this.#around)) continue;
      this.#court.broken('quiet before low', `${refOf(workload)} was lowered while ${refOf(applier)} is not quiet`);
    }
  }

  /** A neighbour raised what we lowered, while nobody but us has touched it for a day. */
  heard({ resource, event: { object, previous }, origin }: StoreChange): void {
    if (previous !== undefined && isNeighbourResource(resource) && isStripped(object, previous))
      this.#stripped.add(object.metadata.uid);
    if (!isNeighbourOrigin(origin) || !isWorkloadResource(resource)) return;
    this.changes++;
    const before = previous === undefined ? 'nothing' : levelOf(previous);
    this.#world.trace.note(`neighbour: ${refOf(object)} ${before} -> ${levelOf(object)}`);
    if (previous === undefined) return;
    if (levelOf(object) === 0 || levelOf(previous) > 0 || !isMarked(previous) || !this.#court.settled()) return;
    const now = this.#world.clock.now();
    const slack = this.#around.slackMs();
    if ([now, now - slack].some((at) => this.#world.shouldBe(at).cluster === 'up')) return;
    // One that its owner made anew by hand says nothing of what applies it until that has raised it.
    const awake = appliersOf(previous, this.#world.store).filter((one) => !isQuiet(one));
    const ours = awake.filter((one) => isOurs(this.#world, one, this.#around));
    if (awake.length === 0 || awake.some((one) => this.#isOwnersLately(one)) || ours.length < awake.length) return;
    this.#court.broken('nobody is fought', `${refOf(object)} was raised by ${awake.map(refOf)} in the night`);
  }

  /** What is recorded was its owner's. */
  recorded(record: WorkloadRecord): void {
    const wish = this.#world.neighbourOwners.ofUid(record.uid);
    if (wish === undefined)
      this.#court.broken('identity', `${record.kind} ${record.name} is recorded with a uid that never was`);
    else if (!wish.history.has(recordedStanding(record as SuspendRecord))) {
      this.#court.broken(
        'count fidelity',
        `${wish.ref} is recorded as ${recordedStanding(record as SuspendRecord)}, which its owner never set`,
      );
    }
  }

  mayDrop(record: WorkloadRecord): void {
    const object = this.#world.neighbours().find(({ metadata }) => metadata.uid === record.uid);
    if (object === undefined || isGoing(this.#world, object) || !isQuiet(object)) return;
    this.#mayBeOwnersQuiet(object, 'the record was dropped');
  }

  #quieted(object: KubeObject, previous: KubeObject, late: boolean): void {
    this.#stripped.delete(object.metadata.uid);
    const ref = refOf(object);
    const from = standing(previous);
    const record = recordOf(this.#world, object);
    if (!late && (record === undefined || recordedStanding(record) !== from)) {
      const is = record === undefined ? 'no record' : `a record of ${recordedStanding(record)}`;
      this.#court.broken('record before act', `${ref} was quieted from ${from} with ${is}`);
    }
    if (markedStanding(object) !== from) {
      this.#court.broken(
        'record before act',
        `${ref} was quieted from ${from} with a mark of ${markedStanding(object)}`,
      );
    }
    if (this.#court.settled() && !isOurs(this.#world, previous, this.#around)) {
      this.#court.broken('only ours', `${ref} is not ours to quiet`);
    }
    this.#court.takingDown(ref);
  }

  #givenBack(object: KubeObject): void {
    const ref = refOf(object);
    const wish = this.#world.neighbourOwners.of(object);
    if (wish === undefined || !wish.wanted.has(standing(object))) {
      this.#court.broken(
        'the user wins',
        `${ref} was set to ${standing(object)}, its owner wants ${[...(wish?.wanted ?? [])]}`,
      );
    }
    if (markedStanding(object) !== undefined)
      this.#court.broken('only ours', `${ref} was given back and still carries our mark`);
    this.#court.bringingBack(ref);
    this.#upBefore(object);
  }

  /** What it applies is up again before it is given back; what is refused or held up by a fault is not waited for forever. */
  #upBefore(applier: KubeObject): void {
    if (!isApplier(applier) || !this.#court.settled() || this.#around.slackMs() > 2_000) return;
    if (this.#world.lasting.active.length > 0) return;
    for (const workload of this.#world.workloads()) {
      if (isGoing(this.#world, workload) || !isMarked(workload) || levelOf(workload) > 0 || !applies(applier, workload))
        continue;
      this.#court.broken('up before loud', `${refOf(applier)} was given back while ${refOf(workload)} is down`);
    }
  }

  #mayBeOwnersQuiet(object: KubeObject, what: string): void {
    const wish = this.#world.neighbourOwners.of(object);
    if (wish === undefined || wish.wanted.has(wish.asleep)) return;
    this.#court.broken(
      'count fidelity',
      `${what} of ${wish.ref}, which is quiet and whose owner wants ${[...wish.wanted]}`,
    );
  }

  #onlyOurFields(object: KubeObject, previous: KubeObject): void {
    const { in: where, name } = placeOf(object);
    const place = where === 'spec' ? `spec.${name}` : `metadata.annotations.${name}`;
    for (const path of differing(object, previous)) {
      if (/^metadata\.(resourceVersion|generation|managedFields|annotations$)/.test(path) || path === place) continue;
      const ours = path.startsWith('metadata.annotations.svc.io/') && !path.endsWith('svc.io/exclude');
      if (!ours) this.#court.broken('only ours', `${refOf(object)}: ${path} was changed`);
    }
  }

  /** Its owner made it, or said himself how it should stand, within the last day: that holds for the night. */
  #isOwnersLately(object: KubeObject): boolean {
    const wish = this.#world.neighbourOwners.of(object);
    return wish === undefined || this.#world.clock.monotonic() - wish.touchedAt < day;
  }
}

/** Ours to quiet: of a kind that the configuration names, too. */
function isOurs(world: SimWorld, object: KubeObject, around: Circumstances): boolean {
  const named: readonly unknown[] = world.config.targeting.kinds;
  return named.includes(object.kind) && mayBeQuieted(object, world.store, around.scope());
}

function recordedStanding(record: SuspendRecord): string {
  return record.suspended ? placeOf(record).asleep : (record.before ?? absent);
}

function recordOf(world: SimWorld, object: KubeObject): SuspendRecord | undefined {
  const stored = resourceStates.decode(world.stateData()['resource_states']);
  const found = stored.ok ? stored.value.find(({ uid }) => uid === object.metadata.uid) : undefined;
  return found !== undefined && isNeighbourKind(found.kind) ? (found as SuspendRecord) : undefined;
}

export function checkNeighboursUp(world: SimWorld): void {
  for (const object of world.neighbours()) {
    if (isGoing(world, object)) continue;
    const wish = world.neighbourOwners.of(object);
    if (wish !== undefined && !wish.wanted.has(standing(object))) {
      throw new Violation(
        'nothing is left quiet',
        `${wish.ref} is ${standing(object)}, its owner wants ${[...wish.wanted]}`,
      );
    }
    if (markedStanding(object) !== undefined)
      throw new Violation('nothing is left quiet', `${refOf(object)} still carries our mark`);
  }
}

export function checkNeighboursDown(world: SimWorld, around: Circumstances): void {
  for (const object of world.neighbours()) {
    const wish = world.neighbourOwners.of(object);
    const broken = isGoing(world, object) || wish === undefined ? undefined : inTheNight(world, object, wish, around);
    if (broken !== undefined)
      throw new Violation(broken[0], `${broken[1]}, its owner wants ${[...(wish?.wanted ?? [])]}`);
  }
}

function inTheNight(
  world: SimWorld,
  object: KubeObject,
  wish: NeighbourWish,
  around: Circumstances,
): readonly [invariant: string, message: string] | undefined {
  const stands = standing(object);
  const isOwners = wish.wanted.has(stands);
  const record = recordOf(world, object);
  const isRecordedAwake = record !== undefined && record.provisional !== true && !record.suspended;
  const isQuietByUs = isQuiet(object) && (markedStanding(object) !== undefined || isRecordedAwake);
  // What it applied may have left our scope since: an applier that we quieted stays so until the wake, if it is in scope itself.
  const kept = isApplier(object) && isQuietByUs && mayBeTakenDown(object, world.store, around.scope());
  if (!kept && !isOurs(world, object, around))
    return isOwners ? undefined : ['only ours', `${wish.ref} is not ours and is ${stands}`];
  if (!isQuiet(object))
    return wish.touchedAt > wish.createdAt ? undefined : ['time', `${wish.ref} is ${stands} in the night`];
  if (isOwners || (record !== undefined && wish.wanted.has(recordedStanding(record)))) return undefined;
  return [
    'count fidelity',
    `${wish.ref} is quiet, recorded as ${record === undefined ? 'nothing' : recordedStanding(record)}`,
  ];
}

function isStripped(object: KubeObject, previous: KubeObject): boolean {
  return isQuiet(object) && markedStanding(previous) !== undefined && markedStanding(object) === undefined;
}
