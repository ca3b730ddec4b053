import type { EpochMs } from '../../domain/workload.ts';
import { optionalObjectCodec } from '../codec/codec.ts';
import { instantField, instantText, object, text } from '../codec/shape.ts';

/** Somebody asked for the cluster to be up until a time, whatever the schedule says. */
export interface WakeOverride {
  readonly until: EpochMs;
  readonly by: string;
  readonly at: EpochMs;
}

export const wakeOverride = optionalObjectCodec<WakeOverride>(
  'wake_override',
  (json) => {
    const fields = object(json, '');
    return {
      until: instantField(fields, 'until', ''),
      by: text(fields, 'by', ''),
      at: instantField(fields, 'at', ''),
    };
  },
  ({ until, by, at }) => ({ until: instantText(until), by, at: instantText(at) }),
);
