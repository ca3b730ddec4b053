import type { EpochMs } from '../../domain/workload.ts';
import { optionalObjectCodec } from '../codec/codec.ts';
import { instantField, instantText, object, optional, optionalInstant, text } from '../codec/shape.ts';

/** Somebody sent the cluster to sleep by hand; without `until` it sleeps until the schedule is resumed. */
export interface ManualHibernation {
  readonly by: string;
  readonly at: EpochMs;
  readonly until?: EpochMs;
}

export const manualHibernation = optionalObjectCodec<ManualHibernation>(
  'manual_hibernation',
  (json) => {
    const fields = object(json, '');
    return {
      by: text(fields, 'by', ''),
      at: instantField(fields, 'at', ''),
      ...optional('until', optionalInstant(fields, 'until', '')),
    };
  },
  ({ by, at, until }) => ({ by, at: instantText(at), ...(until === undefined ? {} : { until: instantText(until) }) }),
);
