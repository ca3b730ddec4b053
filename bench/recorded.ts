import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** A picture of lines over one axis. */
export interface Chart {
  readonly title: string;
  /** `factor`: each factor the same distance, for what grows with the size of a fleet; `linear`: for what goes on with time. */
  readonly scale: 'factor' | 'linear';
  readonly x: string;
  readonly y: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] }[];
}

/** A picture of bars, each made of parts. */
export interface Bars {
  readonly title: string;
  readonly parts: readonly string[];
  readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** What a benchmark comes to. */
export interface Result {
  /** In one line. */
  readonly figure: string;
  readonly pass: boolean;
  readonly charts?: readonly (Chart | Bars)[];
}

/** A figure with all that is needed to see it again, as `docs/performance.md` shows it. */
export interface Recorded extends Result {
  readonly benchmark: string;
  readonly command: string;
  readonly version: string;
  readonly commit: string;
  readonly date: string;
  readonly cores: number;
  /** Of the processors' time, while it ran. */
  readonly hostTookPercent: number;
  /** The lines that it printed before. */
  readonly details: readonly string[];
}

const root = join(import.meta.dirname, '..');
export const figuresFolder = join(root, 'docs', 'figures');

/** `siege --tls` is kept as `siege-tls`; a flag that gives a command is no part of the name. */
export function recordName(args: readonly string[]): string {
  const isCommand = (word: string | undefined) => word?.includes(' ') === true;
  return args
    .filter((word, index) => !isCommand(word) && !isCommand(args[index + 1]))
    .join('-')
    .replaceAll(/[^a-z0-9]+/gi, '-')
    .replaceAll(/^-|-$/g, '');
}

/** As it is typed. */
export function inShell(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The commit, or what differs from it: nobody could measure that again. */
export function commitOrChanges(): { readonly commit: string; readonly changes: string } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
  const changes = git('status', '--porcelain', '--', '.', ':!docs/figures', ':!docs/performance.md');
  return { commit: git('rev-parse', '--short=7', 'HEAD'), changes };
}

export function record(
  args: readonly string[],
  measured: Result & Pick<Recorded, 'commit' | 'hostTookPercent' | 'details'>,
): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const recorded: Recorded = {
    benchmark: args[0] ?? '',
    command: ['npm run bench --', ...args.map(inShell)].join(' '),
    version,
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    ...measured,
  };
  const path = join('docs', 'figures', `${recordName(args)}.json`);
  mkdirSync(figuresFolder, { recursive: true });
  writeFileSync(join(root, path), `${JSON.stringify(recorded, null, 2)}\n`);
  return path;
}
