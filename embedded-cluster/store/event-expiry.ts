import type { Clock } from '../ports/clock.ts';
import type { MemoryStore } from './memory-store.ts';

const TIME_TO_LIVE_MS = 3_600_000;

/** Events go an hour after they were last written. Done when the next one comes, so that no timer is needed. */
export function expireEvents(store: MemoryStore, clock: Clock): () => void {
  // In the order of the last write: a rewritten event is moved to the end.
  const writtenAt = new Map<
    string,
    { readonly namespace: string | undefined; readonly name: string; readonly at: number }
  >();
  return store.onChange('events', ({ type, object }) => {
    const { namespace, name } = object.metadata;
    const key = `${namespace}/${name}`;
    writtenAt.delete(key);
    if (type === 'DELETED') return;
    writtenAt.set(key, { namespace, name, at: clock.monotonic() });
    for (const old of writtenAt.values()) {
      if (clock.monotonic() - old.at < TIME_TO_LIVE_MS) break;
      // A restored backup takes many away, and tells of one after the other.
      if (store.get('events', old.namespace, old.name) !== undefined) store.delete('events', old.namespace, old.name);
    }
  });
}
