import { describe, expect, it } from 'vitest';
import { type Grounds, shouldBe } from './should-be.ts';
import { isWorkingTime, nextBeginning } from './working-hours.ts';

const week = (hours: string) =>
  Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name) => [name, hours]),
  );
const berlin = (hours: string) => ({ timezone: 'Europe/Berlin', schedule: week(hours), dates: {}, holidays: [] });

describe('working hours on the wall clock of the oracle', () => {
  it.each([
    ['in winter', '08:00-20:00', '2026-01-05T07:00Z', true],
    ['a minute before', '08:00-20:00', '2026-01-05T06:59Z', false],
    ['in summer', '08:00-20:00', '2026-06-01T06:00Z', true],
    ['at the end', '08:00-20:00', '2026-06-01T18:00Z', false],
    ['a beginning in the skipped hour happens right after it', '02:30-08:00', '2026-03-29T01:00Z', true],
    ['and not before', '02:30-08:00', '2026-03-29T00:59Z', false],
    ['an end in the repeated hour happens the second time', '00:00-02:30', '2026-10-25T01:29Z', true],
    ['and then is over', '00:00-02:30', '2026-10-25T01:30Z', false],
    ['midnight is the end of the day', '22:00-00:00', '2026-01-05T22:59Z', true],
    ['the day after is off', '22:00-00:00', '2026-01-05T23:00Z', false],
  ])('%s', (_, hours, at, working) => {
    expect(isWorkingTime(berlin(hours), Date.parse(at))).toBe(working);
  });

  it('knows other hours of a date before a holiday, and a holiday before the weekday', () => {
    const at = Date.parse('2026-04-03T10:00Z');
    const friday = { ...berlin('08:00-20:00'), holidays: ['2026-04-03'] };
    expect(isWorkingTime(friday, at)).toBe(false);
    expect(isWorkingTime({ ...friday, dates: { '2026-04-03': 'on' } }, at)).toBe(true);
  });

  it('takes hours that touch for one: they begin once', () => {
    const hours = { ...berlin('on'), dates: { '2026-01-07': 'off' } };
    expect(nextBeginning(hours, Date.parse('2026-01-05T12:00Z'))).toBe(Date.parse('2026-01-07T23:00Z'));
    expect(nextBeginning(berlin('on'), Date.parse('2026-01-05T12:00Z'))).toBeUndefined();
  });
});

const at = (time: string) => Date.parse(`2026-01-${time}:00Z`);
const stamp = (time: string) => new Date(at(time)).toISOString();
const act = (time: string, until?: string) =>
  JSON.stringify({ by: 'ann', at: stamp(time), ...(until === undefined ? {} : { until: stamp(until) }) });
const sessionOf = (from: string, to: string, resources: object[] = []) =>
  JSON.stringify([{ id: 'a', cluster: 'hub', resources, startedAt: stamp(from), expiresAt: stamp(to) }]);

/** Berlin, office hours: the 5th is a monday, 07:00Z to 19:00Z. */
const rows: Record<string, [string, Partial<Grounds>, object]> = {
  'in working hours': ['05T12:00', {}, { cluster: 'up' }],
  'in the night': ['05T20:00', {}, { cluster: 'down' }],
  'woken for the evening': ['05T20:00', { state: { wake_override: act('05T18:00', '05T21:00') } }, { cluster: 'up' }],
  'and no longer': ['05T21:00', { state: { wake_override: act('05T18:00', '05T21:00') } }, { cluster: 'down' }],
  'hibernated by hand until the next morning': [
    '05T18:00',
    { state: { manual_hibernation: act('05T12:00') } },
    { cluster: 'down' },
  ],
  'and then up': ['06T07:00', { state: { manual_hibernation: act('05T12:00') } }, { cluster: 'up' }],
  'woken after it': [
    '05T14:00',
    { state: { manual_hibernation: act('05T12:00'), wake_override: act('05T12:30', '05T13:00') } },
    { cluster: 'up' },
  ],
  'stood down': [
    '05T22:00',
    { state: { stand_down: JSON.stringify({ admin: { actor: 'ann', at: stamp('05T10:00') } }) } },
    { cluster: 'up', stopped: true },
  ],
  'without a license': ['05T22:00', { licensed: false }, { cluster: 'up', stopped: true }],
  'switched off by the configuration': ['05T22:00', { config: { global: { enabled: false } } }, { stopped: true }],
  'what was asked for before a stop that ended is void': [
    '05T20:00',
    {
      state: { wake_override: act('05T18:00', '05T23:00') },
      isVoid: (_: string, asked: string) => Date.parse(asked) < at('05T19:30'),
    },
    { cluster: 'down' },
  ],
  'needed by another cluster': [
    '05T22:00',
    { state: { external_wake_sessions: sessionOf('05T21:00', '05T23:00') } },
    { cluster: 'up', forOthers: true },
  ],
  'needed in part': [
    '05T22:00',
    { state: { external_wake_sessions: sessionOf('05T21:00', '05T23:00', [{ namespace: 'shop' }]) } },
    { cluster: 'down', kept: [{ namespace: 'shop' }] },
  ],
  'a session from before a hibernation by hand is overruled': [
    '05T13:00',
    {
      state: {
        external_wake_sessions: sessionOf('05T11:00', '05T23:00'),
        manual_hibernation: act('05T12:00'),
      },
    },
    { cluster: 'down' },
  ],
  'what cannot be read is not empty': [
    '05T22:00',
    { state: { wake_override: '{broken' } },
    { unsure: ['wake_override'] },
  ],
};

describe('what the cluster should be', () => {
  it.each(Object.entries(rows))('%s', (_, [time, given, expected]) => {
    const grounds = { state: {}, config: {}, licensed: true, isVoid: () => false, ...given };
    expect(shouldBe(grounds, at(time))).toMatchObject(expected);
  });
});
