import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endSettled,
  type StandDownStep,
  type StandDownTrigger,
  sourcesOf,
  stepStandDown,
} from './begin-or-end-stand-down.ts';
import { isStoodDown, notStoodDown, type StandDownState, standDownSummary } from './stand-down-state.ts';

const at = Date.parse('2026-11-13T19:00:00Z');
const later = at + 60_000;
const context = { at: later, changeId: 'c1' };

const byAdmin: StandDownState = {
  admin: { actor: 'ada@example.com', at, reason: 'release' },
  handbackDone: false,
  unannounced: [],
};
const byConfiguration: StandDownState = { configuration: { at }, handbackDone: true, unannounced: [] };
const byBoth: StandDownState = { ...byAdmin, configuration: { at }, handbackDone: true };

const post: StandDownTrigger = { type: 'admin-stands-down', actor: 'ada@example.com', reason: 'release' };
const end: StandDownTrigger = { type: 'admin-ends', actor: 'bob@example.com' };
const disabled: StandDownTrigger = { type: 'configuration-seen', enabled: false };
const enabled: StandDownTrigger = { type: 'configuration-seen', enabled: true };

describe('the table of the stand-down', () => {
  const rows: Record<string, [StandDownState, StandDownTrigger, StandDownStep]> = {
    'not stood down, an admin stands it down': [
      notStoodDown,
      post,
      {
        state: {
          admin: { actor: 'ada@example.com', at: later, reason: 'release' },
          handbackDone: false,
          unannounced: [
            { id: 'c1', act: 'stood-down', source: 'admin', actor: 'ada@example.com', at: later, reason: 'release' },
          ],
        },
        update: {
          standDown: {
            source: 'admin',
            actor: 'ada@example.com',
            at: '2026-11-13T19:01:00.000Z',
            reason: 'release',
            configuration: false,
            handbackDone: false,
          },
        },
      },
    ],
    'not stood down, config.global.enabled set to false and seen': [
      notStoodDown,
      disabled,
      {
        state: {
          configuration: { at: later },
          handbackDone: false,
          unannounced: [{ id: 'c1', act: 'stood-down', source: 'configuration', actor: 'configuration', at: later }],
        },
        update: {
          standDown: {
            source: 'configuration',
            actor: 'configuration',
            at: '2026-11-13T19:01:00.000Z',
            configuration: true,
            handbackDone: false,
          },
        },
      },
    ],
    'stood down by an admin, an admin stands it down again': [
      byAdmin,
      post,
      {
        state: byAdmin,
        refusal: {
          status: 409,
          code: 'already_stood_down',
          message: 'An admin has already stood the service down.',
        },
      },
    ],
    'stood down by an admin, an admin ends it': [
      byAdmin,
      end,
      {
        state: {
          handbackDone: false,
          ended: { actor: 'bob@example.com', at: later },
          unannounced: [{ id: 'c1', act: 'ended', source: 'admin', actor: 'bob@example.com', at: later }],
        },
        update: { standDown: null },
      },
    ],
    'stood down by both, an admin ends theirs': [
      byBoth,
      end,
      {
        state: {
          configuration: { at },
          handbackDone: true,
          unannounced: [{ id: 'c1', act: 'ended', source: 'admin', actor: 'bob@example.com', at: later }],
        },
        update: {
          standDown: {
            source: 'configuration',
            actor: 'configuration',
            at: '2026-11-13T19:00:00.000Z',
            configuration: true,
            handbackDone: true,
          },
        },
      },
    ],
    'stood down by configuration, an admin tries to end it': [
      byConfiguration,
      end,
      {
        state: byConfiguration,
        refusal: {
          status: 409,
          code: 'stand_down_by_configuration',
          message: 'The configuration holds the stand-down: only setting config.global.enabled to true ends it.',
        },
      },
    ],
    'stood down by configuration, config.global.enabled set to true': [
      byConfiguration,
      enabled,
      {
        state: {
          handbackDone: false,
          ended: { actor: 'configuration', at: later },
          unannounced: [{ id: 'c1', act: 'ended', source: 'configuration', actor: 'configuration', at: later }],
        },
        update: { standDown: null },
      },
    ],
    'not stood down, an admin ends it': [
      notStoodDown,
      end,
      {
        state: notStoodDown,
        refusal: { status: 409, code: 'not_stood_down', message: 'The service is not stood down.' },
      },
    ],
    'handback running, everything is back': [
      byAdmin,
      { type: 'handback-finished' },
      {
        state: { ...byAdmin, handbackDone: true },
        update: {
          standDown: {
            source: 'admin',
            actor: 'ada@example.com',
            at: '2026-11-13T19:00:00.000Z',
            reason: 'release',
            configuration: false,
            handbackDone: true,
          },
        },
      },
    ],
    'nothing changes when the configuration says what is known': [notStoodDown, enabled, { state: notStoodDown }],
    'nothing changes when the configuration still says false': [byBoth, disabled, { state: byBoth }],
    'a handback that finished finishes once': [byBoth, { type: 'handback-finished' }, { state: byBoth }],
    'no handback finishes while nothing is stood down': [
      notStoodDown,
      { type: 'handback-finished' },
      { state: notStoodDown },
    ],
  };
  for (const [name, [state, trigger, step]] of Object.entries(rows)) {
    it(name, () => expect(stepStandDown(state, trigger, context)).toEqual(step));
  }
});

