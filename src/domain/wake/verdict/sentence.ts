// Sentences about one workload. A sentence starts with the workload; a reason that has a subject of its own (`its image …`,
// `svc could not …`) follows a colon, so that both kinds read as one sentence.

import { product } from '../../names.ts';
import type { WakeFigures } from '../figures.ts';
import { type FailureReason, reasonWords } from './reason.ts';

export function workloadSentence(workload: string, words: string): string {
  return `${workload}${hasOwnSubject(words) ? ':' : ''} ${words}`;
}

export function failureSentence(workload: string, reason: FailureReason, figures: WakeFigures): string {
  return workloadSentence(workload, reasonWords(reason, figures));
}

function hasOwnSubject(words: string): boolean {
  return words.startsWith('its ') || words.startsWith(`${product} `);
}
