import { posix } from 'node:path';

/** Documents outside `docs` that its pages lead to, and what they are called in the app. */
export const further: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.html',
  'CONTRIBUTING.md': 'contributing.html',
  'SECURITY.md': 'security-policy.html',
  'charts/svc/README.md': 'chart-values.html',
};

/** Where a document of the repository is found below `help`; undefined when it is not shipped. */
export function placeOf(path: string): string | undefined {
  if (path in further) return further[path];
  if (!path.startsWith('docs/')) return undefined;
  const below = path.slice('docs/'.length);
  if (/\.(?:webp|png|svg)$/.test(below)) return below;
  return below.endsWith('.md')
    ? below.replace(/(?:^|(?<=\/))README\.md$/, 'index.md').replace(/\.md$/, '.html')
    : undefined;
}

/** Where a link or a picture of a page leads in the app: a page by its address, a file by its place. What is not shipped has none. */
export function linkFrom(page: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const path = target === '' ? page : posix.normalize(posix.join(posix.dirname(page), target));
  const place = placeOf(path) ?? (posix.extname(path) === '' ? placeOf(posix.join(path, 'README.md')) : undefined);
  if (place === undefined) return undefined;
  if (!place.endsWith('.html')) return `help/${place}`;
  // The app's address is a fragment itself, so a part of a page is named behind a question mark.
  return anchor === undefined ? `#/help/${place}` : `#/help/${place}?at=${anchor}`;
}
