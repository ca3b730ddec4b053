import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { innerPages } from '../app/shell/inner-pages.ts';
import { pages } from '../app/shell/pages.ts';
import { buildHelp } from './build-help.ts';
import { linkFrom } from './places.ts';
import { renderPage } from './render-page.ts';

let folder: string;
const built = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-help-'));
  await buildHelp(folder);
  for (const entry of await readdir(join(folder, 'help'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = posix.relative(join(folder, 'help'), join(entry.parentPath, entry.name));
    built.set(path, await readFile(join(entry.parentPath, entry.name), 'utf8'));
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The pages, parts of pages and files that a built page leads to, and that are not there. */
function missingFrom(path: string, html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+)"/g)].flatMap(([, name = '']) => {
    if (/^https?:/.test(name)) return [];
    const [, place = '', anchor] = /^#\/help\/([^?]+)(?:\?at=(.+))?$/.exec(name) ?? [];
    const target = built.get(place) ?? built.get(name.replace(/^help\//, ''));
    const there = target !== undefined && (anchor === undefined || target.includes(`id="${anchor}"`));
    return there ? [] : [`${path}: ${name}`];
  });
}

describe('the help that ships with the app', () => {
  it('has a page for each page of the app and for the sign-in', () => {
    const named = [...pages, ...innerPages].map(({ help }) => help);
    expect([...named, 'sign-in.html', 'index.html'].filter((page) => !built.has(page))).toEqual([]);
  });

  it('leads nowhere that is not there', () => {
    const html = [...built].filter(([path]) => path.endsWith('.html'));
    expect(html.length).toBeGreaterThan(40);
    expect(html.flatMap(([path, text]) => missingFrom(path, text))).toEqual([]);
  });

  it('loads nothing from another host and runs nothing', () => {
    const all = [...built].filter(([path]) => path.endsWith('.html'));
    const loads = /<script|\bon\w+="|src="(?:https?:)?\/\/|@import|url\(\s*['"]?(?:https?:)?\/\//;
    expect(
      all.filter(([, text]) => loads.test(text.replace(/<code>[\s\S]*?<\/code>/g, ''))).map(([path]) => path),
    ).toEqual([]);
  });

  it('draws every diagram, with a name', () => {
    const drawn = built.get('stand-down.html') ?? '';
    expect(drawn).toMatch(/<svg role="img" aria-label="Diagram: [^"]+"/);
    expect([...built.values()].filter((text) => text.includes('mermaid\n'))).toEqual([]);
  });
});

describe('a link of a document', () => {
  it.each([
    ['docs/verdicts.md', 'recovery.md#by-hand', '#/help/recovery.html?at=by-hand'],
    ['docs/verdicts.md', '#reasons', '#/help/verdicts.html?at=reasons'],
    ['docs/reference/api.md', '../sign-in.md', '#/help/sign-in.html'],
    ['docs/README.md', '../charts/svc/README.md', '#/help/chart-values.html'],
    ['docs/README.md', 'adr/README.md', '#/help/adr/index.html'],
    ['docs/schedules.md', 'images/calendar.webp', 'help/images/calendar.webp'],
    ['docs/verdicts.md', 'https://example.com/a', 'https://example.com/a'],
    ['docs/contributing/kind.md', '../../src/domain/kinds/kinds.ts', undefined],
  ])('%s: %s', (page, href, expected) => {
    expect(linkFrom(page, href)).toBe(expected);
  });

  it('that has no place in the help is read and not followed', () => {
    expect(renderPage('docs/README.md', '# A\n\n[the table](../src/kinds.ts) <b onclick="x()">no</b>')).toContain(
      '<p>the table &lt;b onclick=&quot;x()&quot;&gt;no&lt;/b&gt;</p>',
    );
  });
});
