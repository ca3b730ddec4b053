import type { EpochMs } from '../workload.ts';
import type { EventKey } from './event-keys.ts';

/** Something that people may want to hear of. Composed once; every channel renders the same words. */
export interface Notice {
  /**
   * The same for every delivery of the same event, so that a retried one is recognised. It may end in `-<at>`: what
   * stands before that then names what the notice is about, over all its occasions.
   */
  readonly id: string;
  readonly key: EventKey;
  readonly at: EpochMs;
  readonly title: string;
  readonly color: 'green' | 'red' | 'amber' | 'blue';
  readonly text?: string;
  readonly facts?: readonly { readonly name: string; readonly value: string }[];
  /** One sentence a workload; never cut. */
  readonly casualties?: readonly string[];
  /** One sentence a workload; a card shows the first three. */
  readonly recoveries?: readonly string[];
  /** Besides the event's own priority: a degraded wake reaches whoever takes high-priority events. */
  readonly alsoHigh?: boolean;
}

/** What a notice is about, whenever it is sent: repetitions and conditions are recognised by it. */
export function subjectOf({ id, key, at }: Notice): string {
  const occasion = `-${at}`;
  return `${key} ${id.endsWith(occasion) ? id.slice(0, -occasion.length) : id}`;
}
