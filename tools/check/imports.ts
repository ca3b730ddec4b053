import { dirname, join, normalize } from 'node:path';
import { lineAt, type SourceFile } from './violation.ts';

export interface Import {
  /** As it is written: `../workload.ts` or `node:crypto`. */
  readonly specifier: string;
  /** The file that a relative one leads to; undefined for a package. */
  readonly target: string | undefined;
  readonly line: number;
}

const importPattern = /(?:^|[^\w.])(?:import|export)\s*(?:[\w*{}\s,$]*?\sfrom\s*)?\(?\s*['"]([^'"]+)['"]/g;

/** Every import of a file, of types too: static, dynamic and `export … from`. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(importPattern)].map((match) => {
    const specifier = match[1]!;
    const target = specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier)).replaceAll('\\', '/')
      : undefined;
    return { specifier, target, line: lineAt(text, match.index + match[0].length) };
  });
}
