import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';

describe('matchesGlob', () => {
  const rows: Record<string, [pattern: string, text: string, matches: boolean]> = {
    'a plain name matches itself': ['shop', 'shop', true],
    'a plain name does not match a longer one': ['shop', 'shop-a', false],
    'a plain name does not match a part': ['shop', 'myshop', false],
    'a star at the end': ['kube-*', 'kube-system', true],
    'a star matches nothing too': ['kube-*', 'kube-', true],
    'a star does not excuse the rest': ['kube-*', 'kube', false],
    'a star at the start': ['*-dev', 'shop-dev', true],
    'a star in the middle': ['shop-*-dev', 'shop-a-b-dev', true],
    'several stars': ['*a*b*', 'xxaxxbxx', true],
    'several stars out of order': ['*a*b*', 'xxbxxaxx', false],
    'a star alone matches everything': ['*', 'anything', true],
    'a star alone matches the empty text': ['*', '', true],
    'a question mark matches one character': ['team-?', 'team-7', true],
    'a question mark needs a character': ['team-?', 'team-', false],
    'a question mark takes no two characters': ['team-?', 'team-42', false],
    'a dot is a dot': ['a.c', 'abc', false],
    'brackets are brackets': ['[ab]', 'a', false],
    'case counts': ['Shop', 'shop', false],
    'the empty pattern matches the empty text alone': ['', 'a', false],
    'two stars are as one': ['a**b', 'ab', true],
  };
  it.each(Object.entries(rows))('%s', (_name, [pattern, text, matches]) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });

  it('agrees with a regular expression for any short pattern', () => {
    const text = (letters: string) => fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((l) => l.join(''));
    fc.assert(
      fc.property(text('ab*?'), text('ab'), (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(matchesGlob(pattern, name)).toBe(expression.test(name));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not blow up on a pattern made to backtrack', () => {
    // A regular expression needs longer than the age of the universe for this.
    expect(matchesGlob(`${'a*'.repeat(100)}b`, 'a'.repeat(253))).toBe(false);
  });
});
