import { describe, expect, it } from 'vitest';
import { isNamedBy } from './entity-tag.ts';

describe('If-None-Match', () => {
  const rows: Readonly<Record<string, readonly [string | undefined, string, boolean]>> = {
    'is left out': [undefined, '"a"', false],
    'is empty': ['', '"a"', false],
    'names the tag': ['"a"', '"a"', true],
    'names another': ['"b"', '"a"', false],
    'names it weakly': ['W/"a"', '"a"', true],
    'names a weak one strongly': ['"a"', 'W/"a"', true],
    'names a weak one weakly': ['W/"a"', 'W/"a"', true],
    'names it among others': ['"b", W/"c","a"', '"a"', true],
    'names others alone': ['"b", W/"c"', '"a"', false],
    'names anything': ['*', '"a"', true],
    'names anything, with spaces': [' * ', 'W/"a"', true],
    'is a star within quotes': ['"*"', '"a"', false],
    'has a comma within a tag': ['"b,a"', '"a"', false],
    'has the tag within another': ['"b", "xa"', '"a"', false],
    'has no quotes': ['a', '"a"', false],
    'writes weak in small letters, which is no tag': ['w/"a"', '"a"', false],
    'mixes a star with tags, which is no list': ['*, "a"', '"a"', false],
    'has no end': ['"a', '"a"', false],
    'has what another tag swallows': ['"b" "a"', '"a"', false],
  };
  for (const [title, [header, etag, named]] of Object.entries(rows)) {
    it(title, () => expect(isNamedBy(header, etag)).toBe(named));
  }

  it('is read in a blink, however long', () => {
    expect(isNamedBy(`${'"a",'.repeat(4_000)}x`, '"a"')).toBe(false);
    expect(isNamedBy(`${'"a", \t'.repeat(2_000)}`, '"b"')).toBe(false);
  });
});
