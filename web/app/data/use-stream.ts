import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { afterMs, listen, waitFor } from './stream.ts';
import { streamHandlers } from './stream-handlers.ts';

/** Keeps what is on screen in step with the stream; true while the stream is open. */
export function useStream(enabled: boolean): boolean {
  const client = useClient();
  const cache = useQueryClient();
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    if (!enabled) return undefined;
    const start = () =>
      listen({
        client,
        wait: waitFor,
        after: afterMs,
        onConnected: setConnected,
        handlers: streamHandlers(cache),
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
