import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { StateStore, StoredState } from '../../state/state-store.ts';
import { ManagedState } from './managed-state.ts';

describe('what is kept for who need not sign in', () => {
  it('is not replaced by a read that began earlier and ends later', async () => {
    const answers: ((state: StoredState) => void)[] = [];
    const read = () => new Promise<StoredState>((resolve) => answers.push(resolve));
    // Reading is all that is asked of it here.
    const store = { read, onChange: () => () => {} } as unknown as StateStore;
    const state = new ManagedState(store, new VirtualClock(0), silentLogger);
    const [slow, quick] = [state.read(), state.readNewest()];
    answers[1]!({ data: {}, resourceVersion: '2' });
    await quick;
    answers[0]!({ data: {}, resourceVersion: '1' });
    await slow;
    expect(state.kept().stored.resourceVersion).toBe('2');
  });
});
