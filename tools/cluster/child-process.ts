import { type ChildProcess, spawn } from 'node:child_process';
import { close, existsSync, openSync, readFileSync } from 'node:fs';

const setpriv = '/usr/bin/setpriv';

export interface ChildStart {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** Beside what this process has. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A process of the control plane. It does not outlive this one where the system can promise that. */
export class Child {
  readonly name: string;
  readonly logFile: string;
  readonly pid: number;
  /** Resolves to a sentence when the process has ended, for whatever reason. */
  readonly exited: Promise<string>;
  #running = true;
  readonly #process: ChildProcess;

  constructor(start: ChildStart) {
    this.name = start.name;
    this.logFile = start.logFile;
    const log = openSync(start.logFile, 'a');
    const [command, args] = dyingWithParent(start.command, start.args);
    this.#process = spawn(command, args, { stdio: ['ignore', log, log], env: { ...process.env, ...start.env } });
    close(log);
    this.pid = this.#process.pid ?? 0;
    this.exited = new Promise((resolve) => {
      this.#process.on('error', (error) => resolve(`${this.name} did not start: ${error.message}`));
      this.#process.on('exit', (code, signal) => resolve(`${this.name} ended with ${signal ?? `status ${code}`}`));
    }).then((sentence) => {
      this.#running = false;
      return sentence as string;
    });
  }

  get running(): boolean {
    return this.#running;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.#running) this.#process.kill(signal);
    await this.exited;
  }

  /** The end of its log, for an error message. */
  lastWords(lines = 5): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }
}

/** On Linux the kernel ends the child when its parent dies, even by SIGKILL; elsewhere the next start sweeps. */
export function dyingWithParent(
  command: string,
  args: readonly string[],
  available: boolean = existsSync(setpriv),
): [string, string[]] {
  return available ? [setpriv, ['--pdeathsig', 'KILL', '--', command, ...args]] : [command, [...args]];
}
