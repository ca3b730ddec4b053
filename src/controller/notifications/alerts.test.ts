import { describe, expect, it } from 'vitest';
import type { Notice } from '../../domain/notification/notice.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { sayConfigRefusal, sayStateSize, sayStateUndecodable, tellRecordsRebuilt } from './alerts.ts';

function said(run: (notifier: Notifier) => void): readonly [key: string, holds: boolean | undefined, text?: string][] {
  const all: [string, boolean | undefined, string?][] = [];
  const note = ({ key, text }: Notice, holds?: boolean) =>
    void all.push(text === undefined ? [key, holds] : [key, holds, text]);
  run({ notify: (notice) => note(notice), condition: note });
  return all;
}

describe('conditions of the service itself', () => {
  it('a state above the warning size, and not at it', () => {
    expect(said((notifier) => sayStateSize(notifier, 819_200, 0))).toEqual([['stateSize', false]]);
    expect(said((notifier) => sayStateSize(notifier, 819_201, 0))).toEqual([
      ['stateSize', true, 'The state holds 819201 bytes; Kubernetes takes at most 1048576.'],
    ]);
  });

  it('a state that cannot be decoded, until it can', () => {
    expect(said((notifier) => sayStateUndecodable(notifier, ['resource_states: it must be an array'], 0))).toEqual([
      ['stateMismatch', true, 'resource_states: it must be an array'],
    ]);
    expect(said((notifier) => sayStateUndecodable(notifier, [], 0))).toEqual([['stateMismatch', false]]);
  });

  it('a refused configuration, and apart from it working hours that cannot be read', () => {
    expect(said((notifier) => sayConfigRefusal(notifier, 'smtp.port: must be a number', 0))).toEqual([
      ['configReloadFailed', true, 'smtp.port: must be a number'],
      ['scheduleUnparseable', false],
    ]);
    expect(said((notifier) => sayConfigRefusal(notifier, 'workingHours.schedule.monday: …', 0))).toEqual([
      ['configReloadFailed', true, 'workingHours.schedule.monday: …'],
      ['scheduleUnparseable', true, 'workingHours.schedule.monday: …'],
    ]);
  });

  it('lost records are told as they are found', () => {
    expect(said((notifier) => tellRecordsRebuilt(notifier, ['Deployment shop/cart'], 0))).toEqual([
      ['stateMismatch', undefined, 'Records were lost and are rebuilt from the annotations: Deployment shop/cart'],
    ]);
  });
});
