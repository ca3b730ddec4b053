import type { Trigger } from '../../domain/announcement/hibernation.ts';
import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { handbackActor, standDownActor } from '../../domain/stops/actor-names.ts';
import type { StandDownState } from '../../domain/stops/stand-down-state.ts';
import { endedBy } from '../stops/keep-stand-down.ts';

export interface TriggerInput {
  readonly stood: StandDownState;
  readonly desired: DesiredState;
  /** Whether the schedule's last edge fell into a time when no controller ran; asked only when the schedule is the cause. */
  readonly missedEdge: () => boolean;
}

/** In whose name a transition that starts now is recorded. */
export function triggerOf({ stood, desired, missedEdge }: TriggerInput): Trigger {
  const actor = standDownActor(stood);
  if (actor !== undefined) return { actor: handbackActor(actor), cause: 'stand-down' };
  if (desired.causes.includes('license')) return { actor: 'license', cause: 'license' };
  const ended = endedBy(stood);
  if (ended !== undefined) return { actor: ended, cause: 'stand-down ended' };
  const { code, actor: person } = desired.reason;
  if (person !== undefined) return { actor: person, cause: code };
  return { actor: 'schedule', cause: missedEdge() ? 'catch-up' : code };
}
