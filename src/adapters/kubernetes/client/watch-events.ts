import type { TransportResponse } from '../../../ports/transport.ts';
import { ByteQueue } from '../json/byte-queue.ts';
import { parseObject } from '../json/json-text.ts';
import type { KubeObject } from './resource-type.ts';
import { statusErrorOfEvent } from './status-answer.ts';

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

const newline = 0x0a;
const initialEventsEnd = 'k8s.io/initial-events-end';

/** The events of a watch, one JSON text a line. An ERROR event ends it by throwing the cluster's own error. */
export async function* watchEvents<T>(body: TransportResponse['body']): AsyncGenerator<WatchEvent<T>, void, void> {
  const queue = new ByteQueue();
  for await (const piece of body) {
    queue.append(piece);
    for (;;) {
      const bytes = queue.bytes;
      const end = bytes.indexOf(newline);
      if (end === -1) break;
      const event =
        end === 0 ? undefined : (parseObject(bytes.subarray(0, end), 'event') as { type: string; object: T });
      queue.drop(end + 1);
      if (event === undefined) continue;
      if (event.type === 'ERROR') throw statusErrorOfEvent(event.object);
      yield event as WatchEvent<T>;
    }
  }
}

/** True for the bookmark that ends a streaming list. */
export function endsInitialEvents(event: WatchEvent<KubeObject>): boolean {
  return event.type === 'BOOKMARK' && event.object.metadata?.annotations?.[initialEventsEnd] === 'true';
}
