import { unreadableName } from '../../domain/stops/unreadable-key.ts';
import { StateFull, StateUndecodable } from '../../state/session/state-errors.ts';
import type { ActBackoff } from '../act/act-backoff.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import type { AsleepCompanion, Companion, CompanionStep } from './companion.ts';

export interface CompanionsStep extends CompanionStep {
  readonly companions: readonly Companion[];
  readonly backoff: ActBackoff;
}

/** Names what is not there yet. One whose record cannot be decoded stays where it is; nothing waits for it. */
export async function putCompanionsToSleep(context: CompanionsStep): Promise<AsleepCompanion> {
  let retryAt: RequeueAt;
  const awaited = await eachAlone(
    context,
    async (companion) => {
      const asleep = await companion.sleep(context);
      retryAt = earliest(retryAt, asleep.retryAt);
      return asleep.awaited;
    },
    () => [],
  );
  return { awaited, retryAt };
}

/** Names what is not back yet, and the key of what cannot be brought back until somebody repairs it. */
export async function wakeCompanions(context: CompanionsStep): Promise<readonly string[]> {
  return eachAlone(
    context,
    (companion) => companion.wake(context),
    (left) => [left],
  );
}

export interface LeftAtTheEnd {
  readonly names: readonly string[];
  /** True when each has been failing for so long that the end of a wake need not wait for it. */
  readonly lasting: boolean;
  readonly retryAt: RequeueAt;
}

const pointBack = 'point back ';

/** What stands between callers and what is up as a wake is about to end, of the whole cluster or of a part of it. */
export async function lastCallOfCompanions(context: CompanionsStep, of: 'all' | 'part'): Promise<LeftAtTheEnd> {
  const names = await eachAlone(
    context,
    (companion) => companion.lastCall(context, of),
    () => [],
  );
  const { backoff } = context;
  const acts = names.map((name) => `${pointBack}${name}`);
  backoff.endedBut(pointBack, acts);
  for (const act of acts) {
    if (backoff.waitMs(act) === 0)
      backoff.failed(act, { kind: 'refused', message: 'it still points at its satellite' });
  }
  return {
    names,
    lasting: acts.every((act) => backoff.lasting(act) !== undefined),
    retryAt: acts.length === 0 ? undefined : now(context) + Math.min(...acts.map((act) => backoff.waitMs(act))),
  };
}

/** The wake is over: what the next one cannot point back has not been failing since this one. */
export function allPointedBack({ backoff }: Pick<CompanionsStep, 'backoff'>): void {
  backoff.endedBut(pointBack, []);
}

async function eachAlone(
  context: CompanionsStep,
  bring: (companion: Companion) => Promise<readonly string[]>,
  whenLeft: (left: string) => readonly string[],
): Promise<readonly string[]> {
  const pending: string[] = [];
  for (const companion of context.companions) {
    try {
      pending.push(...(await bring(companion)));
    } catch (error) {
      if (error instanceof StateUndecodable) pending.push(...whenLeft(unreadableName(error.key)));
      else if (error instanceof StateFull)
        pending.push(...whenLeft(`${companion.name}, for which the state has no room`));
      else throw error;
    }
  }
  return pending;
}
