import type { EpochMs } from '../domain/workload.ts';
import { arrayText, codec } from './codec/codec.ts';
import { elements, instantField, instantText } from './codec/shape.ts';

/** More sessions than these in an hour are beyond any quota worth having; 30 bytes each. */
const mostStarts = 500;

/** When sessions of other clusters began, ended ones included: `maxWakesPerHour` counts them over restarts too. */
export const externalWakeStarts = codec<readonly EpochMs[]>({
  key: 'external_wake_starts',
  empty: [],
  blankIsEmpty: true,
  read: (json) => elements(json, '', (element, where) => instantField({ at: element }, 'at', where)),
  write: (starts) =>
    starts.length === 0 ? undefined : arrayText(starts.slice(-mostStarts).map((at) => JSON.stringify(instantText(at)))),
});
