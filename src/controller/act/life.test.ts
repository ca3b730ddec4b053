import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { StateSession } from '../../state/session/state-session.ts';
import type { StoredState } from '../../state/state-store.ts';
import { Life } from './life.ts';

/** A state in memory that takes every write. */
async function sessionOn(data: Record<string, string>): Promise<StateSession> {
  let stored: StoredState = { data, resourceVersion: '1' };
  return StateSession.open({
    read: async () => stored,
    async write(base, changes) {
      const entries = Object.entries({ ...base.data, ...changes });
      const after = entries.filter((entry): entry is [string, string] => entry[1] !== undefined);
      stored = { data: Object.fromEntries(after), resourceVersion: `${Number(stored.resourceVersion) + 1}` };
      return { outcome: 'done', state: stored };
    },
    onChange: () => () => {},
  });
}

async function counted(life: Life, session: StateSession): Promise<[epoch: number, writes: number]> {
  const edits = life.count(session);
  await session.write(...edits);
  return [life.epoch, edits.length];
}

const now = 1_000;
const born = () => new Life(new VirtualClock(now));

describe('a life of the controller', () => {
  it('has the time of its first lowering for a number, and is counted once', async () => {
    const session = await sessionOn({});
    const life = born();
    expect(await counted(life, session)).toEqual([now, 1]);
    expect(await counted(life, session)).toEqual([now, 0]);
  });

  it('comes after every life before it, and after every stand-down, whatever the clock says', async () => {
    expect(await counted(born(), await sessionOn({ epoch: '4100' }))).toEqual([4101, 1]);
  });

  it('counts itself again when a later one has come and gone', async () => {
    const session = await sessionOn({});
    const [first, second] = [born(), born()];
    await counted(first, session);
    await counted(second, session);
    expect(await counted(first, session)).toEqual([now + 2, 1]);
  });

  it('keeps its number over a state that was restored from before it', async () => {
    const life = born();
    await counted(life, await sessionOn({ epoch: '7000' }));
    expect(await counted(life, await sessionOn({ epoch: '3000' }))).toEqual([7001, 1]);
  });

  it('on a state that was lost is newer than every life on the one before it', async () => {
    const clock = new VirtualClock(now);
    const before = new Life(clock);
    await counted(before, await sessionOn({}));
    await clock.advance(60_000);
    const after = new Life(clock);
    await counted(after, await sessionOn({}));
    expect(after.epoch).toBeGreaterThan(before.epoch);
  });
});
