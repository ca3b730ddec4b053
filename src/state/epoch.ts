import type { EpochMs } from '../domain/workload.ts';
import { codec } from './codec/codec.ts';
import { wrong } from './codec/shape.ts';
import { type StateEdit, type StateSnapshot, setIfReadable } from './snapshot.ts';

/**
 * The number that lowerings carry. A life of the controller that lowers something takes the next one, and so does a
 * stand-down; the chart's policy `svc-fence` reads this key, and has the apiserver refuse lowerings with an older number.
 */
export const epoch = codec<number>({
  key: 'epoch',
  empty: 0,
  blankIsEmpty: true,
  read(json) {
    if (typeof json === 'number' && Number.isSafeInteger(json) && json >= 0) return json;
    throw wrong('', 'a whole number from 0 on', json);
  },
  write: (value) => (value === 0 ? undefined : String(value)),
});

/**
 * At least the time of day, so that it never starts over: an apiserver may go on comparing with a state that was deleted
 * long ago (kubernetes/kubernetes#130887), and must find everything that comes later newer than that.
 */
export function nextEpoch(newest: number, now: EpochMs): number {
  return Math.max(newest + 1, now);
}

/** Makes every lowering that was decided before an older one. A stop writes it, and holds without it when it cannot. */
export function epochPassed(snapshot: StateSnapshot, now: EpochMs): StateEdit {
  const newest = snapshot.read(epoch);
  return setIfReadable(epoch, nextEpoch(newest.ok ? newest.value : 0, now));
}