describe('two sources', () => {
  it('an admin may stand down what the configuration holds; the handback is not begun anew', () => {
    const { state, refusal } = stepStandDown(byConfiguration, post, context);
    expect(refusal).toBeUndefined();
    expect(standDownSummary(state)).toMatchObject({ source: 'admin', configuration: true, handbackDone: true });
  });
  it('the configuration may hold what an admin stood down', () => {
    const { state } = stepStandDown(byAdmin, disabled, context);
    expect(standDownSummary(state)).toMatchObject({ source: 'admin', configuration: true, handbackDone: false });
  });
  it('the configuration ends its own alone', () => {
    const { state } = stepStandDown(byBoth, enabled, context);
    expect(standDownSummary(state)).toMatchObject({ source: 'admin', configuration: false });
  });
});

describe('the bookkeeping of a stand-down', () => {
  it('a new stand-down forgets who ended the last one, and its handback is to do', () => {
    const ended = stepStandDown({ ...byAdmin, handbackDone: true }, end, context).state;
    const again = stepStandDown(ended, post, { ...context, changeId: 'c2' }).state;
    expect(again).toMatchObject({ handbackDone: false });
    expect(again.ended).toBeUndefined();
    expect(again.unannounced.map(({ id }) => id)).toEqual(['c1', 'c2']);
  });
  it('a handbackDone that somebody left behind does not skip the next handback', () => {
    const { state } = stepStandDown({ ...notStoodDown, handbackDone: true }, post, context);
    expect(state.handbackDone).toBe(false);
  });
  it('once both ends are told and settled, nothing is left of it', () => {
    const first = stepStandDown(notStoodDown, post, context).state;
    const second = stepStandDown(first, end, { ...context, changeId: 'c2' }).state;
    expect(endSettled({ ...second, unannounced: [] })).toEqual(notStoodDown);
  });

  const anyTrigger = fc.constantFrom<StandDownTrigger>(post, end, disabled, enabled, { type: 'handback-finished' });
  it('any run of triggers: a refusal changes nothing, and a change is to be told with each begin and end', () => {
    fc.assert(
      fc.property(fc.array(anyTrigger, { maxLength: 12 }), (triggers) => {
        let state = notStoodDown;
        triggers.forEach((trigger, index) => {
          const step = stepStandDown(state, trigger, { ...context, changeId: `c${index}` });
          if (step.refusal !== undefined) expect(step.state).toBe(state);
          const told = step.state.unannounced.length - state.unannounced.length;
          expect(told).toBe(sourcesOf(step.state).length === sourcesOf(state).length ? 0 : 1);
          if (!isStoodDown(step.state)) expect(step.state.handbackDone).toBe(false);
          expect(isStoodDown(step.state) && step.state.ended !== undefined).toBe(false);
          state = step.state;
        });
      }),
    );
  });
});
