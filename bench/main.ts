// `npm run bench -- NAME [flags]`: runs bench/NAME/main.ts, prints its figure last, exits non-zero when it misses its goal.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { machineLine, processorTime } from './machine.ts';

/** What a benchmark's main.ts exports as `run`. */
export type Benchmark = (args: readonly string[]) => Promise<{ readonly figure: string; readonly pass: boolean }>;

const folder = import.meta.dirname;

function benchmarks(): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'main.ts')))
    .map((entry) => entry.name)
    .sort();
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  const known = benchmarks();
  if (name === undefined || !known.includes(name)) {
    const problem = name === undefined ? 'Name a benchmark' : `There is no benchmark ${JSON.stringify(name)}`;
    console.error(`${problem}. There are: ${known.join(', ') || 'none'}.`);
    return 2;
  }
  const { run } = (await import(pathToFileURL(join(folder, name, 'main.ts')).href)) as { run: Benchmark };
  const before = processorTime();
  const { figure, pass } = await run(args);
  console.log(machineLine(before, processorTime()));
  console.log(`${pass ? 'pass' : 'MISS'}: ${figure}`);
  return pass ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
