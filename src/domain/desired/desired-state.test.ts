import { describe, expect, it } from 'vitest';
import { ann, at, day, type Given, nextDay, session } from '../../../test/support/examples/desired-examples.ts';
import { exampleSchedule, instant } from '../../../test/support/examples/schedule-examples.ts';

type Row = [now: number, input: Given, wanted: string, code: string, text: string, next?: number];

const rows: Record<string, Row> = {
  'working hours: awake until they end': [
    day('12:00'),
    {},
    'awake',
    'working_hours',
    'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    day('20:00'),
  ],
  'outside working hours: hibernated until they begin': [
    day('21:00'),
    {},
    'hibernated',
    'outside_working_hours',
    'Hibernated until Tuesday 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00',
    nextDay('08:00'),
  ],
  'a wake override in the night keeps the cluster awake until it ends': [
    day('21:00'),
    { wakeOverride: { until: day('23:00'), ...ann(day('20:30')) } },
    'awake',
    'wake_override',
    'Awake until 23:00 (Europe/Berlin): woken by ann@example.org at 20:30',
    day('23:00'),
  ],
  'a wake override that reaches into working hours lasts until those end': [
    day('21:00'),
    { wakeOverride: { until: nextDay('09:00'), ...ann(day('20:30')) } },
    'awake',
    'wake_override',
    'Awake until Tuesday 20:00 (Europe/Berlin): woken by ann@example.org at 20:30',
    nextDay('20:00'),
  ],
  'a wake override in working hours moves the end of the day': [
    day('19:00'),
    { wakeOverride: { until: day('22:00'), ...ann(day('18:00')) } },
    'awake',
    'wake_override',
    'Awake until 22:00 (Europe/Berlin): woken by ann@example.org at 18:00',
    day('22:00'),
  ],
  'a wake override is over at its very end': [
    day('23:00'),
    { wakeOverride: { until: day('23:00'), ...ann(day('20:30')) } },
    'hibernated',
    'outside_working_hours',
    'Hibernated until Tuesday 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00',
    nextDay('08:00'),
  ],
  'a clock that jumped to before the wake lowers nothing': [
    day('05:00'),
    { wakeOverride: { until: day('23:00'), ...ann(day('20:30')) } },
    'awake',
    'wake_override',
    'Awake until 23:00 (Europe/Berlin): woken by ann@example.org at 20:30',
    day('23:00'),
  ],
  'a manual hibernation in the afternoon lasts until the next working morning': [
    day('17:00'),
    { manualHibernation: ann(day('16:00')) },
    'hibernated',
    'manual_hibernation',
    'Hibernated until Tuesday 08:00 (Europe/Berlin): hibernated by hand by ann@example.org at 16:00',
    nextDay('08:00'),
  ],
  'a manual hibernation of friday lasts over the weekend': [
    instant('2026-11-21T12:00+01:00'),
    { manualHibernation: ann(instant('2026-11-20T16:00+01:00')) },
    'hibernated',
    'manual_hibernation',
    'Hibernated until Monday 08:00 (Europe/Berlin): hibernated by hand by ann@example.org at Friday 16:00',
    instant('2026-11-23T08:00+01:00'),
  ],
  'a manual hibernation is over at the opening': [
    nextDay('08:00'),
    { manualHibernation: ann(day('16:00')) },
    'awake',
    'working_hours',
    'Awake until 20:00 (Europe/Berlin): working hours of Tuesday 08:00-20:00',
    nextDay('20:00'),
  ],
  'a manual hibernation with an end of its own keeps to that': [
    nextDay('12:00'),
    { manualHibernation: { until: nextDay('13:00'), ...ann(day('16:00')) } },
    'hibernated',
    'manual_hibernation',
    'Hibernated until 13:00 (Europe/Berlin): hibernated by hand by ann@example.org at Monday 16:00',
    nextDay('13:00'),
  ],
  'a manual hibernation under a schedule that never opens has no end': [
    day('12:00'),
    { schedule: exampleSchedule('Europe/Berlin', { rest: 'on' }), manualHibernation: ann(day('11:00')) },
    'hibernated',
    'manual_hibernation',
    'Hibernated (Europe/Berlin): hibernated by hand by ann@example.org at 11:00',
  ],
  'a wake after a manual hibernation wins': [
    day('17:00'),
    {
      manualHibernation: ann(day('16:00')),
      wakeOverride: { until: day('18:00'), by: 'bob@example.org', at: day('16:30') },
    },
    'awake',
    'wake_override',
    'Awake until 20:00 (Europe/Berlin): woken by bob@example.org at 16:30',
    day('20:00'),
  ],
  'a manual hibernation does not come back when the wake that ended it is over': [
    day('19:00'),
    {
      manualHibernation: ann(day('16:00')),
      wakeOverride: { until: day('18:00'), by: 'bob@example.org', at: day('16:30') },
    },
    'awake',
    'working_hours',
    'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    day('20:00'),
  ],
  'a manual hibernation after a wake wins': [
    day('21:00'),
    {
      wakeOverride: { until: nextDay('23:00'), by: 'bob@example.org', at: day('19:00') },
      manualHibernation: ann(day('20:30')),
    },
    'hibernated',
    'manual_hibernation',
    'Hibernated until Tuesday 08:00 (Europe/Berlin): hibernated by hand by ann@example.org at 20:30',
    nextDay('08:00'),
  ],
  'a wake override does not come back when the hibernation that ended it is over': [
    nextDay('21:00'),
    {
      wakeOverride: { until: nextDay('23:00'), by: 'bob@example.org', at: day('19:00') },
      manualHibernation: ann(day('20:30')),
    },
    'hibernated',
    'outside_working_hours',
    'Hibernated until Wednesday 08:00 (Europe/Berlin): outside working hours of Tuesday 08:00-20:00',
    instant('2026-11-18T08:00+01:00'),
  ],
  'a wake and a hibernation at the same instant: up is the harmless side': [
    day('21:00'),
    { wakeOverride: { until: day('22:00'), ...ann(day('20:30')) }, manualHibernation: ann(day('20:30')) },
    'awake',
    'wake_override',
    'Awake until 22:00 (Europe/Berlin): woken by ann@example.org at 20:30',
    day('22:00'),
  ],
  'a wake and a hibernation at the same instant: when the wake is over the schedule decides': [
    day('15:00'),
    { wakeOverride: { until: day('14:00'), ...ann(day('13:00')) }, manualHibernation: ann(day('13:00')) },
    'awake',
    'working_hours',
    'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    day('20:00'),
  ],
  'an external session keeps the cluster awake in the night': [
    day('21:00'),
    { externalSessions: [session(day('20:30'), day('23:00'))] },
    'awake',
    'external_wake',
    'Awake until 23:00 (Europe/Berlin): cluster staging needs it (external wake)',
    day('23:00'),
  ],
  'of several external sessions the last to expire counts': [
    day('21:00'),
    { externalSessions: [session(day('20:30'), day('22:00')), session(day('20:40'), day('23:30'))] },
    'awake',
    'external_wake',
    'Awake until 23:30 (Europe/Berlin): cluster staging needs it (external wake)',
    day('23:30'),
  ],
  'an external session that reaches past working hours moves their end': [
    day('19:00'),
    { externalSessions: [session(day('18:00'), day('22:00'))] },
    'awake',
    'working_hours',
    'Awake until 22:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    day('20:00'),
  ],
  'an expired external session counts for nothing': [
    day('23:00'),
    { externalSessions: [session(day('20:30'), day('23:00'))] },
    'hibernated',
    'outside_working_hours',
    'Hibernated until Tuesday 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00',
    nextDay('08:00'),
  ],
  'an external session that begins after a manual hibernation is answered': [
    day('17:30'),
    { manualHibernation: ann(day('16:00')), externalSessions: [session(day('17:00'), day('19:00'))] },
    'awake',
    'external_wake',
    'Awake until 19:00 (Europe/Berlin): cluster staging needs it (external wake)',
    day('19:00'),
  ],
  'an external session from before a manual hibernation is overruled': [
    day('17:30'),
    { manualHibernation: ann(day('16:00')), externalSessions: [session(day('15:00'), day('19:00'))] },
    'hibernated',
    'manual_hibernation',
    'Hibernated until Tuesday 08:00 (Europe/Berlin): hibernated by hand by ann@example.org at 16:00',
    nextDay('08:00'),
  ],
  'a stand-down hands everything back first': [
    day('21:00'),
    { standDown: { actor: 'ann@example.org' } },
    'handback',
    'stand_down',
    'Handing everything back: stood down by ann@example.org',
  ],
  'a stand-down then scales nothing, and its reason is shown': [
    day('21:00'),
    { standDown: { actor: 'ann@example.org', reason: 'release' }, handbackDone: true },
    'nothing',
    'stand_down',
    'Not scaling - stood down by ann@example.org (release)',
  ],
  'a stand-down by configuration says so': [
    day('12:00'),
    { standDown: { actor: 'configuration' }, handbackDone: true },
    'nothing',
    'stand_down',
    'Not scaling - stood down by configuration',
  ],
  'an unlicensed service hands everything back': [
    day('21:00'),
    { license: { acts: false, verdict: 'unlicensed' } },
    'handback',
    'license',
    'Handing everything back: unlicensed',
  ],
  'an unlicensed service then scales nothing': [
    day('21:00'),
    { license: { acts: false, verdict: 'unlicensed' }, handbackDone: true },
    'nothing',
    'license',
    'Not scaling - unlicensed',
  ],
  'a failed license check says so': [
    day('21:00'),
    { license: { acts: false, verdict: 'check_failed' }, handbackDone: true },
    'nothing',
    'license',
    'Not scaling - license check failed',
  ],
  'a license that cannot be verified still acts': [
    day('12:00'),
    { license: { acts: true, verdict: 'unverified' } },
    'awake',
    'working_hours',
    'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    day('20:00'),
  ],
  'nothing happens before the first license check, not even a handback': [
    day('21:00'),
    { license: null, standDown: { actor: 'ann@example.org' } },
    'nothing',
    'license_not_checked',
    'Not scaling: the license has not been checked yet',
  ],
  'after a stop the schedule alone decides: an older manual hibernation is void': [
    day('18:00'),
    { manualHibernation: ann(day('16:00')), stopEndedAt: day('17:00') },
    'awake',
    'working_hours',
    'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    day('20:00'),
  ],
  'after a stop the schedule alone decides: an older wake override is void': [
    day('21:00'),
    { wakeOverride: { until: day('23:00'), ...ann(day('20:10')) }, stopEndedAt: day('20:30') },
    'hibernated',
    'outside_working_hours',
    'Hibernated until Tuesday 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00',
    nextDay('08:00'),
  ],
};

