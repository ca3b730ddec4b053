import { describe, expect, it } from 'vitest';
import { problemsOf } from './harness/problems.ts';
import { knownHere, readPages } from './harness/repository.ts';

const pages = readPages();
const known = knownHere(pages);
/** Old entries name what there was then. */
const words = pages.filter(({ path }) => path !== 'CHANGELOG.md');

describe('every word of every page holds', () => {
  it.each(words.map((page) => [page.path, page] as const))('%s', (_, page) => {
    expect(problemsOf(page, known).map(({ line, message }) => `${page.path}:${line}: ${message}`)).toEqual([]);
  });
});

describe('pages for people who run the service', () => {
  const guides = pages.filter(({ path }) => /^docs\/[^/]+\.md$/.test(path));

  it('are each named on the first page of the documents', () => {
    const first = pages.find(({ path }) => path === 'docs/README.md');
    const named = new Set(first?.links.map(({ text }) => `docs/${text.split('#')[0]}`));
    expect(guides.map(({ path }) => path).filter((path) => path !== 'docs/README.md' && !named.has(path))).toEqual([]);
  });

  it('are no longer than three screens', () => {
    expect(guides.filter(({ lines }) => lines > 150).map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([]);
  });
});
