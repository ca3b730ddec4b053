import { describe, expect, it } from 'vitest';
import type { StandDownChange } from '../stops/stand-down-state.ts';
import { type StillHolding, standDownChanged } from './stand-down.ts';

const at = Date.parse('2026-11-13T19:01:00Z');
const nothing: StillHolding = { sources: [], licenseActs: true };
const admin: StandDownChange = {
  id: 'c1',
  act: 'stood-down',
  source: 'admin',
  actor: 'ada@example.com',
  at,
  reason: 'release',
};
const ended: StandDownChange = { id: 'c1', act: 'ended', source: 'admin', actor: 'bob@example.com', at };
const handsBack = 'Everything that was scaled down is handed back, and nothing is scaled until the stand-down ends.';

describe('what is told of a stand-down', () => {
  it('that an admin began, with the reason', () => {
    expect(standDownChanged(admin, { sources: ['admin'], licenseActs: true })).toEqual({
      id: 'c1',
      at,
      audit: { id: 'c1', at, kind: 'stand-down', title: 'Stood Down', actor: 'ada@example.com', reason: 'release' },
      event: {
        where: 'release',
        type: 'Warning',
        reason: 'StoodDown',
        message: `Stood down by ada@example.com: release. ${handsBack}`,
      },
      notice: {
        id: 'c1',
        at,
        key: 'standDown',
        color: 'red',
        title: 'Stood Down by ada@example.com',
        text: `release. ${handsBack}`,
      },
      log: {
        level: 'info',
        message: 'Stood down: handing back what was scaled down, scaling nothing until it ends',
        fields: { source: 'admin', actor: 'ada@example.com', reason: 'release' },
      },
    });
  });

  it('that the configuration began', () => {
    const { reason: _, ...change } = admin;
    const told = standDownChanged({ ...change, source: 'configuration', actor: 'configuration' }, nothing);
    expect([told.audit, told.notice?.title, told.notice?.text, told.event?.message]).toEqual([
      { id: 'c1', at, kind: 'stand-down', title: 'Stood Down', actor: 'configuration' },
      'Stood Down by configuration',
      handsBack,
      `Stood down by configuration. ${handsBack}`,
    ]);
  });

  it('that ended, and scaling resumes', () => {
    expect(standDownChanged(ended, nothing)).toEqual({
      id: 'c1',
      at,
      audit: { id: 'c1', at, kind: 'stand-down-ended', title: 'Stand-down Ended', actor: 'bob@example.com' },
      event: {
        where: 'release',
        type: 'Normal',
        reason: 'StandDownEnded',
        message: 'Stand-down ended by bob@example.com. Scaling resumes.',
      },
      notice: {
        id: 'c1',
        at,
        key: 'standDown',
        color: 'blue',
        title: 'Stand-down Ended by bob@example.com',
        text: 'Scaling resumes.',
      },
      log: {
        level: 'info',
        message: 'Stand-down ended',
        fields: { source: 'admin', actor: 'bob@example.com', scalingResumes: true },
      },
    });
  });

  it.each<[string, StillHolding, string]>([
    [
      'the configuration',
      { sources: ['configuration'], licenseActs: true },
      'Scaling does not resume: the configuration still holds a stand-down.',
    ],
    [
      'an admin',
      { sources: ['admin'], licenseActs: true },
      "Scaling does not resume: an admin's stand-down still holds.",
    ],
    [
      'the configuration and the license',
      { sources: ['configuration'], licenseActs: false },
      'Scaling does not resume: the configuration still holds a stand-down, and the license does not let the service act.',
    ],
  ])('that ended while %s still holds', (_name, holding, text) => {
    const { event, notice, log } = standDownChanged(ended, holding);
    expect([event?.message, notice?.text, log?.fields['scalingResumes']]).toEqual([
      `Stand-down ended by bob@example.com. ${text}`,
      text,
      false,
    ]);
  });
});
