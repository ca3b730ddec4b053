/** A chunk as the bundler's manifest lists it. */
interface ManifestChunk {
  readonly file: string;
  readonly isEntry?: boolean;
  /** Keys of the chunks it imports at once; dynamic imports come later and do not count. */
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

export type Manifest = Readonly<Record<string, ManifestChunk>>;

const firstLoadBudget = 300 * 1024;

/** Every file that a browser fetches before the first screen. */
export function firstLoadFiles(manifest: Manifest): readonly string[] {
  const files = new Set<string>();
  const visit = (chunk: ManifestChunk | undefined) => {
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const key of chunk.imports ?? []) visit(manifest[key]);
  };
  for (const chunk of Object.values(manifest)) if (chunk.isEntry) visit(chunk);
  return [...files].sort();
}

class FirstLoadTooLarge extends Error {
  override readonly name = 'FirstLoadTooLarge';
}

/** Throws when the first load is over its budget, naming the largest files. */
export function checkFirstLoad(sizes: Readonly<Record<string, number>>, budget = firstLoadBudget): number {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  if (total <= budget) return total;
  const largest = Object.entries(sizes)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([file, size]) => `${file} ${kilobytes(size)}`);
  throw new FirstLoadTooLarge(
    `The first load is ${kilobytes(total)} compressed, over its budget of ${kilobytes(budget)}: ${largest.join(', ')}`,
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
