import { type StandDownTrigger, stepStandDown } from '../../../src/domain/stops/begin-or-end-stand-down.ts';
import { externalWakeSessions, type WakeTarget } from '../../../src/state/external-wake-sessions.ts';
import { manualHibernation } from '../../../src/state/intents/manual-hibernation.ts';
import { wakeOverride } from '../../../src/state/intents/wake-override.ts';
import { decideAndWrite } from '../../../src/state/session/decide-and-write.ts';
import {
  StateConflict,
  StateFull,
  StateUndecodable,
  StateUnwritable,
} from '../../../src/state/session/state-errors.ts';
import { StateSession } from '../../../src/state/session/state-session.ts';
import { type StateEdit, type StateSnapshot, set } from '../../../src/state/snapshot.ts';
import { standDown } from '../../../src/state/stand-down.ts';
import type { SimWorld } from '../world/sim-world.ts';

// What the api writes into the state, through the same session.

/** The intent is decided on the state as it was read; false when it could not be read or decoded, or was refused. */
async function intend(
  world: SimWorld,
  edits: (state: StateSnapshot) => readonly StateEdit[] | undefined,
): Promise<boolean> {
  try {
    const { written } = await decideAndWrite(
      () => StateSession.open(world.apiState),
      (snapshot) => ({ edits: edits(snapshot) ?? [], answer: undefined, room: 'reserve' }),
      { tries: 5, pause: async () => {} },
    );
    return written;
  } catch (error) {
    const expected = [StateConflict, StateFull, StateUndecodable, StateUnwritable].some((one) => error instanceof one);
    if (expected) return false;
    throw error;
  }
}

function isStopped(snapshot: StateSnapshot): boolean {
  const stood = snapshot.read(standDown);
  return !stood.ok || stood.value.admin !== undefined || stood.value.configuration !== undefined;
}

export function standDownIntent(world: SimWorld, trigger: StandDownTrigger): Promise<boolean> {
  return intend(world, (snapshot) => {
    const current = snapshot.read(standDown);
    if (!current.ok) return undefined;
    const at = world.clock.now();
    const step = stepStandDown(current.value, trigger, {
      at,
      changeId: `api-${trigger.type}-${at}`,
    });
    return step.refusal === undefined ? [set(standDown, step.state)] : undefined;
  });
}

export function wakeIntent(world: SimWorld, by: string, forMs: number): Promise<boolean> {
  return intend(world, (snapshot) => {
    const at = world.clock.now();
    return isStopped(snapshot) ? undefined : [set(wakeOverride, { by, at, until: at + forMs })];
  });
}

export function hibernateIntent(world: SimWorld, by: string, forMs?: number): Promise<boolean> {
  return intend(world, (snapshot) => {
    const at = world.clock.now();
    const until = forMs === undefined ? {} : { until: at + forMs };
    return isStopped(snapshot) ? undefined : [set(manualHibernation, { by, at, ...until })];
  });
}

export function resumeIntent(world: SimWorld): Promise<boolean> {
  return intend(world, (snapshot) =>
    isStopped(snapshot) ? undefined : [set(manualHibernation, null), set(wakeOverride, null)],
  );
}

/** Another cluster needs these resources, or all of this cluster; asking again for the same renews. */
export function externalWakeIntent(
  world: SimWorld,
  cluster: string,
  resources: readonly WakeTarget[],
  forMs: number,
): Promise<boolean> {
  return intend(world, (snapshot) => {
    const current = snapshot.read(externalWakeSessions);
    if (!current.ok) return undefined;
    const at = world.clock.now();
    const same = current.value.find((one) => JSON.stringify(one.resources) === JSON.stringify(resources));
    const session = same ?? { id: `${cluster}-${at}`, cluster, resources, startedAt: at };
    const others = current.value.filter(({ id }) => id !== session.id);
    return [set(externalWakeSessions, [...others, { ...session, expiresAt: at + forMs }])];
  });
}
