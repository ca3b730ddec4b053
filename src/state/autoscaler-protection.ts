import type { EpochMs } from '../domain/workload.ts';
import { optionalObjectCodec } from './codec/codec.ts';
import { instantField, instantText, object } from './codec/shape.ts';

/** Held while the cluster is down: our own pods ask the node autoscalers to leave them where they are. */
export interface AutoscalerProtection {
  readonly since: EpochMs;
}

export const autoscalerProtection = optionalObjectCodec<AutoscalerProtection>(
  'autoscaler_protection',
  (json) => ({ since: instantField(object(json, ''), 'since', '') }),
  ({ since }) => ({ since: instantText(since) }),
);
