// Which reason is told where several hold a workload up.

import type { FailureReason } from './failure-sentence.ts';

/** From what outranks everything down to what outranks nothing; the furthest from a started container comes first. */
const precedence = [
  'container_refused',
  'invalid_image_reference',
  'image_never_pull',
  'pull_failed',
  'unschedulable',
  'pending_no_node',
  'init_not_finished',
  'still_pulling',
  'replicas_not_started',
] as const;

/** The reason that outranks the others, whatever their order. */
export function furthest(reasons: readonly FailureReason[]): FailureReason | undefined {
  let first: FailureReason | undefined;
  for (const reason of reasons) if (first === undefined || outranks(reason, first)) first = reason;
  return first;
}

function outranks(a: FailureReason, b: FailureReason): boolean {
  const difference = rank(a) - rank(b);
  return difference !== 0 ? difference < 0 : (a.detail ?? '') < (b.detail ?? '');
}

function rank(reason: FailureReason): number {
  return precedence.indexOf(reason.code as (typeof precedence)[number]);
}
