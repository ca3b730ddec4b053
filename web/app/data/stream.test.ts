import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/contract/contract.ts';
import { listen, type StreamHandlers } from './stream.ts';

interface Asked {
  readonly lastEventId: string | undefined;
}

/** Answers each connection with the next of the scripts, and stops the listener after the last. */
async function run(scripts: readonly (readonly string[] | ApiError)[]) {
  const asked: Asked[] = [];
  const events: [string, unknown][] = [];
  const waits: number[] = [];
  const connected: boolean[] = [];
  const record = (name: string) => (payload: unknown) => void events.push([name, payload]);
  const handlers: StreamHandlers = {
    'stand-down-update': record('stand-down-update'),
    transition: record('transition'),
    audit: record('audit'),
    plan: record('plan'),
    status: record('status'),
  };
  await new Promise<void>((resolve) => {
    const stop = listen({
      client: {
        raw: async (_id, input) => {
          asked.push({ lastEventId: input?.headers?.['last-event-id'] });
          const script = scripts[asked.length - 1];
          if (script instanceof ApiError) throw script;
          return new Response(script?.join('') ?? '');
        },
      },
      handlers,
      onConnected: (is) => connected.push(is),
      onAlive: () => undefined,
      after: () => () => undefined,
      wait: async (ms) => {
        waits.push(ms);
        if (asked.length < scripts.length) return;
        stop();
        resolve();
      },
    });
  });
  return { asked, events, waits, connected };
}

describe('the stream of events', () => {
  it('delivers each event by its name', async () => {
    const { events, connected } = await run([
      [
        'id: r-1\nevent: stand-down-update\nda',
        'ta: {"standDown":null}\n\n',
        ': alive\n\n',
        'event: status\ndata: {"a":1}\n\n',
      ],
    ]);
    expect(events).toEqual([
      ['stand-down-update', { standDown: null }],
      ['status', { a: 1 }],
    ]);
    expect(connected).toEqual([true, false]);
  });

  it('comes again with the id of the last event it saw', async () => {
    const { asked } = await run([['id: r-7\nevent: status\ndata: {}\n\n'], []]);
    expect(asked).toEqual([{ lastEventId: undefined }, { lastEventId: 'r-7' }]);
  });

  it('waits longer after each failure, and short again after an event', async () => {
    const broken = new ApiError(502, {}, null);
    const { waits } = await run([broken, broken, broken, ['event: status\ndata: {}\n\n']]);
    expect(waits).toEqual([1000, 2000, 4000, 1000]);
  });

  it('waits as long as the server asks', async () => {
    const { waits } = await run([new ApiError(429, { code: 'rate_limited', message: 'Too many.' }, '30')]);
    expect(waits).toEqual([30_000]);
  });

  it('leaves out what it does not know and what is no JSON', async () => {
    const { events } = await run([
      ['event: later\ndata: {}\n\nevent: plan\ndata: {\n\nevent: plan\ndata: {"b":2}\n\n'],
    ]);
    expect(events).toEqual([['plan', { b: 2 }]]);
  });

  it('gives a connection up that has been silent for two heartbeats, and comes again', async () => {
    const connected: boolean[] = [];
    let timers = new Map<() => void, number>();
    const asked = Promise.withResolvers<AbortSignal>();
    const again = Promise.withResolvers<void>();
    const ignore = () => undefined;
    const stop = listen({
      client: {
        raw: async (_id, input) => {
          asked.resolve(input!.signal!);
          const body = new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('retry: 3000\n\n'));
              input!.signal!.addEventListener('abort', () => controller.error(input!.signal!.reason));
            },
          });
          return new Response(body);
        },
      },
      handlers: { 'stand-down-update': ignore, transition: ignore, audit: ignore, plan: ignore, status: ignore },
      onConnected: (is) => connected.push(is),
      onAlive: ignore,
      wait: async () => {
        stop();
        again.resolve();
      },
      after: (ms, run) => {
        timers = new Map([[run, ms]]);
        return () => timers.delete(run);
      },
    });
    await asked.promise;
    const [[run, ms] = []] = timers;
    expect(ms).toBe(32_000);
    run?.();
    await again.promise;
    expect(connected).toEqual([true, false]);
    expect(timers.size).toBe(0);
  });
});
