import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { transition } from '../../../src/controller/transition/transition.ts';
import type { WorkloadRecord } from '../../../src/domain/record/record.ts';
import { workloadKey } from '../../../src/domain/workload.ts';
import { outbox } from '../../../src/state/outbox.ts';
import { phase } from '../../../src/state/phase.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import type { OwnersWish } from '../oracle/owners.ts';
import { mayBeTakenDown } from '../oracle/scope.ts';
import { neverWokenForOthers, type ShouldBe, shouldBeOf } from '../oracle/should-be.ts';
import { isMarked, levelOf, refOf } from '../oracle/workload-level.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Circumstances } from './circumstances.ts';
import { checkDatabasesDown, checkDatabasesUp } from './database-rules.ts';
import { isGoing } from './going.ts';
import { checkNeighboursDown, checkNeighboursUp } from './neighbour-rules.ts';
import { isOwnersTonight } from './owners-tonight.ts';
import { checkServicesDown, checkServicesUp } from './service-rules.ts';
import { Violation } from './violation.ts';

const tellingMs = 60_000;

/** What has to hold once faults have stopped, nobody acts, and a pass and all time-outs have gone by. */
export function checkConverged(world: SimWorld, around: Circumstances): void {
  const data = world.stateData();
  const should = world.shouldBe();
  if (should.unsure.length > 0) throw new Violation('no guessing', `a quiet point with an unreadable ${should.unsure}`);
  if (world.config.operations.dryRun && !should.stopped) return;
  const running = transition.decode(data['transition']);
  // An edge of the schedule has just gone by, and a cloud takes its time.
  const young = running.ok && running.value !== null && world.clock.now() - running.value.startedAt < 10 * 60_000;
  if (young && world.cloud !== undefined) return;
  if (!running.ok || running.value !== null) {
    throw new Violation('eventual up', `a transition still runs: ${data['transition']}`);
  }
  if (should.cluster === 'down') {
    checkDown(world, around, data, should);
    checkServicesDown(world);
    checkDatabasesDown(world);
    checkNeighboursDown(world, around);
  } else {
    checkUp(world, around, data, should);
    checkServicesUp(world);
    checkDatabasesUp(world);
    checkNeighboursUp(world);
  }
  const untold = outbox.decode(data['outbox']);
  // What has just happened by the clock is on its way.
  if (!untold.ok || untold.value.some(({ at }) => world.clock.now() - at > tellingMs))
    throw new Violation('harmless and truthful', `untold announcements: ${data['outbox']}`);
}

type Data = Readonly<Record<string, string>>;

function checkUp(world: SimWorld, around: Circumstances, data: Data, should: ShouldBe): void {
  const records = resourceStates.decode(data['resource_states']);
  const left = new Map((records.ok ? records.value : []).map((record) => [record.uid, record]));
  // What another cluster may not wake sleeps on, with its record.
  const sleepsOn = (object: KubeObject) =>
    left.has(object.metadata.uid) &&
    shouldBeOf(should, world.configParts, object) === 'down' &&
    mayBeTakenDown(object, world.store, around.scope());
  for (const object of living(world)) {
    const wish = world.owners.of(object);
    const level = levelOf(object);
    if (sleepsOn(object)) {
      checkRecord(object, left.get(object.metadata.uid), wish);
      left.delete(object.metadata.uid);
      continue;
    }
    if (wish === undefined || !wish.wanted.has(level)) {
      throw new Violation(
        'eventual up',
        `${refOf(object)} is at ${level}, its owner wants ${[...(wish?.wanted ?? [])]}`,
      );
    }
    if (isMarked(object)) throw new Violation('eventual up', `${refOf(object)} still carries our mark`);
  }
  // Where another cluster wakes nothing, the record of what is gone waits for whoever does.
  const shut = (record: WorkloadRecord) => should.forOthers && neverWokenForOthers(world.configParts, record.namespace);
  const names = [...left.values()].filter((record) => !shut(record)).map(workloadKey);
  if (names.length > 0) {
    throw new Violation('eventual up', `records are left on a cluster that is up: ${names}`);
  }
  const at = phase.decode(data['phase']);
  if (at.ok && at.value?.phase === 'hibernated') throw new Violation('eventual up', 'the state says hibernated');
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every rule of a night at rest, one after the other.
function checkDown(world: SimWorld, around: Circumstances, data: Data, should: ShouldBe): void {
  const records = resourceStates.decode(data['resource_states']);
  const at = phase.decode(data['phase']);
  if (!records.ok || !at.ok || at.value?.phase !== 'hibernated') {
    throw new Violation('time', `the cluster should sleep and the state says ${data['phase']}`);
  }
  const byUid = new Map(records.value.map((record) => [record.uid, record]));
  for (const object of living(world)) {
    const wish = world.owners.of(object);
    if (wish === undefined) continue;
    const level = levelOf(object);
    const ours = mayBeTakenDown(object, world.store, around.scope());
    if (!ours && !wish.wanted.has(level)) {
      throw new Violation(
        'only ours',
        `${refOf(object)} is not ours, is at ${level}, its owner wants ${[...wish.wanted]}`,
      );
    }
    if (ours && shouldBeOf(should, world.configParts, object) === 'up') {
      if (!wish.wanted.has(level) || isMarked(object)) {
        throw new Violation('eventual up', `${refOf(object)} is needed by another cluster and is at ${level}`);
      }
      continue;
    }
    if (ours && level > 0 && !isOwnersTonight(world, object, wish))
      throw new Violation('time', `${refOf(object)} is up in the night`);
    if (ours) checkRecord(object, byUid.get(object.metadata.uid), wish);
  }
}

/** Whatever is down and not its owner's zero has a record of what its owner wants. */
function checkRecord(object: KubeObject, record: WorkloadRecord | undefined, wish: OwnersWish | undefined): void {
  if (levelOf(object) > 0 || wish === undefined || wish.wanted.has(0)) return;
  const recorded = record === undefined ? undefined : 'replicas' in record ? record.replicas : record.suspended ? 0 : 1;
  if (recorded !== undefined && wish.wanted.has(recorded)) return;
  throw new Violation(
    'count fidelity',
    `${refOf(object)} sleeps with a record of ${recorded}, its owner wants ${[...wish.wanted]}`,
  );
}

/** Without what is on its way out. */
export function living(world: SimWorld): readonly KubeObject[] {
  return world.workloads().filter((object) => !isGoing(world, object));
}
