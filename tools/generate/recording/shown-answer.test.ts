import { describe, expect, it } from 'vitest';
import { shownAnswer, toTheMinute } from './shown-answer.ts';

const shown = (value: unknown) => JSON.parse(shownAnswer(JSON.stringify(value))) as unknown;

describe('an answer in a reference', () => {
  it.each<[string, unknown, unknown]>([
    [
      'has no token',
      { token: 'eyJ.x.y', refreshToken: 'abc' },
      { token: '<access token>', refreshToken: '<refresh token>' },
    ],
    [
      'has no random id, and keeps names that are ids',
      { id: '01J8ZK3V9QX7', other: { id: 'community' } },
      { id: '01J8ZK3V9QX7', other: { id: 'community' } },
    ],
    ['has no long id', { id: 'f3b0c9d2e1a04711' }, { id: '<id>' }],
    [
      'has times to the minute',
      { at: '2026-01-14T17:00:59.123Z', ms: 1768410659123 },
      { at: '2026-01-14T17:00:00Z', ms: 1768410600000 },
    ],
    [
      'shows the first of a list of objects',
      { items: [{ a: 1 }, { a: 2 }, { a: 3 }] },
      { items: [{ a: 1 }, '… 2 more'] },
    ],
    ['shows three of a list of words', ['a', 'b', 'c', 'd'], ['a', 'b', 'c', '… 1 more']],
    ['leaves numbers and nothing as they are', { n: 57, none: null, empty: [] }, { n: 57, none: null, empty: [] }],
  ])('%s', (_, given, expected) => {
    expect(shown(given)).toEqual(expected);
  });

  it('cuts a text that is longer than a line', () => {
    expect(shown({ text: 'x'.repeat(200) })).toEqual({ text: `${'x'.repeat(160)}…` });
  });

  it('shows the beginning of what is no JSON', () => {
    const table = Array.from({ length: 20 }, (_, row) => `row ${row},2026-01-14T17:00:59Z`).join('\r\n');
    const lines = shownAnswer(table).split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([13, 'row 0,2026-01-14T17:00:00Z', '…']);
  });

  it('takes the seconds out of sentences too', () => {
    expect(toTheMinute('awake until 2026-01-14T21:00:31Z.')).toBe('awake until 2026-01-14T21:00:00Z.');
  });
});
