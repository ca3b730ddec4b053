import type { EpochMs } from '../domain/workload.ts';
import { epochField, object, optional, optionalStrings, string, stringMap, strings } from './codec/shape.ts';

/** What only a hibernation knows while it runs. Workloads are named only where something out of the ordinary happened. */
export interface HibernationPayload {
  readonly kind: 'hibernation';
  /** The tier being worked on, by name: an index would shift with a change of the configuration. */
  readonly tier?: string;
  readonly tierStartedAt: EpochMs;
  readonly tiersDone: readonly string[];
  /** Tiers whose time-out passed before all their pods were gone. */
  readonly tiersTimedOut: readonly string[];
  /** Keys of workloads that their owner raised meanwhile. */
  readonly respected: readonly string[];
  /** What the cluster would not let us lower, with its own words. */
  readonly failed: Readonly<Record<string, string>>;
  /** Keys of the workloads it is about, when they are not all: those that came in the night. */
  readonly only?: readonly string[];
}

export function readHibernation(json: unknown, where: string): HibernationPayload {
  const fields = object(json, where);
  return {
    kind: 'hibernation',
    ...optional('tier', fields['tier'] === undefined ? undefined : string(fields, 'tier', where)),
    tierStartedAt: epochField(fields, 'tierStartedAt', where),
    tiersDone: strings(fields, 'tiersDone', where),
    tiersTimedOut: strings(fields, 'tiersTimedOut', where),
    respected: strings(fields, 'respected', where),
    failed: stringMap(fields, 'failed', where),
    ...optional('only', optionalStrings(fields, 'only', where)),
  };
}

export function hibernationJson({ kind: _kind, ...payload }: HibernationPayload): object {
  return payload;
}
