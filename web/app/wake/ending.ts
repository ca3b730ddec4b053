import type { TransitionFrame } from '../data/transition.ts';

/** `told`: the controller sent its last frame. `untold`: it is over, and its last frame did not come here. */
export type Over = 'no' | 'told' | 'untold';

export interface RunningNow {
  /** Id of the transition that the status knows of; null for none. */
  readonly runningId: string | null;
  readonly statusAt: number;
  readonly frameAt: number;
}

/** A status that is older than the frame says nothing about it: the first frame may be here before the status is. */
export function overOf({ progress }: TransitionFrame, { runningId, statusAt, frameAt }: RunningNow): Over {
  if (progress.endedAt !== undefined) return 'told';
  return runningId !== progress.id && statusAt > frameAt ? 'untold' : 'no';
}

/** Why a transition ended before its time, in a sentence; undefined for one that ran its course or still runs. */
export function cutShort(frame: TransitionFrame, over: Over): string | undefined {
  const what = frame.kind === 'wake' ? 'wake' : 'hibernation';
  if (over === 'untold') return `This ${what} is over. How it ended was not told here; the activity has it.`;
  switch (frame.progress.endedBy) {
    case 'superseded':
      return 'Superseded: a hibernation started during the wake.';
    case 'not_observed':
      return 'Not observed: the controller restarted, and the cluster no longer headed where the wake was driving it.';
    case 'stopped':
      return 'Stopped: the cluster was wanted up again before everything slept.';
    default:
      return undefined;
  }
}
