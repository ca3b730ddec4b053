import { transition } from '../../../src/controller/transition.ts';
import { workloadKey } from '../../../src/domain/workload.ts';
import type { KubeObject } from '../../../src/embedded/object-store.ts';
import { phase } from '../../../src/state/phase.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { mayBeTakenDown } from '../oracle/scope.ts';
import { wantedAt } from '../oracle/wanted.ts';
import { isMarked, levelOf, refOf } from '../oracle/workload-level.ts';
import type { SimWorld } from '../world/sim-world.ts';
import { Violation } from './violation.ts';
import type { Circumstances } from './write-rules.ts';

/** What has to hold once faults have stopped, nobody acts, and a pass and all time-outs have gone by. */
export function checkConverged(world: SimWorld, around: Circumstances): void {
  const data = world.stateData();
  const desired = wantedAt(data, world.config, around.licenseActs(), world.clock.now());
  if (desired === undefined) throw new Violation('no guessing', 'a quiet point with a state that cannot be decoded');
  if (world.config.operations.dryRun && desired.causes.length === 0) return;
  const running = transition.decode(data['transition']);
  if (!running.ok || running.value !== null) {
    throw new Violation('eventual up', `a transition still runs: ${data['transition']}`);
  }
  if (desired.wanted === 'hibernated') checkDown(world, around, data);
  else checkUp(world, data);
  if ((data['outbox'] ?? '') !== '')
    throw new Violation('harmless and truthful', `untold announcements: ${data['outbox']}`);
}

function checkUp(world: SimWorld, data: Readonly<Record<string, string>>): void {
  const records = resourceStates.decode(data['resource_states']);
  for (const object of living(world)) {
    const wish = world.owners.of(object);
    const level = levelOf(object);
    if (wish === undefined || !wish.wanted.has(level)) {
      throw new Violation(
        'eventual up',
        `${refOf(object)} is at ${level}, its owner wants ${[...(wish?.wanted ?? [])]}`,
      );
    }
    if (isMarked(object)) throw new Violation('eventual up', `${refOf(object)} still carries our mark`);
  }
  if (records.ok && records.value.length > 0) {
    throw new Violation('eventual up', `records are left on a cluster that is up: ${records.value.map(workloadKey)}`);
  }
  const at = phase.decode(data['phase']);
  if (at.ok && at.value?.phase === 'hibernated') throw new Violation('eventual up', 'the state says hibernated');
}

function checkDown(world: SimWorld, around: Circumstances, data: Readonly<Record<string, string>>): void {
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
    const touchedInTheNight = wish.touchedAt > wish.createdAt;
    if (ours && level > 0 && !touchedInTheNight) throw new Violation('time', `${refOf(object)} is up in the night`);
    if (!ours || level > 0 || wish.wanted.has(0)) continue;
    const record = byUid.get(object.metadata.uid);
    const recorded =
      record === undefined ? undefined : 'replicas' in record ? record.replicas : record.suspended ? 0 : 1;
    if (recorded === undefined || !wish.wanted.has(recorded)) {
      throw new Violation(
        'count fidelity',
        `${refOf(object)} sleeps with a record of ${recorded}, its owner wants ${[...wish.wanted]}`,
      );
    }
  }
}

/** Without what is on its way out. */
function living(world: SimWorld): readonly KubeObject[] {
  return world.workloads().filter(({ metadata }) => {
    const home = world.store.get('namespaces', undefined, metadata.namespace ?? '');
    return (
      metadata.deletionTimestamp === undefined && home !== undefined && home.metadata.deletionTimestamp === undefined
    );
  });
}
