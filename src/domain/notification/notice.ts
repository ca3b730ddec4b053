import type { EpochMs } from '../workload.ts';
import type { EventKey } from './event-keys.ts';

/** Something that people may want to hear of. Composed once; every channel renders the same words. */
export interface Notice {
  /** The same for every delivery of the same event, so that a retried one is recognised. */
  readonly id: string;
  readonly key: EventKey;
  readonly at: EpochMs;
  readonly title: string;
  readonly colour: 'green' | 'red' | 'amber' | 'blue';
  readonly text?: string;
  readonly facts?: readonly { readonly name: string; readonly value: string }[];
  /** One sentence a workload; never cut. */
  readonly casualties?: readonly string[];
  /** One sentence a workload; a card shows the first three. */
  readonly recoveries?: readonly string[];
  /** Besides the event's own priority: a degraded wake reaches whoever takes high-priority events. */
  readonly alsoHigh?: boolean;
}
