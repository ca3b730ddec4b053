import type { CompiledSchedule } from '../schedule/compile.ts';
import { stateText } from '../schedule/wording.ts';
import type { WorkloadSelector } from '../targeting/workload-selector.ts';
import type { EpochMs } from '../workload.ts';
import { type Acts, type Choice, choose } from './choice.ts';
import type { Reason } from './reason.ts';
import { type StopCause, type StopInput, stopOf } from './stops.ts';

/**
 * `license` is null until the first check. `handbackDone` is whether everything that the service took down has been
 * given back since the stop began; it is looked at only while one holds.
 */
export interface DesiredInput extends Acts, StopInput {
  readonly now: EpochMs;
  /** With its overrides and the holidays acted on compiled in. */
  readonly schedule: CompiledSchedule;
  readonly dryRun: boolean;
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
  readonly keepAwake: readonly WorkloadSelector[];
  /** `awake` only because another cluster asked: what such a request must never wake still sleeps. */
  readonly external: boolean;
  /** What holds a stop, as `409 stood_down` lists it. */
  readonly causes: readonly StopCause[];
}

/**
 * What the cluster should be, and why. A stop (stand-down, licence) comes before everything; then what people did, what
 * dependent clusters asked for, and the schedule (see `choose`).
 */
export function desiredState(input: DesiredInput): DesiredState {
  const stop = stopOf(input);
  if (stop !== undefined) return { ...stop, keepAwake: [], external: false };
  const choice = choose(input.schedule, input, input.now);
  const { changesAt, flipsAt } = follow(input, choice);
  const state = stateText(input.schedule, choice.awake ? 'Awake' : 'Hibernated', input.now, flipsAt);
  const text = `${state}: ${choice.cause}`;
  return {
    wanted: choice.awake ? 'awake' : 'hibernated',
    acting: !input.dryRun,
    reason: { code: choice.code, text, ...(choice.actor === undefined ? {} : { actor: choice.actor }) },
    ...(changesAt === undefined ? {} : { nextChangeAt: changesAt }),
    keepAwake: choice.keepAwake,
    external: choice.external,
    causes: [],
  };
}

/** Goes from the end of one choice to the next: when anything wanted changes, and when the cluster goes up or down. */
function follow(input: DesiredInput, first: Choice): { changesAt?: EpochMs; flipsAt?: EpochMs } {
  let changesAt: EpochMs | undefined;
  let choice = first;
  let at = input.now;
  // Each choice ends after it began; the comparison makes sure that no input can turn this into an endless loop.
  while (choice.holdsUntil !== undefined && choice.holdsUntil > at) {
    at = choice.holdsUntil;
    choice = choose(input.schedule, input, at);
    if (choice.awake !== first.awake) return { changesAt: changesAt ?? at, flipsAt: at };
    if (wantsOther(choice, first)) changesAt ??= at;
  }
  return changesAt === undefined ? {} : { changesAt };
}

/** Sessions only end by themselves, so fewer resources kept up is the one way in which they can differ. */
function wantsOther(choice: Choice, first: Choice): boolean {
  return choice.external !== first.external || choice.keepAwake.length !== first.keepAwake.length;
}
