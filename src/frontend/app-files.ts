import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export type Encoding = 'br' | 'gzip';

/** A file of the built app, as it is known from the start: what is not in this list is never opened. */
export interface AppFile {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
  readonly size: number;
  /** Files made by the build beside this one. */
  readonly compressed: readonly { readonly encoding: Encoding; readonly path: string; readonly size: number }[];
}

export interface AppFiles {
  /** The page, with `./` where the place of the other files goes. */
  readonly index: string;
  /** By path below the app's folder, without a leading slash. */
  readonly files: ReadonlyMap<string, AppFile>;
}

class AppNotBuilt extends Error {
  override readonly name = 'AppNotBuilt';
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const encodings: readonly { readonly encoding: Encoding; readonly suffix: string }[] = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
];

/** The build puts a hash of the content into the name, so such a file never changes. */
const hashedName = /^assets\/.*[-.][A-Za-z0-9_-]{8,}\.\w+(?:\.map)?$/;

export async function readAppFiles(folder: string): Promise<AppFiles> {
  const index = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (index === undefined) {
    throw new AppNotBuilt(`WEB_ROOT: ${folder} holds no index.html; build the web app, or name the folder it is in`);
  }
  const names = await fileNames(folder);
  const files = new Map<string, AppFile>();
  for (const name of names) {
    if (name === 'index.html' || encodings.some(({ suffix }) => name.endsWith(suffix))) continue;
    files.set(name, await describe(folder, name, names));
  }
  return { index, files };
}

async function fileNames(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

async function describe(folder: string, name: string, names: ReadonlySet<string>): Promise<AppFile> {
  const path = join(folder, name);
  const content = await readFile(path);
  const compressed: { encoding: Encoding; path: string; size: number }[] = [];
  for (const { encoding, suffix } of encodings) {
    if (!names.has(name + suffix)) continue;
    compressed.push({ encoding, path: path + suffix, size: (await readFile(path + suffix)).length });
  }
  return {
    path,
    type: types[extname(name).toLowerCase()] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    cacheControl: hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    size: content.length,
    compressed,
  };
}

/** Places that the page names relative to itself are named from the root: `/prefix` and `/prefix/` then mean the same. */
export function indexUnder(index: string, prefix: string): string {
  return index
    .replaceAll(/(\s(?:src|href)=")\.\//g, (_, attribute: string) => `${attribute}${prefix}/`)
    .replace(/<head>/i, () => `<head><meta name="base-path" content="${prefix}/">`);
}
