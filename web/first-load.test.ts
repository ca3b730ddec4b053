import { describe, expect, it } from 'vitest';
import { checkFirstLoad, firstLoadFiles, type Manifest } from './first-load.ts';

const manifest: Manifest = {
  'index.html': { file: 'assets/index-1.js', isEntry: true, imports: ['_react.js'], css: ['assets/index-2.css'] },
  '_react.js': { file: 'assets/react-3.js', imports: ['_shared.js'] },
  '_shared.js': { file: 'assets/shared-4.js', imports: ['_react.js'] },
  'app/resources/resources-page.tsx': { file: 'assets/resources-5.js', imports: ['_react.js'] },
};

describe('the first load', () => {
  it('is the entry with its static imports and styles, not the pages that come later', () => {
    expect(firstLoadFiles(manifest)).toEqual([
      'assets/index-1.js',
      'assets/index-2.css',
      'assets/react-3.js',
      'assets/shared-4.js',
    ]);
  });

  it('passes at exactly its budget', () => {
    expect(checkFirstLoad({ 'a.js': 600, 'b.js': 424 }, 1024)).toBe(1024);
  });

  it('fails a byte above it, naming the largest files first', () => {
    expect(() => checkFirstLoad({ 'a.js': 1024, 'b.js': 2048 }, 3071)).toThrow(
      'The first load is 3.0 KB compressed, over its budget of 3.0 KB: b.js 2.0 KB, a.js 1.0 KB',
    );
  });
});
