import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ApiClient } from '../../../src/contract/contract.ts';
import { useClient, useUser } from '../session/session-context.tsx';
import { pageBaseUrl } from './base-url.ts';
import { type Live, nextLive } from './live.ts';
import { whileVisible } from './own-stream.ts';
import { SharedStream } from './shared-stream.ts';
import { afterMs, listen, type StreamTold, waitFor } from './stream.ts';
import { askForMissed, streamHandlers } from './stream-handlers.ts';

/** Keeps what is on screen in step with the stream. */
export function useStream(): Live {
  const client = useClient();
  const cache = useQueryClient();
  const email = useUser()?.email;
  const [live, setLive] = useState<Live>({ connected: false, lostAt: 0 });
  useEffect(() => {
    const name = `svc-events ${pageBaseUrl()} ${email}`;
    const onConnected = (connected: boolean) => setLive((before) => nextLive(before, connected, Date.now()));
    return follow({ client, cache, name, onConnected });
  }, [client, cache, email]);
  return live;
}

interface Followed {
  readonly client: ApiClient;
  readonly cache: QueryClient;
  /** Of the service and the person: tabs of the same share one stream. */
  readonly name: string;
  readonly onConnected: (connected: boolean) => void;
}

function follow({ client, cache, name, onConnected }: Followed): () => void {
  const handlers = streamHandlers(cache);
  const open = (told: StreamTold) => listenOnline(client, told);
  // Neither is there for pages of an insecure address, whatever the types say.
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) {
    return whileVisible(document, () => open({ handlers, onConnected, onAlive: () => undefined }));
  }
  const shared = new SharedStream({
    name,
    locks: navigator.locks,
    channel: new BroadcastChannel(name),
    handlers,
    onConnected,
    onMissed: () => askForMissed(cache),
    open,
    after: afterMs,
    now: Date.now,
  });
  const seen = () => {
    if (!document.hidden) shared.ask();
  };
  document.addEventListener('visibilitychange', seen);
  return () => {
    document.removeEventListener('visibilitychange', seen);
    shared.stop();
  };
}

/** A browser that knows that it is offline need not wait for silence, nor for the next try once it is back. */
function listenOnline(client: ApiClient, told: StreamTold): () => void {
  const start = () => listen({ client, wait: waitFor, after: afterMs, ...told });
  let stop = start();
  const offline = () => {
    stop();
    told.onConnected(false);
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
}
