import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Where a suite's output goes: a terminal of its own when it runs alone; else each line says whose it is. */
export interface Output {
  readonly stdio: 'inherit' | 'pipe';
  heading(suite: string): void;
  lines(suite: string, from: readonly (Readable | null)[]): Promise<void>;
}

export const ownOutput: Output = {
  stdio: 'inherit',
  heading: (suite) => console.log(`\n── ${suite} ──`),
  lines: async () => {},
};

export function sharedOutput(print: (line: string) => void = console.log): Output {
  const say = (suite: string, line: string) => print(`${suite.padEnd(10)} │ ${line}`);
  return {
    stdio: 'pipe',
    heading: (suite) => say(suite, '── starts ──'),
    lines: async (suite, from) => {
      await Promise.all(from.map((stream) => eachLine(stream, (line) => say(suite, line))));
    },
  };
}

async function eachLine(stream: Readable | null, tell: (line: string) => void): Promise<void> {
  if (stream === null) return;
  for await (const line of createInterface({ input: stream })) tell(line);
}
