import { type Choice, choose, liveActs } from '../domain/desired/choice.ts';
import { type ActingState, actsOf, type DesiredState, desiredState } from '../domain/desired/desired-state.ts';
import type { LicenseGate } from '../domain/desired/hand-back-or-nothing.ts';
import type { ManagedState } from '../domain/desired/managed-state.ts';
import type { CompiledSchedule } from '../domain/schedule/compile.ts';
import type { EpochMs } from '../domain/workload.ts';
import { autoscalerProtection } from '../state/autoscaler-protection.ts';
import type { StateCodec } from '../state/codec/codec.ts';
import { databaseStates } from '../state/database-states.ts';
import { externalWakeSessions } from '../state/external-wake-sessions.ts';
import { manualHibernation } from '../state/intents/manual-hibernation.ts';
import { scheduleOverrides } from '../state/intents/schedule-overrides.ts';
import { wakeOverride } from '../state/intents/wake-override.ts';
import { phase } from '../state/phase.ts';
import { resourceStates } from '../state/resource-states.ts';
import { satellites } from '../state/satellites.ts';
import type { StateSnapshot } from '../state/snapshot.ts';
import { standDown } from '../state/stand-down.ts';
import { transitionEnvelope } from '../state/transition.ts';
import type { CompiledConfig } from './compiled-config.ts';
import { undecodable } from './undecodable.ts';

/** Reads one key of `svc-state`. Who reads decides what a value that cannot be decoded means: a refusal, or an empty one. */
export type StateReader = <T>(codec: StateCodec<T>) => T;

/** The state as far as it says what the cluster should be. */
export type DecidingState = ReturnType<typeof decidingState>;

/** The keys are asked for in the order in which a refusal should name them when several are spoilt. */
export function decidingState(snapshot: StateSnapshot, value: StateReader) {
  return {
    wakeOverride: value(wakeOverride),
    standDown: value(standDown),
    manualHibernation: value(manualHibernation),
    phase: value(phase),
    externalSessions: value(externalWakeSessions),
    scheduleOverrides: value(scheduleOverrides),
    records: taken(snapshot, resourceStates),
    transition: taken(snapshot, transitionEnvelope),
    satellites: taken(snapshot, satellites),
    databases: taken(snapshot, databaseStates),
    autoscalerProtection: taken(snapshot, autoscalerProtection),
    undecodable: undecodable(snapshot),
  } satisfies ManagedState & Record<string, unknown>;
}

function taken<T>(snapshot: StateSnapshot, codec: StateCodec<T>): T | 'unreadable' {
  const decoded = snapshot.read(codec);
  return decoded.ok ? decoded.value : 'unreadable';
}

/** What the cluster should be, and why: the one place where controller, api and command line ask it. */
export function desiredNow(
  state: DecidingState,
  compiled: CompiledConfig,
  license: LicenseGate | null,
  now: EpochMs,
): DesiredState {
  const schedule = compiled.schedule(state.scheduleOverrides);
  return desiredState({ now, schedule, dryRun: compiled.config.operations.dryRun, license, state });
}

/** What will be chosen at an instant if nobody does anything until then; a stop is not asked for. */
export function chosenAt(state: ActingState, schedule: CompiledSchedule, at: EpochMs): Choice {
  return choose(schedule, actsOf(state), at);
}

/** The same if no person had done anything: what a resumed schedule leads to. */
export function unactedAt({ externalSessions }: DecidingState, schedule: CompiledSchedule, at: EpochMs): Choice {
  return choose(schedule, { externalSessions }, at);
}

/** The act of a person that counts at an instant. */
export function countingActs(state: DecidingState, schedule: CompiledSchedule, at: EpochMs) {
  return liveActs(schedule, actsOf(state), at);
}
