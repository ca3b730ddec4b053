import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKeys, eventKinds } from './event-keys.ts';
import { confirmationMs, type EventMap, rankOf, routingOf } from './routing.ts';

type Row = [own: EventMap, common: EventMap, taken: boolean];

const standDown: Record<string, Row> = {
  'an empty map takes it': [{}, {}, true],
  'its key false leaves it': [{ standDown: false }, {}, false],
  'its priority false leaves it': [{ medium: false }, {}, false],
  'another key false does not matter': [{ wakeFailed: false }, {}, true],
  'another priority false does not matter': [{ high: false, low: false }, {}, true],
  'the common map counts where the own map is silent': [{}, { standDown: false }, false],
  'the own map wins for the key': [{ standDown: true }, { standDown: false }, true],
  'the own map wins for the priority': [{ medium: true }, { medium: false }, true],
  'the own map wins key by key: a common priority still counts': [{ standDown: true }, { medium: false }, false],
  'the own map may leave what the common map takes': [{ standDown: false }, { standDown: true }, false],
};

describe('a stand-down card', () => {
  it.each(Object.entries(standDown))('%s', (_, [own, common, taken]) => {
    expect(routingOf({ key: 'standDown' }, own, common).taken).toBe(taken);
  });
});

describe('a degraded wake', () => {
  const degraded = { key: 'wakeComplete', alsoHigh: true } as const;
  const rows: Record<string, Row> = {
    'reaches who takes high priority though low is off': [{ low: false }, {}, true],
    'does not reach who has its key off': [{ wakeComplete: false }, {}, false],
    'reaches who takes its own key and priority though high is off': [{ high: false }, {}, true],
    'does not reach who takes neither': [{ high: false, low: false }, {}, false],
    'does not reach who has high off in the common map and low off in the own': [
      { low: false },
      { high: false },
      false,
    ],
  };
  it.each(Object.entries(rows))('%s', (_, [own, common, taken]) => {
    expect(routingOf(degraded, own, common).taken).toBe(taken);
  });

  it('that lost a workload is left by who has wakeFailed off, and reaches who has wakeComplete or low off', () => {
    const failed = { key: 'wakeFailed', alsoHigh: true } as const;
    const taken = [{ wakeFailed: false }, { wakeComplete: false }, { low: false }].map(
      (own) => routingOf(failed, own, {}).taken,
    );
    expect(taken).toEqual([false, true, true]);
  });
});

describe('the card of a failed wake', () => {
  const failed = { key: 'wakeFailed', alsoHigh: true } as const;
  const rows: Record<string, Row> = {
    'reaches who takes high priority though low is off': [{ low: false }, {}, true],
    'reaches who leaves high but takes the cards of wakes': [{ high: false }, {}, true],
    'reaches who leaves high in the common map alone': [{}, { high: false }, true],
    'does not reach who leaves high and low': [{ high: false, low: false }, {}, false],
    'does not reach who leaves high and its key': [{ high: false, wakeFailed: false }, {}, false],
  };
  it.each(Object.entries(rows))('%s', (_, [own, common, taken]) => {
    expect(routingOf(failed, own, common).taken).toBe(taken);
  });
});

describe('for every event', () => {
  it('is taken exactly when neither its key nor its priority is false in the merged map', () => {
    const flags = fc.dictionary(
      fc.constantFrom(...eventKeys, 'high', 'medium', 'low'),
      fc.boolean(),
    ) as fc.Arbitrary<EventMap>;
    fc.assert(
      fc.property(fc.constantFrom(...eventKeys), flags, flags, (key, own, common) => {
        const merged: EventMap = { ...common, ...own };
        const expected = merged[key] !== false && merged[eventKinds[key].priority] !== false;
        const routing = routingOf({ key }, own, common);
        expect(routing.taken).toBe(expected);
        if (!routing.taken) expect(merged[routing.because]).toBe(false);
      }),
    );
  });

  it('has a rank by its priority, and a degraded wake the highest', () => {
    expect([rankOf({ key: 'wakeComplete' }), rankOf({ key: 'standDown' }), rankOf({ key: 'wakeFailed' })]).toEqual([
      0, 1, 2,
    ]);
    expect(rankOf({ key: 'wakeComplete', alsoHigh: true })).toBe(2);
  });

  it('waits for the confirmation window of the destination, then of all, then five minutes', () => {
    expect(confirmationMs({ confirmationWindowSeconds: 0 }, { confirmationWindowSeconds: 60 })).toBe(0);
    expect(confirmationMs({}, { confirmationWindowSeconds: 60 })).toBe(60_000);
    expect(confirmationMs({}, {})).toBe(300_000);
  });
});
