import { type EpochMs, type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import { arrayText, codec } from '../codec/codec.ts';
import {
  elements,
  instantField,
  instantText,
  nameField,
  object,
  refuseDuplicates,
  text,
  workloadKind,
} from '../codec/shape.ts';

/** Somebody wants one workload woken again: it did not come up, and what kept it from that may be over. */
export interface WakeRetry extends WorkloadRef {
  readonly by: string;
  readonly at: EpochMs;
}

/** Who asks for more at a time wants a wake of the cluster. */
const mostRetries = 50;

export const wakeRetries = codec<readonly WakeRetry[]>({
  key: 'wake_retries',
  empty: [],
  blankIsEmpty: true,
  read(json) {
    const retries = elements(json, '', readRetry);
    refuseDuplicates(retries, workloadKey);
    return retries;
  },
  write: (retries) =>
    retries.length === 0
      ? undefined
      : arrayText(retries.slice(-mostRetries).map((retry) => JSON.stringify({ ...retry, at: instantText(retry.at) }))),
});

/** The newest wish for a workload counts. */
export function withRetry(retries: readonly WakeRetry[], asked: WakeRetry): readonly WakeRetry[] {
  return [...retries.filter((known) => workloadKey(known) !== workloadKey(asked)), asked];
}

function readRetry(element: unknown, where: string): WakeRetry {
  const fields = object(element, where);
  return {
    kind: workloadKind(fields, where),
    namespace: nameField(fields, 'namespace', where),
    name: nameField(fields, 'name', where),
    by: text(fields, 'by', where),
    at: instantField(fields, 'at', where),
  };
}
