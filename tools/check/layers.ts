import { dirname, join, normalize } from 'node:path';

const inside = ['src/domain', 'src/contract', 'src/config', 'src/state', 'src/ports', 'src/platform'];
const processes = [...inside, 'src/service'];

/** Which folders a folder may import from, besides itself. What ships imports nothing of the demo, the tests or the embedded cluster. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/contract': ['src/domain'],
  'src/config': ['src/domain'],
  'src/state': ['src/domain'],
  'src/ports': ['src/domain', 'src/state', 'src/config'],
  'src/platform': ['src/domain', 'src/config', 'src/ports'],
  'src/adapters': inside,
  'src/service': [...inside, 'src/adapters'],
  'src/controller': processes,
  'src/api': processes,
  'src/frontend': processes,
  'src/satellite': processes,
  // With a kubeconfig the command line runs the API's own handlers, so that it answers, refuses and records as the API does.
  'src/cli': [...processes, 'src/adapters', 'src/api'],
  'embedded-cluster': [],
  web: ['src/contract', 'src/domain'],
};

/** Only these pick adapters: the entry point of a process (`main.ts`, and `main-<what>.ts` beside it), and the command line. */
const picksAdapters = (file: string) => /^src\/(controller|api|frontend|satellite)\/main(-[a-z]+)?\.ts$/.test(file);

/** The architecture's folder that a file belongs to, or undefined when no rule is written for it. */
export function layerOf(file: string): string | undefined {
  return Object.keys(allowed).find((layer) => file.startsWith(`${layer}/`));
}

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const importPattern = /(?:^|[^\w.])(?:import|export)\s*(?:[\w*{}\s,$]*?\sfrom\s*)?\(?\s*['"]([^'"]+)['"]/g;

/** Every import of a source file that goes against the direction of the layers. */
export function layerViolations(file: string, source: string): Violation[] {
  const layer = layerOf(file);
  if (layer === undefined || isTest(file)) return [];
  const found: Violation[] = [];
  for (const match of source.matchAll(importPattern)) {
    const specifier = match[1]!;
    const line = source.slice(0, match.index + match[0].length).split('\n').length;
    if (layer === 'src/domain' && specifier.startsWith('node:')) {
      found.push({
        file,
        line,
        message: `src/domain imports ${specifier}; it runs in a browser too and imports no node:*`,
      });
      continue;
    }
    if (!specifier.startsWith('.')) continue;
    const target = normalize(join(dirname(file), specifier)).replaceAll('\\', '/');
    const targetLayer = layerOf(target);
    if (targetLayer === layer) continue;
    if (targetLayer !== undefined && allowed[layer]!.includes(targetLayer)) continue;
    if (targetLayer === 'src/adapters' && picksAdapters(file)) continue;
    if (target === 'package.json') continue;
    found.push({
      file,
      line,
      message: `${layer} may not import ${targetLayer ?? target}; it may import ${allowed[layer]!.join(', ') || 'nothing of ours'}`,
    });
  }
  return found;
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}
