import type { EpochMs } from '../domain/workload.ts';
import { optionalObjectCodec } from './codec.ts';
import { instantField, instantText, object, oneOf } from './shape.ts';

/**
 * The last edge of the schedule that was acted on. A controller that starts and finds a later edge behind it was down
 * over that edge: it catches up, and says so.
 */
export interface ScheduleEdge {
  readonly at: EpochMs;
  readonly wanted: 'up' | 'down';
  readonly actedAt: EpochMs;
}

export const scheduleEdge = optionalObjectCodec<ScheduleEdge>(
  'schedule_edge',
  (json) => {
    const fields = object(json, '');
    return {
      at: instantField(fields, 'at', ''),
      wanted: oneOf(fields, 'wanted', '', ['up', 'down']),
      actedAt: instantField(fields, 'actedAt', ''),
    };
  },
  ({ at, wanted, actedAt }) => ({ at: instantText(at), wanted, actedAt: instantText(actedAt) }),
);
