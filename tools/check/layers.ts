import { importsOf } from './imports.ts';
import { isTest, type Violation } from './violation.ts';

const inside = ['src/domain', 'src/contract', 'src/config', 'src/state', 'src/ports', 'src/platform'];
const processes = [...inside, 'src/service'];

/** Which folders a folder may import from, besides itself. What ships imports nothing of the demo, the tests or the embedded cluster. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/contract': ['src/domain'],
  'src/config': ['src/domain'],
  'src/state': ['src/domain'],
  'src/ports': ['src/domain'],
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
function layerOf(file: string): string | undefined {
  return Object.keys(allowed).find((layer) => file.startsWith(`${layer}/`));
}

/** Every import of a source file that goes against the direction of the layers. */
export function layerViolations(file: string, source: string): Violation[] {
  const layer = layerOf(file);
  if (layer === undefined || isTest(file)) return [];
  return importsOf({ path: file, text: source }).flatMap(({ specifier, target, line }) => {
    const message = target === undefined ? packageProblem(layer, specifier) : directionProblem(file, layer, target);
    return message === undefined ? [] : [{ file, line, message }];
  });
}

function packageProblem(layer: string, specifier: string): string | undefined {
  if (layer !== 'src/domain' || !specifier.startsWith('node:')) return undefined;
  return `src/domain imports ${specifier}; it runs in a browser too and imports no node:*`;
}

function directionProblem(file: string, layer: string, target: string): string | undefined {
  const targetLayer = layerOf(target);
  const may = allowed[layer]!;
  if (targetLayer === layer || target === 'package.json') return undefined;
  if (targetLayer !== undefined && may.includes(targetLayer)) return undefined;
  if (targetLayer === 'src/adapters' && picksAdapters(file)) return undefined;
  return `${layer} may not import ${targetLayer ?? target}; it may import ${may.join(', ') || 'nothing of ours'}`;
}
