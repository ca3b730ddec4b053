// The fifteen reasons for which a wake stops waiting for a workload: a code for records and metrics, the words, and the
// sentence about one workload.

import { product } from '../../names.ts';
import type { WakeFigures } from './figures.ts';
import { spanAdjective, spanWords } from './span.ts';

/** Also the values of the metric label `reason`. */
export const reasonCodes = [
  'unschedulable',
  'pending_no_node',
  'init_not_finished',
  'still_pulling',
  'replicas_not_started',
  'pull_failed',
  'container_refused',
  'invalid_image_reference',
  'image_never_pull',
  'declared_budget',
  'default_budget',
  'budget_cap',
  'restarted_twice',
  'unreadable',
  'scale_refused',
] as const;

export type ReasonCode = (typeof reasonCodes)[number];

/** A reason as it is kept: what the words need beyond the code, and nothing else. */
export interface FailureReason {
  readonly code: ReasonCode;
  /** The budget that ran out, for `declared_budget` and `default_budget`. */
  readonly ms?: number;
  /** The kubelet's reason (`container_refused`) or the cluster's message (`scale_refused`). */
  readonly detail?: string;
}

/** The longest message of the cluster that is kept; thousands of refusals must still fit a ConfigMap. */
const longestDetail = 200;

/** The reason's words, without the workload. */
export function reasonWords(reason: FailureReason, figures: WakeFigures): string {
  const limit = spanWords(figures.phase1Ms);
  switch (reason.code) {
    case 'unschedulable':
      return `was still Unschedulable after ${limit}`;
    case 'pending_no_node':
      return `was still Pending with no node after ${limit}`;
    case 'init_not_finished':
      return `its init containers had not finished after ${limit}`;
    case 'still_pulling':
      return `was still pulling its image after ${limit}`;
    case 'replicas_not_started':
      return `had not started every replica after ${limit}`;
    case 'pull_failed':
      return `could not pull its image in ${limit}`;
    case 'container_refused':
      return `could not create its container (${reason.detail ?? 'no reason given'})`;
    case 'invalid_image_reference':
      return 'its image reference is not a valid reference';
    case 'image_never_pull':
      return 'its image is not on the node and its pull policy forbids fetching it';
    case 'declared_budget':
      return `did not finish starting within its declared ${spanWords(reason.ms ?? 0)}`;
    case 'default_budget':
      return `did not finish starting within the default ${spanWords(reason.ms ?? figures.settleTimeoutMs)}`;
    case 'budget_cap':
      return `did not finish starting within the ${spanAdjective(figures.budgetCapMs)} cap`;
    case 'restarted_twice':
      return 'restarted twice before it was ready';
    case 'unreadable':
      return 'could not be read';
    case 'scale_refused':
      return `svc could not scale it up: ${reason.detail ?? 'no message given'}`;
  }
}

/** The cluster's own message on one line, cut where a ConfigMap full of them would overflow. */
export function keptDetail(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  const points = [...line];
  return points.length <= longestDetail ? line : `${points.slice(0, longestDetail - 1).join('')}…`;
}

/**
 * A sentence starts with the workload; words that have a subject of their own (`its image …`, `svc could not …`) follow a
 * colon, so that both kinds read as one sentence.
 */
export function workloadSentence(workload: string, words: string): string {
  return `${workload}${hasOwnSubject(words) ? ':' : ''} ${words}`;
}

export function failureSentence(workload: string, reason: FailureReason, figures: WakeFigures): string {
  return workloadSentence(workload, reasonWords(reason, figures));
}

function hasOwnSubject(words: string): boolean {
  return words.startsWith('its ') || words.startsWith(`${product} `);
}
