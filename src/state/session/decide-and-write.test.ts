import { describe, expect, it } from 'vitest';
import { wakeOverride } from '../intents/wake-override.ts';
import type { StateSnapshot } from '../snapshot.ts';
import { set } from '../snapshot.ts';
import type { StateStore, StateWriteOutcome, StoredState } from '../state-store.ts';
import { decideAndWrite } from './decide-and-write.ts';
import { StateConflict, StateFull, StateUndecodable, StateUnwritable } from './state-errors.ts';
import { StateSession } from './state-session.ts';

type Fault = 'conflict' | 'lost' | 'lost-unwritten' | 'too-large' | 'refused';

/** A store with versions, in memory; the faults are met one a write. */
class MemoryStore implements StateStore {
  state: StoredState;
  readonly #faults: Fault[];
  writes = 0;

  constructor(data: Record<string, string>, ...faults: Fault[]) {
    this.state = { data, resourceVersion: '1' };
    this.#faults = faults;
  }

  async read(): Promise<StoredState> {
    return this.state;
  }

  async write(base: StoredState, changes: Record<string, string | undefined>): Promise<StateWriteOutcome> {
    const fault = this.#faults.shift();
    if (fault === 'too-large') return { outcome: 'too-large', message: 'Too long' };
    if (fault === 'refused') return { outcome: 'refused', status: 403, message: 'forbidden' };
    if (fault === 'lost-unwritten') return { outcome: 'unknown', message: 'timed out' };
    if (fault === 'conflict') this.#put({ ...this.state.data, other: `${this.writes}` });
    if (base.resourceVersion !== this.state.resourceVersion) return { outcome: 'conflict' };
    const entries = Object.entries({ ...this.state.data, ...changes });
    this.#put(Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)));
    return fault === 'lost' ? { outcome: 'unknown', message: 'timed out' } : { outcome: 'done', state: this.state };
  }

  onChange(): () => void {
    return () => {};
  }

  #put(data: Record<string, string>): void {
    this.writes++;
    this.state = { data, resourceVersion: `${Number(this.state.resourceVersion) + 1}` };
  }
}

const override = { until: 2_000, by: 'ada', at: 1_000 };
const edits = [set(wakeOverride, override)];

async function run(store: MemoryStore, tries = 3) {
  const seen: StateSnapshot[] = [];
  const pauses: number[] = [];
  const decided = await decideAndWrite(
    () => StateSession.open(store),
    (snapshot) => {
      seen.push(snapshot);
      return { edits, answer: snapshot.resourceVersion };
    },
    { tries, pause: async (attempt) => void pauses.push(attempt) },
  ).catch((error: unknown) => error);
  return { decided, seen: seen.map(({ resourceVersion }) => resourceVersion), pauses };
}

/** The state as it was left, for whoever keeps it. */
const left = ({ state }: MemoryStore) => expect.objectContaining({ stored: state });

describe('a decision made durable', () => {
  it('is written with the version that it was made on', async () => {
    const store = new MemoryStore({});
    expect(await run(store)).toEqual({
      decided: { answer: '1', written: true, session: left(store) },
      seen: ['1'],
      pauses: [],
    });
    expect(store.state.data).toEqual({ wake_override: wakeOverride.encode(override) });
  });

  it('writes nothing where it holds already', async () => {
    const store = new MemoryStore({ wake_override: wakeOverride.encode(override)! });
    expect((await run(store)).decided).toEqual({ answer: '1', written: false, session: left(store) });
    expect(store.writes).toBe(0);
  });

  it('is made again on what somebody else wrote first', async () => {
    const store = new MemoryStore({}, 'conflict', 'conflict');
    expect(await run(store)).toEqual({
      decided: { answer: '3', written: true, session: left(store) },
      seen: ['1', '2', '3'],
      pauses: [1, 2],
    });
  });

  it('whose answer was lost is looked for, and not made twice', async () => {
    const store = new MemoryStore({}, 'lost');
    expect(await run(store)).toEqual({
      decided: { answer: '1', written: true, session: left(store) },
      seen: ['1'],
      pauses: [1],
    });
    expect(store.writes).toBe(1);
  });

  it('whose answer was lost before it was written is made again', async () => {
    const store = new MemoryStore({}, 'lost-unwritten');
    expect((await run(store)).decided).toEqual({ answer: '1', written: true, session: left(store) });
    expect(store.writes).toBe(1);
  });

  it('gives up after its tries, and says how the last one ended', async () => {
    const conflict = (await run(new MemoryStore({}, 'conflict', 'conflict', 'conflict'))).decided;
    expect([conflict instanceof StateConflict, (conflict as StateConflict).outcome]).toEqual([true, 'conflict']);
    const lost = (await run(new MemoryStore({}, 'lost-unwritten'), 1)).decided;
    expect([lost instanceof StateConflict, (lost as StateConflict).outcome]).toEqual([true, 'unknown']);
  });

  it('is not tried again where trying cannot help', async () => {
    expect((await run(new MemoryStore({}, 'too-large'))).decided).toBeInstanceOf(StateFull);
    const refused = (await run(new MemoryStore({}, 'refused'))).decided;
    expect([refused instanceof StateUnwritable, (refused as StateUnwritable).why]).toEqual([true, 'forbidden']);
    const undecodable = (await run(new MemoryStore({ wake_override: 'x' }))).decided;
    expect([undecodable instanceof StateUndecodable, (undecodable as StateUndecodable).key]).toEqual([
      true,
      'wake_override',
    ]);
  });
});
