import { type EventKey, type EventKind, type EventPriority, eventKinds } from './event-keys.ts';
import type { Notice } from './notice.ts';

/** `events` of a destination, or of all of them: what is absent is taken. */
export type EventMap = { readonly [Name in EventKey | EventPriority]?: boolean } & {
  readonly confirmationWindowSeconds?: number;
};

export type Routing =
  | { readonly taken: true; readonly because: 'not refused' | 'degraded' }
  | { readonly taken: false; readonly because: EventKey | EventPriority };

/**
 * Taken unless the event's key or its priority is false; the destination's own map goes before the common one, key by
 * key. A degraded wake is taken by whoever takes high priority, unless its key is false, and that is additional: who leaves
 * high still takes it as the ordinary card that it is.
 */
export function routingOf(
  { key, alsoHigh }: Pick<Notice, 'key' | 'alsoHigh'>,
  own: EventMap,
  common: EventMap,
): Routing {
  const takes = (name: EventKey | EventPriority) => own[name] ?? common[name] ?? true;
  const kind: EventKind = eventKinds[key];
  const priority = alsoHigh === true ? (kind.ordinarily ?? kind.priority) : kind.priority;
  if (alsoHigh === true && takes(key) && takes('high')) return { taken: true, because: 'degraded' };
  const refused = [key, priority].find((name) => !takes(name));
  return refused === undefined ? { taken: true, because: 'not refused' } : { taken: false, because: refused };
}

/** How long a condition must hold before this destination hears of it. */
export function confirmationMs(own: EventMap, common: EventMap): number {
  return (own.confirmationWindowSeconds ?? common.confirmationWindowSeconds ?? 300) * 1000;
}

/** High above medium above low, for what has to give way in a full queue. */
export function rankOf({ key, alsoHigh }: Pick<Notice, 'key' | 'alsoHigh'>): number {
  return alsoHigh === true ? 2 : { high: 2, medium: 1, low: 0 }[eventKinds[key].priority];
}
