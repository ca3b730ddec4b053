import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs to the end and keeps both outputs; a program that does not exist is status 127, as in a shell. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => out.push(piece));
    child.stderr.on('data', (piece: Buffer) => err.push(piece));
    const text = (pieces: Buffer[]) => Buffer.concat(pieces).toString('utf8');
    child.on('error', (error) => resolve({ status: 127, stdout: '', stderr: error.message }));
    child.on('close', (code) => resolve({ status: code ?? 1, stdout: text(out), stderr: text(err) }));
  });
}

/** What a program said last, for a reason of one sentence. */
export function lastLine(result: CommandResult): string {
  const lines = `${result.stdout}\n${result.stderr}`.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').at(-1) ?? `exit status ${result.status}`;
}

/** Progress is for people: stderr, so that stdout stays what the caller asked for. */
export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
