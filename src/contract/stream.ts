import type { Static } from 'typebox';
import type { AnswerOf } from './operations.ts';
import type { auditEntry } from './schemas/records.ts';
import type { standDownAnswer } from './schemas/status.ts';
import type { transitionFrame } from './schemas/transition.ts';

/** What `GET /api/v1/events` carries, by the name of the event; `data` is the JSON of the payload. */
export interface StreamEvents {
  /** The stand-down summary, whenever it changes. */
  readonly 'stand-down-update': Static<typeof standDownAnswer>;
  /** Progress of the running wake or hibernation, as the controller tells it. */
  readonly transition: Static<typeof transitionFrame>;
  /** An entry that was just written. */
  readonly audit: Static<typeof auditEntry>;
  /** What a dry run would do. */
  readonly plan: Readonly<Record<string, unknown>>;
  /** The status, whenever what it says changes. */
  readonly status: AnswerOf<'hibernationStatus'>;
}

export type StreamEventName = keyof StreamEvents;

export const streamEventNames: readonly StreamEventName[] = [
  'stand-down-update',
  'transition',
  'audit',
  'plan',
  'status',
];

/** Sent to a client that connects, so that it need not ask: the last of each, but for what is only news. */
export const replayedEvents: readonly StreamEventName[] = ['stand-down-update', 'transition', 'plan', 'status'];

export const heartbeatMs = 15_000;
