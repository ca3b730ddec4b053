import { describe, expect, it } from 'vitest';
import { asleep, status } from '../../fixtures/status.ts';
import { type ActName, availability, consequences, onlyRenews } from './acts.ts';

const admin = { source: 'admin', actor: 'ada@example.com', at: '2026-11-03T10:00:00.000Z' } as const;
const byAdmin = { ...admin, configuration: false, handbackDone: true };
const byConfiguration = {
  source: 'configuration',
  actor: 'configuration',
  at: '2026-11-03T10:00:00.000Z',
  configuration: true,
  handbackDone: false,
} as const;
const override = { until: '2026-11-03T22:00:00.000Z', by: 'bob@example.com', at: '2026-11-03T18:00:00.000Z' };
const unlicensed = {
  verdict: 'unlicensed',
  acts: false,
  chip: { color: 'red', text: 'Not scaling - unlicensed', detail: 'no license' },
} as const;

describe('an act', () => {
  const every: readonly ActName[] = ['wake', 'keep-awake', 'hibernate', 'resume', 'stand-down'];

  it.each(every)('%s is disabled while the status cannot be read', (act) => {
    expect(availability(act, { status: undefined, admin: true })).toEqual({
      enabled: false,
      why: 'The status cannot be read, so nothing can be decided from here.',
    });
  });

  it.each(every)('%s is for admins', (act) => {
    expect(availability(act, { status: status({}), admin: false })).toEqual({
      enabled: false,
      why: 'Only an admin may do this.',
    });
  });

  const rows: [string, ActName, Parameters<typeof status>[0], string | undefined][] = [
    ['wakes a sleeping cluster', 'wake', asleep, undefined],
    ['renews the wake of one that runs', 'wake', {}, undefined],
    ['hibernates one that runs', 'hibernate', {}, undefined],
    ['does not hibernate twice', 'hibernate', asleep, 'The cluster is hibernated already.'],
    [
      'does not hibernate what goes to sleep',
      'hibernate',
      { state: 'hibernating' },
      'The cluster is going to sleep already.',
    ],
    ['resumes only what somebody changed', 'resume', {}, 'The schedule decides already.'],
    ['resumes after a wake', 'resume', { wakeOverride: override }, undefined],
    [
      'wakes nothing while stood down',
      'wake',
      { standDown: byAdmin },
      'The service is stood down by ada@example.com and scales nothing.',
    ],
    [
      'resumes nothing while stood down',
      'resume',
      { standDown: byConfiguration },
      'The service is stood down by configuration and scales nothing.',
    ],
    [
      'hibernates nothing unlicensed',
      'hibernate',
      { license: unlicensed, causes: ['license'] },
      'Not scaling - unlicensed.',
    ],
    ['stands down unlicensed too', 'stand-down', { license: unlicensed, causes: ['license'] }, undefined],
    [
      'does not stand down twice',
      'stand-down',
      { standDown: byAdmin },
      'ada@example.com stood the service down already.',
    ],
    ['stands down beside the configuration', 'stand-down', { standDown: byConfiguration }, undefined],
  ];
  it.each(rows)('%s', (_, act, parts, why) => {
    const expected = why === undefined ? { enabled: true } : { enabled: false, why };
    expect(availability(act, { status: status(parts), admin: true })).toEqual(expected);
  });
});

describe('what an act says before it is confirmed', () => {
  it('counts what a wake brings back', () => {
    expect(consequences('wake', status(asleep))).toEqual([
      '142 workloads will be brought back to the recorded count, in wake order, and the cluster stays awake until the time below.',
    ]);
  });

  it('says that a wake of a running cluster changes nothing', () => {
    expect(onlyRenews(status({}))).toBe(true);
    expect(consequences('wake', status({}))).toEqual([
      'The cluster already runs: no workload changes, only the time until which it stays awake moves.',
    ]);
  });

  it('counts what a hibernation takes down and leaves alone', () => {
    expect(consequences('hibernate', status({ wakeOverride: override }))).toEqual([
      '142 workloads will be scaled to zero or suspended, in hibernate order; each count is recorded first.',
      '9 workloads will be left alone.',
      'The wake by bob@example.com ends.',
    ]);
  });

  it('tells of a dry run', () => {
    expect(consequences('hibernate', status({ dryRun: true })).at(-1)).toBe(
      'Dry run is on: no workload is changed. What you ask for is kept, and counts once the dry run ends.',
    );
    expect(consequences('stand-down', status({ dryRun: true })).join()).not.toContain('Dry run');
  });

  it('tells that the configuration holds on', () => {
    const both = { ...byAdmin, configuration: true };
    expect(consequences('end-stand-down', status({ standDown: both }))).toEqual([
      "The admin's stand-down ends. The configuration still holds one, so nothing is scaled.",
    ]);
  });

  it('says that resuming puts everything to sleep now, and how much', () => {
    const parts = { wakeOverride: override, unacted: status(asleep).unacted };
    expect(consequences('resume', status(parts))).toEqual([
      'The wake by bob@example.com ends.',
      'The schedule then says: Hibernated until 08:00 (Europe/Berlin): outside working hours of Tuesday 08:00-20:00.',
      'So 142 workloads will go to sleep at once.',
    ]);
  });

  it('says that resuming brings everything back now', () => {
    const { unacted } = status({});
    const manualHibernation = { by: 'bob@example.com', at: '2026-11-03T10:00:00.000Z' };
    expect(consequences('resume', status({ ...asleep, unacted, manualHibernation }))).toEqual([
      'The manual hibernation by bob@example.com ends.',
      'The schedule then says: Awake until 20:00 (Europe/Berlin): working hours of Tuesday 08:00-20:00.',
      'So 142 workloads will be brought back to the recorded count at once.',
    ]);
  });

  it('says what the end of a stand-down leads to', () => {
    const { unacted } = status(asleep);
    expect(consequences('end-stand-down', status({ standDown: byAdmin, causes: ['stand_down'], unacted }))).toEqual([
      'The service scales again at once.',
      'The schedule then says: Hibernated until 08:00 (Europe/Berlin): outside working hours of Tuesday 08:00-20:00.',
      'So 142 workloads will go to sleep at once.',
    ]);
    expect(consequences('end-stand-down', status({ standDown: byAdmin, causes: ['stand_down'] })).at(-1)).toBe(
      'So everything stays as it is now.',
    );
    expect(consequences('end-stand-down', status({ standDown: byAdmin, causes: ['stand_down', 'license'] }))).toEqual([
      'The stand-down ends. The license still keeps the service from scaling, so nothing changes.',
    ]);
  });

  it('tells those that are down by their owners from those that a hibernation takes down', () => {
    const workloads = { managed: 57, up: 51, starting: 3, down: 3, hibernated: 0, wouldSleep: 54, excluded: 9 };
    expect(consequences('hibernate', status({ workloads }))).toEqual([
      '54 workloads will be scaled to zero or suspended, in hibernate order; each count is recorded first.',
      '3 workloads are down by their owners, and nobody touches them.',
      '9 workloads will be left alone.',
    ]);
  });
});
