import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('so many are under way at one time, and the next begins when one ends, in the order in which they came', () => {
  const turns = new Turns(2);
  const begun: string[] = [];
  const ends = ['a', 'b', 'c', 'd', 'e'].map((name) => turns.begin(() => void begun.push(name)));
  expect(begun).toEqual(['a', 'b']);
  ends[1]?.();
  ends[1]?.();
  expect(begun).toEqual(['a', 'b', 'c']);
  // Who gives up while he waits takes nobody's turn.
  ends[3]?.();
  ends[0]?.();
  expect(begun).toEqual(['a', 'b', 'c', 'e']);
  for (const end of ends) end();
  turns.begin(() => void begun.push('f'));
  turns.begin(() => void begun.push('g'));
  turns.begin(() => void begun.push('h'));
  expect(begun.slice(4)).toEqual(['f', 'g']);
});
