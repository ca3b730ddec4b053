import { createParser } from 'eventsource-parser';
import {
  type ApiClient,
  ApiError,
  type StreamEventName,
  type StreamEvents,
  streamEventNames,
} from '../../../src/contract/contract.ts';
import { heartbeatMs } from '../../../src/contract/stream.ts';
import { NoAnswerInTime } from './time-limit.ts';

export type StreamHandlers = { readonly [Name in StreamEventName]: (payload: StreamEvents[Name]) => void };

/** Whom the stream tells what it hears. */
export interface StreamTold {
  readonly handlers: StreamHandlers;
  /** True while events arrive. */
  readonly onConnected: (connected: boolean) => void;
  /** Something came, if only a heartbeat. */
  readonly onAlive: () => void;
}

export interface StreamOptions extends StreamTold {
  readonly client: Pick<ApiClient, 'raw'>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Runs something later; what it returns cancels that. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Two heartbeats that did not come: whatever the connection looks like, nobody is behind it. */
export const silenceMs = 2 * heartbeatMs + 2_000;

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Listens until it is stopped. EventSource can carry no token, so the stream is read from fetch; after a break it comes
 * again with the id of the last event it saw, and the server sends what was missed.
 */
export function listen(options: StreamOptions): () => void {
  const stopped = new AbortController();
  void keepListening(options, stopped.signal);
  return () => stopped.abort();
}

async function keepListening(options: StreamOptions, signal: AbortSignal): Promise<void> {
  const place: { lastId: string | undefined } = { lastId: undefined };
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await listenOnce(options, place, signal, () => {
        retryMs = firstRetryMs;
      });
    } catch (error) {
      if (error instanceof ApiError && error.retryAfterSeconds !== undefined) retryMs = error.retryAfterSeconds * 1000;
    }
    options.onConnected(false);
    if (signal.aborted) return;
    await options.wait(retryMs, signal);
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  }
}

async function listenOnce(
  options: StreamOptions,
  place: { lastId: string | undefined },
  signal: AbortSignal,
  heard: () => void,
): Promise<void> {
  const silent = new AbortController();
  const watch = () => options.after(silenceMs, () => silent.abort(new NoAnswerInTime(silenceMs)));
  let cancel = watch();
  const alive = () => {
    cancel();
    cancel = watch();
    options.onAlive();
  };
  try {
    await read(options, place, AbortSignal.any([signal, silent.signal]), heard, alive);
  } finally {
    cancel();
  }
}

// biome-ignore lint/complexity/useMaxParams: a stream, what it reads and whom it tells.
async function read(
  { client, handlers, onConnected }: StreamOptions,
  place: { lastId: string | undefined },
  signal: AbortSignal,
  heard: () => void,
  alive: () => void,
): Promise<void> {
  const response = await client.raw('events', {
    signal,
    headers: {
      accept: 'text/event-stream',
      ...(place.lastId === undefined ? {} : { 'last-event-id': place.lastId }),
    },
  });
  if (response.body === null) return;
  onConnected(true);
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (id !== undefined) place.lastId = id;
      heard();
      deliver(handlers, event, data);
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    parser.feed(value);
  }
}

function deliver(handlers: StreamHandlers, event: string | undefined, data: string): void {
  const name = streamEventNames.find((one) => one === event);
  if (name === undefined) return;
  let payload: unknown;
  try {
    payload = JSON.parse(data);
  } catch {
    return;
  }
  (handlers[name] as (value: unknown) => void)(payload);
}

export function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
