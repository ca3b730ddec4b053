import type { EpochMs } from '../domain/workload.ts';
import { optionalObjectCodec } from './codec/codec.ts';
import {
  instantField,
  instantText,
  object,
  oneOf,
  optional,
  optionalInstant,
  optionalStrings,
  own,
} from './codec/shape.ts';

/** Where the last transition that ran to its end left the cluster. Absent on a cluster that never hibernated. */
export interface Phase {
  readonly phase: 'awake' | 'hibernated';
  readonly since: EpochMs;
  /** The newest wake request that was answered: a later one, on a cluster that is up, is a renewal. */
  readonly wakeAnsweredAt?: EpochMs;
  /** Only with `hibernated`: not everything was lowered before the hibernation was stopped. */
  readonly stoppedHalfway?: true;
  /** Only with `awake`: woken for another cluster, which left some of it asleep. The rest still has its wake before it. */
  readonly inPart?: true;
  /** Only with `hibernated`: sessions of other clusters that have had the wake of what they name. */
  readonly wokenFor?: readonly string[];
}

/** After a hibernation that was stopped half-way, what is up and recorded was never lowered: its owner did not raise it. */
export function isAsleep(known: Phase | null): boolean {
  return known?.phase === 'hibernated' && known.stoppedHalfway !== true;
}

export const phase = optionalObjectCodec<Phase>(
  'phase',
  (json) => {
    const fields = object(json, '');
    return {
      phase: oneOf(fields, 'phase', '', ['awake', 'hibernated']),
      since: instantField(fields, 'since', ''),
      ...optional('wakeAnsweredAt', optionalInstant(fields, 'wakeAnsweredAt', '')),
      ...(own(fields, 'stoppedHalfway') === true ? { stoppedHalfway: true as const } : {}),
      ...(own(fields, 'inPart') === true ? { inPart: true as const } : {}),
      ...optional('wokenFor', optionalStrings(fields, 'wokenFor', '')),
    };
  },
  (value) => ({
    phase: value.phase,
    since: instantText(value.since),
    ...(value.wakeAnsweredAt === undefined ? {} : { wakeAnsweredAt: instantText(value.wakeAnsweredAt) }),
    ...(value.phase === 'hibernated' && value.stoppedHalfway ? { stoppedHalfway: true } : {}),
    ...(value.phase === 'hibernated' && value.wokenFor !== undefined && value.wokenFor.length > 0
      ? { wokenFor: value.wokenFor }
      : {}),
    ...(value.phase === 'awake' && value.inPart ? { inPart: true } : {}),
  }),
);
