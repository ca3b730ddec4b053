import { describe, expect, it } from 'vitest';
import { namedKey, namedNamespace, repairOf } from './clearing-a-key.ts';

describe('the repair of a spoilt value', () => {
  it('empties an array key and says what that costs', () => {
    expect(repairOf('resource_states', 'svc')).toEqual({
      key: 'resource_states',
      edit: 'kubectl edit configmap svc-state -n svc',
      clear: `kubectl patch configmap svc-state -n svc --type merge -p '{"data":{"resource_states":"[]"}}'`,
      costs: 'the recorded replica counts are lost, so that a hibernated cluster has to be scaled up by hand',
    });
  });

  it('clears wake_override to nothing', () => {
    expect(repairOf('wake_override', 'sleep').clear).toBe(
      `kubectl patch configmap svc-state -n sleep --type merge -p '{"data":{"wake_override":""}}'`,
    );
  });

  it('is done in the namespace that the API names, and where none is named the reader puts it in', () => {
    expect(namedNamespace({ namespace: 'sleep' })).toBe('sleep');
    expect(namedNamespace({})).toBe('<release namespace>');
  });

  const rows: [string, Record<string, unknown>, string, string | undefined][] = [
    ['is the one in the details', { key: 'wake_override' }, 'whatever', 'wake_override'],
    ['is found in the message', {}, 'The value of resource_states cannot be decoded.', 'resource_states'],
    ['is none when nothing could be read', {}, 'The managed state could not be read: timeout', undefined],
  ];
  it.each(rows)('the key %s', (_, details, message, key) => {
    expect(namedKey(details, message)).toBe(key);
  });
});
