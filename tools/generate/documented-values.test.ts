import { describe, expect, it } from 'vitest';
import { documentedValues, leafPaths } from './documented-values.ts';

const text = `# About the file.

# @section First

# -- What a is.
a: ''
# A remark that describes nothing.
b:
  # -- What c is, over
  # two lines.
  c: [1, 2]

  # -- What d is.
  d:
    e: true

# @section Second

f: 1
`;

describe('the documentation of values', () => {
  it('is read from the comments above the keys', () => {
    expect(documentedValues(text)).toEqual([
      { path: 'a', section: 'First', description: 'What a is.', default: '' },
      { path: 'b.c', section: 'First', description: 'What c is, over two lines.', default: [1, 2] },
      { path: 'b.d', section: 'First', description: 'What d is.', default: { e: true } },
    ]);
  });

  it('takes empty maps and lists for leaves', () => {
    expect(leafPaths({ a: { b: {}, c: [], d: { e: 1 } }, f: null })).toEqual(['a.b', 'a.c', 'a.d.e', 'f']);
  });
});
