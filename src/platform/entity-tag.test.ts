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
    'has an empty element among others': ['"x", , "a"', '"a"', true],
    'begins with an empty element': [', "a"', '"a"', true],
    'begins and ends with empty elements': [' ,\t,"b",,"a" , ,', '"a"', true],
    'has empty elements, and names others alone': [', "b", ,', '"a"', false],
    'has empty elements alone': [', ,', '"a"', false],
    'has an empty element and what is no tag': [', a', '"a"', false],
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
    expect(isNamedBy(`${' ,\t'.repeat(5_000)}x`, '"a"')).toBe(false);
    expect(isNamedBy(`"b"${' '.repeat(16_000)}x`, '"b"')).toBe(false);
    expect(isNamedBy(`${'"a", \t'.repeat(2_000)}`, '"b"')).toBe(false);
  });
});
