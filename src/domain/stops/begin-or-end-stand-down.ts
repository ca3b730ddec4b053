import type { EpochMs } from '../workload.ts';
import { configurationActor } from './actor-names.ts';
import {
  isStoodDown,
  type StandDownChange,
  type StandDownSource,
  type StandDownState,
  type StandDownSummary,
  standDownSummary,
} from './stand-down-state.ts';

export type StandDownTrigger =
  /** `POST /api/v1/stand-down`; the reason has been checked. */
  | { readonly type: 'admin-stands-down'; readonly actor: string; readonly reason?: string }
  /** `DELETE /api/v1/stand-down`. */
  | { readonly type: 'admin-ends'; readonly actor: string }
  /** The controller has seen this value of `config.global.enabled`. */
  | { readonly type: 'configuration-seen'; readonly enabled: boolean }
  /** The controller found everything back. */
  | { readonly type: 'handback-finished' }
  /** The controller found something of ours down after that. */
  | { readonly type: 'found-down' };

export interface StandDownRefusal {
  readonly status: 409;
  readonly code: 'already_stood_down' | 'not_stood_down' | 'stand_down_by_configuration';
  readonly message: string;
}

export interface StandDownContext {
  readonly at: EpochMs;
  /** Names the change, so that whoever hears of it twice can tell. */
  readonly changeId: string;
}

export interface StandDownStep {
  readonly state: StandDownState;
  readonly refusal?: StandDownRefusal;
  /** The payload of `stand-down-update`; absent when the summary did not change. */
  readonly update?: { readonly standDown: StandDownSummary | null };
}

export function stepStandDown(
  state: StandDownState,
  trigger: StandDownTrigger,
  context: StandDownContext,
): StandDownStep {
  switch (trigger.type) {
    case 'admin-stands-down':
      if (state.admin !== undefined) return refuse(state, 'already_stood_down');
      return began(state, { source: 'admin', actor: trigger.actor, reason: trigger.reason }, context);
    case 'admin-ends':
      if (state.admin !== undefined) return endedBy(state, 'admin', trigger.actor, context);
      return refuse(state, state.configuration === undefined ? 'not_stood_down' : 'stand_down_by_configuration');
    case 'configuration-seen':
      if (trigger.enabled === (state.configuration === undefined)) return { state };
      return trigger.enabled
        ? endedBy(state, 'configuration', configurationActor, context)
        : began(state, { source: 'configuration', actor: configurationActor, reason: undefined }, context);
    case 'handback-finished':
      return handback(state, true);
    case 'found-down':
      return handback(state, false);
  }
}

/** Finished, or open again because something was found down after all. */
function handback(state: StandDownState, handbackDone: boolean): StandDownStep {
  if (!isStoodDown(state) || state.handbackDone === handbackDone) return { state };
  return withUpdate(state, { ...state, handbackDone });
}

/** Once the pass after the end has decided, nobody needs to know any more who ended it. */
export function endSettled({ ended: _, ...state }: StandDownState): StandDownState {
  return state;
}

function began(
  state: StandDownState,
  {
    source,
    actor,
    reason,
  }: { readonly source: StandDownSource; readonly actor: string; readonly reason: string | undefined },
  { at, changeId }: StandDownContext,
): StandDownStep {
  const given = reason === undefined ? {} : { reason };
  const change: StandDownChange = { id: changeId, act: 'stood-down', source, actor, at, ...given };
  const held = source === 'admin' ? { admin: { actor, at, ...given } } : { configuration: { at } };
  const next = endSettled({
    ...state,
    ...held,
    // A second source finds everything handed back already, or a handback that goes on.
    handbackDone: isStoodDown(state) && state.handbackDone,
    unannounced: [...state.unannounced, change],
  });
  return withUpdate(state, next);
}

function endedBy(
  state: StandDownState,
  source: StandDownSource,
  actor: string,
  { at, changeId }: StandDownContext,
): StandDownStep {
  const change: StandDownChange = { id: changeId, act: 'ended', source, actor, at };
  const { admin, configuration, ...rest } = state;
  const other = source === 'admin' ? configuration && { configuration } : admin && { admin };
  const unannounced = [...state.unannounced, change];
  const next: StandDownState =
    other === undefined
      ? { ...rest, handbackDone: false, ended: { actor, at }, unannounced }
      : { ...rest, ...other, unannounced };
  return withUpdate(state, next);
}

export function sourcesOf(state: StandDownState): readonly StandDownSource[] {
  return [
    ...(state.admin === undefined ? [] : (['admin'] as const)),
    ...(state.configuration === undefined ? [] : (['configuration'] as const)),
  ];
}

const refusals: Record<StandDownRefusal['code'], string> = {
  already_stood_down: 'An admin has already stood the service down.',
  not_stood_down: 'The service is not stood down.',
  stand_down_by_configuration:
    'The configuration holds the stand-down: only setting config.global.enabled to true ends it.',
};

function refuse(state: StandDownState, code: StandDownRefusal['code']): StandDownStep {
  return { state, refusal: { status: 409, code, message: refusals[code] } };
}

function withUpdate(before: StandDownState, state: StandDownState): StandDownStep {
  const standDown = standDownSummary(state);
  const same = JSON.stringify(standDownSummary(before)) === JSON.stringify(standDown);
  return same ? { state } : { state, update: { standDown } };
}