describe('desiredState', () => {
  it.each(Object.entries(rows))('%s', (_name, [now, input, wanted, code, text, next]) => {
    const state = at(now, input);
    expect({
      wanted: state.wanted,
      code: state.reason.code,
      text: state.reason.text,
      next: state.nextChangeAt,
    }).toEqual({
      wanted,
      code,
      text,
      next,
    });
  });

  it('names the actor of what people, clusters and the configuration did', () => {
    expect(at(day('17:00'), { manualHibernation: ann(day('16:00')) }).reason.actor).toBe('ann@example.org');
    expect(at(day('21:00'), { externalSessions: [session(day('20:30'), day('23:00'))] }).reason.actor).toBe('staging');
    expect(at(day('12:00'))).not.toHaveProperty('reason.actor');
  });

  it('keeps named resources of a session awake in a hibernating cluster, until it expires', () => {
    const state = at(day('21:00'), { externalSessions: [session(day('20:30'), day('23:00'), ['shop', 'auth'])] });
    expect(state.wanted).toBe('hibernated');
    expect(state.keepAwake).toEqual([
      { namespace: 'shop', cluster: 'staging', until: day('23:00') },
      { namespace: 'auth', cluster: 'staging', until: day('23:00') },
    ]);
    expect(state.nextChangeAt).toBe(day('23:00'));
    expect(state.reason.text).toBe(
      'Hibernated until Tuesday 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00',
    );
  });

  it('is external only while nothing but a session keeps the cluster awake', () => {
    const externalSessions = [session(day('18:00'), day('22:00'))];
    expect(at(day('19:00'), { externalSessions }).external).toBe(false);
    expect(at(day('21:00'), { externalSessions }).external).toBe(true);
  });

  it('acts in dry run on a handback alone', () => {
    const standDown = { actor: 'ann@example.org' } as const;
    const acting = (more: Given) => at(day('21:00'), { dryRun: true, ...more }).acting;
    expect([acting({}), acting({ standDown }), acting({ standDown, handbackDone: true })]).toEqual([
      false,
      true,
      false,
    ]);
    expect(at(day('21:00')).acting).toBe(true);
  });

  it('lists every cause of a stop', () => {
    const standDown = { actor: 'configuration' } as const;
    const license = { acts: false, verdict: 'unlicensed' } as const;
    expect(at(day('12:00'), { standDown, license }).causes).toEqual(['stand_down', 'license']);
    expect(at(day('12:00'), { license }).causes).toEqual(['license']);
    expect(at(day('12:00'), { standDown }).causes).toEqual(['stand_down']);
    expect(at(day('12:00')).causes).toEqual([]);
  });
});
