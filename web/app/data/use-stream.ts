import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { keys } from './keys.ts';
import type { Status } from './queries.ts';
import { afterMs, listen, waitFor } from './stream.ts';
import { followed, readTransition, type ShownTransition } from './transition.ts';

/** Keeps what is on screen in step with the stream; true while the stream is open. */
export function useStream(enabled: boolean): boolean {
  const client = useClient();
  const cache = useQueryClient();
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    if (!enabled) return undefined;
    const refresh = (...names: readonly string[]) => {
      for (const name of names) void cache.invalidateQueries({ queryKey: [name] });
    };
    const start = () =>
      listen({
        client,
        wait: waitFor,
        after: afterMs,
        onConnected: setConnected,
        handlers: {
          status(status) {
            cache.setQueryData(keys.status, status);
            refresh('schedule', 'stats', 'databases', 'satellites');
          },
          'stand-down-update'({ standDown }) {
            // What was read before the state became unreadable is no status to build on.
            const readable = cache.getQueryState(keys.status)?.status === 'success';
            if (readable) cache.setQueryData<Status>(keys.status, (before) => before && { ...before, standDown });
            refresh('status', 'schedule');
          },
          transition(payload) {
            const frame = readTransition(payload);
            if (frame === undefined) return;
            cache.setQueryData<ShownTransition | null>(keys.transition, (shown) => followed(shown, frame));
          },
          audit: () => refresh('audit', 'status', 'sessions'),
          plan: (plan) => void cache.setQueryData(keys.plan, plan),
        },
      });
    let stop = start();
    // A browser that knows that it is offline need not wait for silence, nor for the next try once it is back.
    const offline = () => {
      stop();
      setConnected(false);
    };
    const online = () => {
      stop();
      stop = start();
    };
    addEventListener('offline', offline);
    addEventListener('online', online);
    return () => {
      stop();
      removeEventListener('offline', offline);
      removeEventListener('online', online);
    };
  }, [client, cache, enabled]);
  return connected;
}
