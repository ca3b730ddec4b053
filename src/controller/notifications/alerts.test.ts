import { describe, expect, it } from 'vitest';
import type { Notice } from '../../domain/notification/notice.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { setConfigRefusalCondition, setStateSizeCondition, setUndecodableCondition } from './alerts.ts';

function said(run: (notifier: Notifier) => void): readonly [key: string, holds: boolean | undefined, text?: string][] {
  const all: [string, boolean | undefined, string?][] = [];
  const note = ({ key, text }: Notice, holds?: boolean) =>
    void all.push(text === undefined ? [key, holds] : [key, holds, text]);
  run({ notify: async (notice) => note(notice), condition: note });
  return all;
}

describe('conditions of the service itself', () => {
  it('a state above the warning size, and not at it', () => {
    expect(said((notifier) => setStateSizeCondition(notifier, 819_200, 0))).toEqual([['stateSize', false]]);
    expect(said((notifier) => setStateSizeCondition(notifier, 819_201, 0))).toEqual([
      ['stateSize', true, 'The state holds 819201 bytes; Kubernetes takes at most 1048576.'],
    ]);
  });

  it('a state that cannot be decoded, until it can', () => {
    expect(said((notifier) => setUndecodableCondition(notifier, ['resource_states: it must be an array'], 0))).toEqual([
      ['stateMismatch', true, 'resource_states: it must be an array'],
    ]);
    expect(said((notifier) => setUndecodableCondition(notifier, [], 0))).toEqual([['stateMismatch', false]]);
  });

  const refusal = (path: string, message: string) => ({ message: `${path}: ${message}`, errors: [{ path, message }] });

  it('a refused configuration, or working hours that cannot be read: one cause, one card', () => {
    const port = refusal('smtp.port', 'must be a number');
    expect(said((notifier) => setConfigRefusalCondition(notifier, port, 0))).toEqual([
      ['configReloadFailed', true, 'smtp.port: must be a number'],
      ['scheduleUnparseable', false],
    ]);
    const monday = refusal('workingHours.schedule.monday', 'must be on, off or ranges');
    expect(said((notifier) => setConfigRefusalCondition(notifier, monday, 0))).toEqual([
      ['configReloadFailed', false],
      ['scheduleUnparseable', true, 'workingHours.schedule.monday: must be on, off or ranges'],
    ]);
  });

  it.each(['workingHour', 'workingHours2', 'notifications.workingHours', ''])(
    'a refusal at %j that only speaks of working hours is none of the schedule',
    (path) => {
      const typo = refusal(path, 'is not known; did you mean workingHours?');
      expect(said((notifier) => setConfigRefusalCondition(notifier, typo, 0)).at(-1)).toEqual([
        'scheduleUnparseable',
        false,
      ]);
    },
  );

  it('of several errors those of the working hours alone make up their card, and the others the other', () => {
    const errors = [
      { path: 'smtp.port', message: 'must be a number' },
      { path: 'workingHours', message: 'must be an object' },
    ];
    expect(said((notifier) => setConfigRefusalCondition(notifier, { message: 'all', errors }, 0))).toEqual([
      ['configReloadFailed', true, 'smtp.port: must be a number'],
      ['scheduleUnparseable', true, 'workingHours: must be an object'],
    ]);
  });
});
