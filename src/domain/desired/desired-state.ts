import type { CompiledSchedule } from '../schedule/compile.ts';
import { stateText } from '../schedule/wording.ts';
import type { StopCause } from '../stops/refusal-causes.ts';
import { standDownSummary } from '../stops/stand-down-state.ts';
import type { EpochMs } from '../workload.ts';
import { type Acts, type Choice, choose, type KeptAwake } from './choice.ts';
import { type LicenseGate, stopOf } from './hand-back-or-nothing.ts';
import { isHandedBack, type ManagedState } from './managed-state.ts';
import type { Reason } from './reason.ts';

/** The plain facts. What follows from them is decided here alone, so that controller, api and command line agree. */
export interface DesiredInput {
  readonly now: EpochMs;
  /** With its overrides and the holidays acted on compiled in. */
  readonly schedule: CompiledSchedule;
  readonly dryRun: boolean;
  /** Null until the first check. */
  readonly license: LicenseGate | null;
  readonly state: ManagedState;
}

type Wanted = 'awake' | 'hibernated' | 'handback' | 'nothing';

export interface DesiredState {
  readonly wanted: Wanted;
  /** Whether the cluster may be changed to bring it about. */
  readonly acting: boolean;
  readonly reason: Reason;
  /** When something else will be wanted if nobody does anything; absent when never. */
  readonly nextChangeAt?: EpochMs;
  /** While `hibernated`: what external sessions keep up all the same. */
  readonly keepAwake: readonly KeptAwake[];
  /** `awake` only because another cluster asked: what such a request must never wake still sleeps. */
  readonly external: boolean;
  /** The keys of the state that cannot be decoded, and until whose repair the cluster is not moved. */
  readonly heldBy: readonly string[];
  /** What holds a stop, as `409 stood_down` lists it. */
  readonly causes: readonly StopCause[];
}

/**
 * What the cluster should be, and why. A stop (stand-down, license) comes before everything; then what people did, what
 * dependent clusters asked for, and the schedule (see `choose`).
 */
export function desiredState({ now, schedule, dryRun, license, state }: DesiredInput): DesiredState {
  const standDown = standDownSummary(state.standDown);
  const handbackDone = isHandedBack(state);
  const stop = stopOf({ license, handbackDone, ...(standDown === null ? {} : { standDown }) });
  if (stop !== undefined) return { ...stop, keepAwake: [], external: false, heldBy: [] };
  const acts = actsOf(state);
  const choice = choose(schedule, acts, now);
  const { changesAt, flipsAt } = follow(schedule, acts, now, choice);
  const text = `${stateText(schedule, choice.awake ? 'Awake' : 'Hibernated', now, flipsAt)}: ${choice.cause}`;
  const wanted = choice.awake ? 'awake' : 'hibernated';
  const heldBy = state.undecodable[wanted];
  const reason = { code: choice.code, text, ...(choice.actor === undefined ? {} : { actor: choice.actor }) };
  return {
    wanted,
    acting: !dryRun,
    reason: heldBy.length === 0 ? reason : held(heldBy, text),
    heldBy,
    ...(changesAt === undefined ? {} : { nextChangeAt: changesAt }),
    keepAwake: choice.keepAwake,
    external: choice.external,
    causes: [],
  };
}

/** What would be wanted is known only as far as the rest of the state tells. */
function held(keys: readonly string[], otherwise: string): Reason {
  const text = `Nothing is scaled while ${keys.join(', ')} cannot be decoded; otherwise: ${otherwise}`;
  return { code: 'state_undecodable', text };
}

export type ActingState = Pick<ManagedState, 'standDown' | 'wakeOverride' | 'manualHibernation' | 'externalSessions'>;

/** What people and other clusters asked for, by the state. */
export function actsOf({ standDown, wakeOverride, manualHibernation, externalSessions }: ActingState): Acts {
  return {
    externalSessions,
    ...(wakeOverride === null ? {} : { wakeOverride }),
    ...(manualHibernation === null ? {} : { manualHibernation }),
    ...(standDown.ended === undefined ? {} : { stopEndedAt: standDown.ended.at }),
  };
}

/** Goes from the end of one choice to the next: when anything wanted changes, and when the cluster goes up or down. */
function follow(
  schedule: CompiledSchedule,
  acts: Acts,
  now: EpochMs,
  first: Choice,
): { changesAt?: EpochMs; flipsAt?: EpochMs } {
  let changesAt: EpochMs | undefined;
  let choice = first;
  let at = now;
  // Each choice ends after it began; the comparison makes sure that no input can turn this into an endless loop.
  while (choice.holdsUntil !== undefined && choice.holdsUntil > at) {
    at = choice.holdsUntil;
    choice = choose(schedule, acts, at);
    if (choice.awake !== first.awake) return { changesAt: changesAt ?? at, flipsAt: at };
    if (wantsOther(choice, first)) changesAt ??= at;
  }
  return changesAt === undefined ? {} : { changesAt };
}

/** Sessions only end by themselves, so fewer resources kept up is the one way in which they can differ. */
function wantsOther(choice: Choice, first: Choice): boolean {
  return choice.external !== first.external || choice.keepAwake.length !== first.keepAwake.length;
}
