import { describe, expect, it } from 'vitest';
import { eventKeys, eventKinds, eventPriorities } from './event-keys.ts';

describe('event keys', () => {
  it('hold back repetitions of conditions and of renewed sessions, and of nothing that merely happened', () => {
    expect(eventKeys.filter((key) => !eventKinds[key].deduplicated)).toEqual([
      'wakeStarted',
      'wakeComplete',
      'wakeFailed',
      'hibernationComplete',
      'hibernationFailed',
      'wakeBarrierTimeout',
      'catchUp',
      'standDown',
      'resourceAdded',
      'resourceRemoved',
      'externalWakeStarted',
      'externalWakeExpired',
      'scheduleOverride',
      'databaseStopped',
    ]);
    expect(eventKinds.externalWakeRenewed).toMatchObject({ condition: false, deduplicated: true });
  });

  it('give a stand-down medium priority and failed transitions high priority', () => {
    expect(eventKinds.standDown.priority).toBe('medium');
    expect([eventKinds.wakeFailed.priority, eventKinds.hibernationFailed.priority]).toEqual(['high', 'high']);
  });

  it('are never the name of a priority, because both share one map', () => {
    expect(eventKeys.filter((key) => (eventPriorities as readonly string[]).includes(key))).toEqual([]);
  });
});
