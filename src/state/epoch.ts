import { codec } from './codec.ts';
import { wrong } from './shape.ts';

/**
 * Counts the lives of the controller that have lowered something. Each lowering carries the number of its life, and the
 * apiserver refuses one of a life before the newest where the chart's `admissionPolicy.fence` is on: that policy reads this key.
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
