import { commands } from '../../../src/cli/cli.ts';
import type { RecordedDemo } from './recorded-demo.ts';
import { toTheMinute } from './shown-answer.ts';

export interface SvcExample {
  readonly command: string;
  readonly line: string;
  readonly output: string;
  readonly code: number;
}

interface Step {
  readonly line: string;
  /** How many lines of a long answer are shown. */
  readonly lines?: number;
  /** How long the demo runs on before the command. */
  readonly after?: number;
}

/** A Wednesday evening at the command line. Every command has its line, or is in `notRun`. */
const evening: readonly Step[] = [
  { line: 'status' },
  { line: 'why deployment shop/cart' },
  { line: 'why deployment tools/registry' },
  { line: 'plan --days 3', lines: 12 },
  { line: 'doctor', lines: 8 },
  { line: 'license' },
  { line: 'keep-awake --for 4h' },
  { line: 'resume' },
  { line: 'hibernate --dry-run' },
  { line: 'hibernate --wait' },
  { line: 'resources --namespace payments' },
  { line: 'resources ignored' },
  { line: 'state verify' },
  { line: 'state rebuild --dry-run' },
  { line: 'wake --for 2h --wait', after: 60 },
  { line: 'audit --limit 3', after: 60 },
  { line: 'stand-down --reason incident' },
  { line: 'stand-down --end', after: 60 },
];

/** What is not run here, with where it is shown instead. */
export const notRun: Readonly<Record<string, string>> = {
  login: 'Asks for the code that was mailed: see [the command line](../command-line.md#sign-in).',
  logout: 'Ends the sign-in, here and on the server.',
  completion: 'Prints a script for the shell: see [the command line](../command-line.md#completion).',
};

export async function svcExamples(demo: RecordedDemo): Promise<readonly SvcExample[]> {
  const taken: SvcExample[] = [];
  for (const { line, lines = 14, after = 0 } of evening) {
    await demo.pass(after);
    const words = line.split(' ');
    const { code, out } = await demo.svc(words);
    taken.push({
      command: words[0] ?? '',
      line,
      code,
      output: beginning(toTheMinute(out).replace(/\d+ bytes/g, '<n> bytes'), lines),
    });
  }
  const missing = Object.keys(commands).filter(
    (name) => notRun[name] === undefined && !taken.some(({ command }) => command === name),
  );
  if (missing.length > 0) throw new Error(`No example runs svc ${missing.join(', ')}: add a step to the evening.`);
  return taken;
}

function beginning(text: string, most: number): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= most ? lines.join('\n') : [...lines.slice(0, most), '…'].join('\n');
}
