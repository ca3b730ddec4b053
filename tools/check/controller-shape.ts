import { isTest, type SourceFile, type Violation } from './violation.ts';

const folder = 'src/controller/';
const limits = { sources: 12, lines: 199, imports: 19 } as const;

/** A pass reads the cluster once, and the controller stays a loop over rooms: what holds both, by counting. */
export function controllerShape(all: readonly SourceFile[]): Violation[] {
  const files = all.filter(({ path }) => path.startsWith(folder));
  const sources = files.filter(({ path }) => !isTest(path));
  return [...gatherCalls(sources), ...readsPastSnapshot(sources), ...controllerSize(sources), ...looseSources(files)];
}

function gatherCalls(sources: readonly SourceFile[]): Violation[] {
  const calls = sources.flatMap((source) => matches(source, /(?<!function )\bgather\(/));
  const message = `gather() is called in ${calls.length} places; a pass reads the cluster once, in pass/run-pass.ts`;
  return calls.length === 1
    ? []
    : (calls.length === 0 ? [{ file: folder, line: 1 }] : calls).map((at) => ({ ...at, message }));
}

/** `view` stands for the caches wherever the controller has them. */
function readsPastSnapshot(sources: readonly SourceFile[]): Violation[] {
  const message =
    'reads workloads past the snapshot of the pass; take them from the snapshot, or read the one with the writer';
  return sources
    .filter(({ path }) => path !== `${folder}snapshot/snapshot.ts`)
    .flatMap((source) => matches(source, /\bview\.workloads?\(|\bclassifyWorkloads\(/))
    .map((at) => ({ ...at, message }));
}

function controllerSize(sources: readonly SourceFile[]): Violation[] {
  const controller = sources.find(({ path }) => path === `${folder}controller.ts`);
  if (controller === undefined) return [];
  const at = { file: controller.path, line: 1 };
  const lines = controller.text.trimEnd().split('\n').length;
  const imports = controller.text.match(/^import /gm)?.length ?? 0;
  return [
    ...(lines <= limits.lines ? [] : [{ ...at, message: `has ${lines} lines; the most is ${limits.lines}` }]),
    ...(imports <= limits.imports ? [] : [{ ...at, message: `has ${imports} imports; the most is ${limits.imports}` }]),
  ];
}

function looseSources(files: readonly SourceFile[]): Violation[] {
  const loose = files.filter(({ path }) => !path.slice(folder.length).includes('/'));
  const message = `holds ${loose.length} sources beside its rooms, tests included; the most is ${limits.sources}`;
  return loose.length <= limits.sources ? [] : [{ file: folder, line: 1, message }];
}

function matches({ path, text }: SourceFile, pattern: RegExp): { readonly file: string; readonly line: number }[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [{ file: path, line: index + 1 }] : []));
}
