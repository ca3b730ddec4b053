import { Fence } from '../../src/controller/act/fence.ts';
import { AnnouncementDelivery } from '../../src/controller/announcements/delivery.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { StateSession } from '../../src/state/session/state-session.ts';
import type { StateStore, StoredState } from '../../src/state/state-store.ts';
import { RecordingLogger } from './recording-logger.ts';

/** A state in memory that takes every write, or refuses every one; with what is needed to tell of an act stored in it. */
export async function announcingState(
  clock: Clock,
  data: Readonly<Record<string, string>>,
  answer: 'takes writes' | 'refuses writes' = 'takes writes',
) {
  let stored: StoredState = { data, resourceVersion: '1' };
  const store: StateStore = {
    read: async () => stored,
    async write(_base, changes) {
      if (answer === 'refuses writes') return { outcome: 'refused', status: 403, message: 'svc-state is forbidden' };
      const all = Object.entries({ ...stored.data, ...changes }).filter(([, value]) => value !== undefined);
      stored = { data: Object.fromEntries(all) as Record<string, string>, resourceVersion: '2' };
      return { outcome: 'done', state: stored };
    },
    onChange: () => () => {},
  };
  const logger = new RecordingLogger();
  const delivery = new AnnouncementDelivery(
    {
      clock,
      logger,
      audit: { append: async () => {} },
      events: { emit: async () => 'written' },
      notifier: { notify: async () => {}, condition() {} },
      frames: { send() {} },
    },
    () => {},
  );
  const session = await StateSession.open(store);
  const state = { version: async () => stored.resourceVersion };
  const { signal } = new AbortController();
  return { logger, delivery, session, fence: new Fence({ state, session, clock, signal, until: undefined }) };
}
