import type { StateEdit, StateSnapshot } from '../snapshot.ts';
import type { Room } from './plan-write.ts';
import { StateConflict } from './state-errors.ts';
import type { StateSession } from './state-session.ts';

export interface Decision<A> {
  readonly edits: readonly StateEdit[];
  readonly answer: A;
  /** Whether it may use the reserve: only what stops, hands back or wakes may. */
  readonly room?: Room;
}

export interface Decided<A> {
  readonly answer: A;
  /** False when what was wanted was there already. */
  readonly written: boolean;
  /** The state as it was left. */
  readonly session: Pick<StateSession, 'stored' | 'snapshot'>;
}

export interface Retries {
  readonly tries: number;
  /** Waits before the next try; `attempt` counts from 1. */
  pause(attempt: number): Promise<void>;
}

/**
 * One decision on the newest state, made durable: open, decide, write with the version that was decided on. A conflict
 * opens and decides again; after an answer that was lost, what is found there already was us. Whatever `decide` throws
 * comes before any write. Rejects as `StateSession` does, with `StateConflict` once the tries are used up.
 */
export async function decideAndWrite<A>(
  open: () => Promise<StateSession>,
  decide: (snapshot: StateSnapshot) => Decision<A>,
  { tries, pause }: Retries,
): Promise<Decided<A>> {
  let unsure: Decision<A> | undefined;
  for (let attempt = 1; ; attempt++) {
    const session = await open();
    if (unsure !== undefined && session.holds(unsure.edits)) return { answer: unsure.answer, written: true, session };
    const decision = decide(session.snapshot);
    try {
      const outcome = await session.writeIn(decision.room ?? 'ordinary', decision.edits);
      return { answer: decision.answer, written: outcome === 'written', session };
    } catch (error) {
      if (!(error instanceof StateConflict) || attempt >= tries) throw error;
      unsure = error.outcome === 'unknown' ? decision : undefined;
    }
    await pause(attempt);
  }
}
