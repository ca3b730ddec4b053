import type { EpochMs } from '../domain/workload.ts';
import { optionalObjectCodec } from './codec.ts';
import { instantField, instantText, object, oneOf, optional, optionalInstant } from './shape.ts';

/** Where the last transition that ran to its end left the cluster. Absent on a cluster that never hibernated. */
export interface Phase {
  readonly phase: 'awake' | 'hibernated';
  readonly since: EpochMs;
  /** The newest wake request that was answered: a later one, on a cluster that is up, is a renewal. */
  readonly wakeAnsweredAt?: EpochMs;
}

export const phase = optionalObjectCodec<Phase>(
  'phase',
  (json) => {
    const fields = object(json, '');
    return {
      phase: oneOf(fields, 'phase', '', ['awake', 'hibernated']),
      since: instantField(fields, 'since', ''),
      ...optional('wakeAnsweredAt', optionalInstant(fields, 'wakeAnsweredAt', '')),
    };
  },
  (value) => ({
    phase: value.phase,
    since: instantText(value.since),
    ...(value.wakeAnsweredAt === undefined ? {} : { wakeAnsweredAt: instantText(value.wakeAnsweredAt) }),
  }),
);
