import type { TransportResponse } from '../../../ports/transport.ts';
import { ByteQueue } from '../json/byte-queue.ts';
import { type EventHead, modifiedHead } from '../json/event-head.ts';
import { parseObject } from '../json/json-text.ts';
import type { KubeObject } from './resource-type.ts';
import { statusErrorOfEvent } from './status-answer.ts';

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/** A change that is known already: what it led to was the answer to a write. */
export interface KnownEvent<R> {
  readonly type: 'KNOWN';
  readonly head: EventHead;
  readonly value: R;
}

/** What is known of an object in that version, if anything is. */
export type Answered<R> = (head: EventHead) => R | undefined;

const newline = 0x0a;
const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * The events of a watch, one JSON text a line. An ERROR event ends it by throwing the cluster's own error. Where `answered` knows
 * the object as it is now, the text is read no further than to its version.
 */
export async function* watchEvents<T, R>(
  body: TransportResponse['body'],
  answered: Answered<R> | undefined,
): AsyncGenerator<WatchEvent<T> | KnownEvent<R>, void, void> {
  const queue = new ByteQueue();
  for await (const piece of body) {
    queue.append(piece);
    for (;;) {
      const bytes = queue.bytes;
      const end = bytes.indexOf(newline);
      if (end === -1) break;
      const event = end === 0 ? undefined : eventIn<T, R>(bytes.subarray(0, end), answered);
      queue.drop(end + 1);
      if (event !== undefined) yield event;
    }
  }
}

function eventIn<T, R>(line: Buffer, answered: Answered<R> | undefined): WatchEvent<T> | KnownEvent<R> {
  const head = answered === undefined ? undefined : modifiedHead(line);
  const value = head === undefined ? undefined : answered?.(head);
  if (head !== undefined && value !== undefined) return { type: 'KNOWN', head, value };
  const event = parseObject(line, 'event') as { type: string; object: T };
  if (event.type === 'ERROR') throw statusErrorOfEvent(event.object);
  return event as WatchEvent<T>;
}

/** True for the bookmark that ends a streaming list. */
export function endsInitialEvents(event: WatchEvent<KubeObject>): boolean {
  return event.type === 'BOOKMARK' && event.object.metadata?.annotations?.[initialEventsEnd] === 'true';
}
