// The reason so far: what a workload without a verdict is waiting for, in the words its verdict would use.

import type { FailureReason } from './verdict/failure-sentence.ts';
import { spanAdjective, spanWords } from './verdict/span.ts';
import type { Standing } from './verdict/standing.ts';

export function soFarWords(reason: FailureReason): string {
  switch (reason.code) {
    case 'unschedulable':
      return 'is Unschedulable';
    case 'pending_no_node':
      return 'is Pending with no node';
    case 'init_not_finished':
      return 'its init containers have not finished';
    case 'still_pulling':
      return 'is pulling its image';
    case 'pull_failed':
      return 'cannot pull its image';
    case 'container_refused':
      return `cannot create its container (${reason.detail ?? 'no reason given'})`;
    case 'invalid_image_reference':
      return 'its image reference is not a valid reference';
    case 'image_never_pull':
      return 'its image is not on the node and its pull policy forbids fetching it';
    case 'unreadable':
      return 'cannot be read';
    default:
      return 'has not started every replica';
  }
}

export function startingWords({ budget, restarts }: Standing): string {
  const limit =
    budget.kind === 'declared'
      ? `its declared ${spanWords(budget.ms)}`
      : budget.kind === 'cap'
        ? `the ${spanAdjective(budget.ms)} cap`
        : `the default ${spanWords(budget.ms)}`;
  return restarts === 0 ? `is starting within ${limit}` : `is starting within ${limit}, restarted once`;
}
