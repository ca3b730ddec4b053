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
  if (/\.(?:webp|png|svg|json)$/.test(below)) return below;
  return below.endsWith('.md')
    ? below.replace(/(?:^|(?<=\/))README\.md$/, 'index.md').replace(/\.md$/, '.html')
    : undefined;
}

/** The place of what a page links to, from that page: an anchor stays, what is not shipped has none. */
export function linkFrom(page: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.normalize(posix.join(posix.dirname(page), target));
  const place = placeOf(path) ?? placeOf(posix.join(path, 'README.md'));
  const here = placeOf(page);
  if (place === undefined || here === undefined) return undefined;
  const relative = posix.relative(posix.dirname(here), place);
  return anchor === undefined ? relative : `${relative}#${anchor}`;
}
