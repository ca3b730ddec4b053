import { describe, expect, it } from 'vitest';
import { readinessOf } from './readiness-projection.ts';

const since = '2026-01-05T08:00:00Z';
const at = Date.parse(since);
const ready = (status: string, more: object = {}) => ({ type: 'Ready', status, lastTransitionTime: since, ...more });
const object = (status: object, generation = 3) => ({ metadata: { name: 'one', generation }, status });

describe('what the status of an object says of it', () => {
  const rows: Record<string, [object, boolean, number]> = {
    'that it is up': [object({ conditions: [ready('True')] }), true, at],
    'that it is not': [object({ conditions: [ready('False')] }), false, at],
    'that nobody knows': [object({ conditions: [ready('Unknown')] }), false, at],
    'nothing, without a status': [{ metadata: {} }, false, 0],
    'nothing, without conditions': [object({}), false, 0],
    'nothing, with conditions that are no list': [object({ conditions: 'Ready' }), false, 0],
    'nothing, with another condition': [object({ conditions: [null, { type: 'Synced', status: 'True' }] }), false, 0],
    'nothing new, for an earlier generation': [
      object({ conditions: [ready('True', { observedGeneration: 2 })] }),
      false,
      at,
    ],
    'nothing new, where the whole status is of an earlier one': [
      object({ observedGeneration: 2, conditions: [ready('True')] }),
      false,
      at,
    ],
    'that it is up in this generation': [
      object({ observedGeneration: 1, conditions: [ready('True', { observedGeneration: 3 })] }),
      true,
      at,
    ],
    'that it is up, but not since when': [object({ conditions: [{ type: 'Ready', status: 'True' }] }), true, 0],
  };

  it.each(Object.entries(rows))('%s', (_, [raw, status, changed]) => {
    expect(readinessOf(raw, 'Ready')).toEqual({ status, since: changed });
  });
});
