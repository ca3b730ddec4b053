import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The last line of a benchmark, or the errors that it ended with. */
function lastLineOf(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      errors = `${errors}${piece.toString()}`.slice(-2000);
    });
    child.on('close', () => resolve(output.trim().split('\n').at(-1) || errors));
  });
}

// Small, so that their figures say nothing: whoever measures next year should find them running. Those that take long however little
// there is to measure are left to him.
describe('a benchmark', () => {
  it.each([
    'api --workloads 20 --streams 3 --seconds 0.2',
    'frontend --seconds 0.2',
    'fleet --workloads 20',
    'trouble --workloads 20 --refused 2',
    'siege --heads 20 --posts 5 --streams 5 --seconds 1 --workloads 10 --again 5 --storm 1 --volleys 1',
  ])('comes to a figure: %s', async (line) => {
    expect(await lastLineOf(line.split(' '))).toMatch(/^(pass|MISS): .*\d/);
  });
});
