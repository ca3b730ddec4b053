// `npm run bench -- NAME [flags]`: runs bench/NAME/main.ts, prints its figure last, exits non-zero when it misses its goal.
// With `--record` the figure goes into docs/figures, from which docs/performance.md is generated.
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hostTook, processorTime } from './machine.ts';
import { commitOrChanges, type Result, record } from './recorded.ts';

/** What a benchmark's main.ts exports as `run`. */
export type Benchmark = (args: readonly string[]) => Promise<Result>;

const folder = import.meta.dirname;

function benchmarks(): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'main.ts')))
    .map((entry) => entry.name)
    .sort();
}

async function main(given: readonly string[]): Promise<number> {
  const recorded = given.includes('--record');
  const [name, ...args] = given.filter((one) => one !== '--record');
  const known = benchmarks();
  if (name === undefined || !known.includes(name)) {
    const problem = name === undefined ? 'Name a benchmark' : `There is no benchmark ${JSON.stringify(name)}`;
    console.error(`${problem}. There are: ${known.join(', ') || 'none'}.`);
    return 2;
  }
  // Before the run: what is committed meanwhile is not what was measured.
  const { commit, changes } = recorded ? commitOrChanges() : { commit: undefined, changes: '' };
  if (changes !== '') {
    console.error(`A figure names the commit that it is of. Commit these first:\n${changes}`);
    return 2;
  }
  const { run } = (await import(pathToFileURL(join(folder, name, 'main.ts')).href)) as { run: Benchmark };
  const details = linesPrinted();
  const before = processorTime();
  const result = await run(args);
  const hostTookPercent = hostTook(before, processorTime());
  details.end();
  console.log(
    `measured on ${availableParallelism()} cores; the host took ${hostTookPercent} % of their time meanwhile`,
  );
  if (commit !== undefined) {
    console.log(
      `kept in ${record([name, ...args], { ...result, commit, hostTookPercent, details: details.lines })}; npm run generate shows it`,
    );
  }
  console.log(`${result.pass ? 'pass' : 'MISS'}: ${result.figure}`);
  return result.pass ? 0 : 1;
}

/** What is printed from now on, beside printing it. */
function linesPrinted(): { readonly lines: readonly string[]; end(): void } {
  const lines: string[] = [];
  const print = console.log;
  console.log = (...values: unknown[]) => {
    lines.push(...values.join(' ').split('\n'));
    print(...values);
  };
  return {
    lines,
    end: () => {
      console.log = print;
    },
  };
}

process.exitCode = await main(process.argv.slice(2));
