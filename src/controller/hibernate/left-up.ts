import { appliesOthers } from '../../domain/kinds/kinds.ts';
import { appliedByThese } from '../../domain/targeting/appliers.ts';
import { isDown, type Workload, workloadKey } from '../../domain/workload.ts';
import { type ScopedSnapshot, toSleep } from '../snapshot/snapshot.ts';
import type { Hibernation } from '../transition/transition.ts';

interface Seen {
  readonly snapshot: Pick<ScopedSnapshot, 'workloads'>;
}

const nothing: ReadonlySet<string> = new Set();

/**
 * By key: what is up and would be raised again at once, because its owner has resumed what applies it since we had quieted that. What went
 * down before is waited for like the rest.
 */
export function leftUpBy({ snapshot }: Seen, { payload }: Hibernation): ReadonlySet<string> {
  if (payload.respected.length === 0) return nothing;
  const respected = new Set(payload.respected);
  const all = toSleep(snapshot);
  const isUp = (one: Workload) => !isDown(one);
  const awake = all.filter((one) => appliesOthers(one.kind) && respected.has(workloadKey(one)) && isUp(one));
  const raisedAgain = appliedByThese(awake, all, isUp);
  return new Set(
    all
      .filter(isUp)
      .map(workloadKey)
      .filter((key) => raisedAgain.has(key)),
  );
}

/** It is named at the end, like what its owner raised himself, unless it is told as failed. */
export function withLeftUp(seen: Seen, current: Hibernation): Hibernation {
  const { respected, failed } = current.payload;
  const told = new Set([...respected, ...Object.keys(failed)]);
  const added = [...leftUpBy(seen, current)].filter((key) => !told.has(key));
  return added.length === 0
    ? current
    : { ...current, payload: { ...current.payload, respected: [...respected, ...added] } };
}
