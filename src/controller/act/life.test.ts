import { describe, expect, it } from 'vitest';
import { StateSession } from '../../state/session/state-session.ts';
import type { StoredState } from '../../state/session/state-store.ts';
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

describe('a life of the controller', () => {
  it('is the first on a cluster that was never lowered, and is counted once', async () => {
    const session = await sessionOn({});
    const life = new Life();
    expect(await counted(life, session)).toEqual([1, 1]);
    expect(await counted(life, session)).toEqual([1, 0]);
  });

  it('comes after every life before it', async () => {
    expect(await counted(new Life(), await sessionOn({ epoch: '41' }))).toEqual([42, 1]);
  });

  it('counts itself again when a later one has come and gone', async () => {
    const session = await sessionOn({});
    const [first, second] = [new Life(), new Life()];
    await counted(first, session);
    await counted(second, session);
    expect(await counted(first, session)).toEqual([3, 1]);
  });

  it('keeps its number over a state that was restored from before it', async () => {
    const life = new Life();
    await counted(life, await sessionOn({ epoch: '7' }));
    expect(await counted(life, await sessionOn({ epoch: '3' }))).toEqual([8, 1]);
  });
});
