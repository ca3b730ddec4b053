// A wake's end in words: the message of the Kubernetes event, and why a workload has no answer.

import type { StillStartingCause, WakeEnding } from './ending.ts';
import { recoveredClause } from './verdict/recovery.ts';
import { counted } from './verdict/span.ts';

/** `Wake Complete - 1 workload failed, 2 workloads recovered`; `Wake Complete, 1 workload still starting`. */
export function wakeEventMessage(ending: WakeEnding): string {
  const starting = ending.stillStarting.length;
  const redirected = ending.redirected.length;
  const clauses = [
    recoveredClause(ending.recovered.length),
    starting === 0 ? undefined : `${counted(starting, 'workload')} still starting`,
    redirected === 0 ? undefined : `${counted(redirected, 'service')} still on a satellite`,
  ];
  return [ending.title, ...clauses.filter((clause) => clause !== undefined)].join(', ');
}

/** How the activity log and the UI say why a workload has no answer. */
export function stillStartingWords(cause: StillStartingCause): string {
  switch (cause) {
    case 'fail_open':
      return 'was still starting when the wake reached its overall limit';
    case 'walked_past':
      return 'was still starting when its tier was released without waiting for it';
    case 'superseded':
      return 'was still starting when a hibernation began';
    case 'not_observed':
      return 'was not observed to the end: the controller restarted and the cluster was no longer being woken';
  }
}
