import { describe, expect, it } from 'vitest';
import { status } from '../../fixtures/status.ts';
import { keys } from './keys.ts';
import { makeQueryClient } from './query-client.ts';
import { streamHandlers } from './stream-handlers.ts';

/** The answers that are kept, and which of them an event had asked for again. */
function kept() {
  const cache = makeQueryClient();
  const answers = [keys.status, keys.schedule(7), keys.preview, keys.turns, keys.audit({ limit: '5' }), keys.sessions];
  for (const key of answers) cache.setQueryData<unknown>(key, key === keys.status ? status({}) : {});
  const stale = () =>
    cache
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated)
      .map(({ queryKey }) => queryKey);
  return { cache, stale, handlers: streamHandlers(cache) };
}

const standDown = {
  source: 'admin',
  actor: 'ada@example.com',
  at: '2026-11-03T11:00:00.000Z',
  configuration: false,
  handbackDone: false,
} as const;

describe('an event of the stream', () => {
  it('about the log has the log, the status and tonight asked for again', () => {
    const { handlers, stale } = kept();
    handlers.audit({} as Parameters<typeof handlers.audit>[0]);
    expect(stale()).toEqual([keys.status, keys.preview, keys.turns, keys.audit({ limit: '5' }), keys.sessions]);
  });

  it('with a status is the status, and has the plan and tonight asked for again', () => {
    const { handlers, stale, cache } = kept();
    handlers.status(status({ clusterName: 'other' }));
    expect(cache.getQueryData(keys.status)).toMatchObject({ clusterName: 'other' });
    expect(stale()).toEqual([keys.schedule(7), keys.preview]);
  });

  it('about a stand-down is shown at once, and has the rest asked for again', () => {
    const { handlers, stale, cache } = kept();
    handlers['stand-down-update']({ standDown });
    expect(cache.getQueryData(keys.status)).toMatchObject({ standDown });
    expect(stale()).toEqual([keys.status, keys.schedule(7), keys.preview]);
  });
});
