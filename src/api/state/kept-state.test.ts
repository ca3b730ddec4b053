import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { StateStore, StoredState } from '../../state/state-store.ts';
import { keptForMs, ManagedState } from './managed-state.ts';

/** Reading, and hearing of changes, is all that is asked of it here. */
function storeThat(read: () => Promise<StoredState>) {
  const listeners = new Set<() => void>();
  const store = {
    read,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // The rest of a store is for who writes.
  } as unknown as StateStore;
  return { store, changed: () => listeners.forEach((listener) => void listener()) };
}

describe('what is kept for who need not sign in', () => {
  it('is not replaced by a read that began earlier and ends later', async () => {
    const answers: ((state: StoredState) => void)[] = [];
    const read = () => new Promise<StoredState>((resolve) => answers.push(resolve));
    const state = new ManagedState(storeThat(read).store, new VirtualClock(0), silentLogger);
    const [slow, quick] = [state.read(), state.readNewest()];
    answers[1]!({ data: {}, resourceVersion: '2' });
    await quick;
    answers[0]!({ data: {}, resourceVersion: '1' });
    await slow;
    expect(state.kept().stored.resourceVersion).toBe('2');
  });

  it('is read again when it changed, and when it is old by the clock of watches', async () => {
    const clock = new VirtualClock(0);
    const upkeep = new VirtualClock(0);
    let reads = 0;
    const { store, changed } = storeThat(async () => ({ data: {}, resourceVersion: String(++reads) }));
    const stop = new ManagedState(store, clock, silentLogger).keepFresh(upkeep);
    await clock.advance(0);
    expect(reads).toBe(1);
    await clock.advance(10 * keptForMs);
    expect(reads).toBe(1);
    await upkeep.advance(keptForMs);
    expect(reads).toBe(2);
    for (let second = 0; second < 30; second++) {
      changed();
      await clock.advance(100);
    }
    expect(reads).toBe(5);
    await upkeep.advance(keptForMs - 1);
    expect(reads).toBe(5);
    stop();
    await upkeep.advance(keptForMs);
    expect(reads).toBe(5);
  });

  it.each([
    ['when somebody read it after it changed', 250],
    ['when it is old at that moment', keptForMs - 500],
  ])('is read again a second after a read that failed, %s', async (_, failsAt) => {
    const clock = new VirtualClock(0);
    let reads = 0;
    let fails = false;
    const { store, changed } = storeThat(async () => {
      reads++;
      if (fails) throw new Error('not now');
      return { data: {}, resourceVersion: String(reads) };
    });
    const state = new ManagedState(store, clock, silentLogger);
    const stop = state.keepFresh(clock);
    await clock.advance(0);
    if (failsAt < keptForMs / 2) changed();
    await clock.advance(failsAt);
    fails = true;
    await state.readNewest().catch(() => {});
    fails = false;
    await clock.advance(1_000);
    expect(state.kept().stored.resourceVersion).toBe('3');
    stop();
  });

  it('is read no more after the stop, whatever changes', async () => {
    const clock = new VirtualClock(0);
    let reads = 0;
    const { store, changed } = storeThat(async () => ({ data: {}, resourceVersion: String(++reads) }));
    const stop = new ManagedState(store, clock, silentLogger).keepFresh(clock);
    await clock.advance(0);
    stop();
    changed();
    await clock.advance(2 * keptForMs);
    expect(reads).toBe(1);
  });
});
