import type { QueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import type { Status } from './queries.ts';
import type { StreamHandlers } from './stream.ts';
import { followed, readTransition, type ShownTransition } from './transition.ts';

/** Asked for again when events may have gone past; what the stream says anew to whoever comes is not. */
export function askForMissed(cache: QueryClient): void {
  for (const name of ['audit', 'status', 'schedule', 'sessions', 'preview', 'stats', 'databases', 'satellites'])
    void cache.invalidateQueries({ queryKey: [name] });
}

/** What each event of the stream makes of the answers that are kept: a new one, or asked for again. */
export function streamHandlers(cache: QueryClient): StreamHandlers {
  const refresh = (...names: readonly string[]) => {
    for (const name of names) void cache.invalidateQueries({ queryKey: [name] });
  };
  return {
    status(status) {
      cache.setQueryData(keys.status, status);
      refresh('schedule', 'stats', 'databases', 'satellites', 'preview');
    },
    'stand-down-update'({ standDown }) {
      // What was read before the state became unreadable is no status to build on.
      const readable = cache.getQueryState(keys.status)?.status === 'success';
      if (readable) cache.setQueryData<Status>(keys.status, (before) => before && { ...before, standDown });
      refresh('status', 'schedule', 'preview');
    },
    transition(payload) {
      const frame = readTransition(payload);
      if (frame === undefined) return;
      cache.setQueryData<ShownTransition | null>(keys.transition, (shown) => followed(shown, frame));
    },
    audit: () => refresh('audit', 'status', 'sessions', 'preview'),
    plan: (plan) => void cache.setQueryData(keys.plan, plan),
  };
}
