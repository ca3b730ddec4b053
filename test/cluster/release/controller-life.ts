import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { asInContainer, containerMebibytes, nodeEnvironment, nodeFlags } from '../../../src/platform/node-flags.ts';
import { dyingWithParent } from '../../../tools/cluster/child-process.ts';

/** One line of its log. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface LifeOptions {
  readonly bundle: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Hears each line; a log outlives the process that wrote it. */
  readonly onLine: (line: LogLine) => void;
}

/** One process of the controller's bundle, started as the image starts it. */
export class ControllerLife {
  readonly #process: ChildProcess;
  /** Resolves to the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  #alive = true;

  constructor(options: LifeOptions) {
    const flags = asInContainer(nodeFlags, containerMebibytes);
    const [command, args] = dyingWithParent(process.execPath, [...flags, options.bundle, ...(options.args ?? [])]);
    this.#process = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // As container runtimes have it for a user that the image does not know: without it Node knows of no home at all.
      env: { PATH: process.env['PATH'], HOME: '/', ...nodeEnvironment, ...options.env },
    });
    this.ended = new Promise((resolve) => {
      this.#process.on('exit', (code, signal) => {
        this.#alive = false;
        resolve(signal ?? code ?? 0);
      });
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on('line', (text) => options.onLine(lineOf(text)));
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** As the kernel ends a process that uses too much memory: nothing of it runs on. */
  async kill(): Promise<void> {
    this.killNow();
    await this.ended;
  }

  killNow(): void {
    if (this.#alive) this.#process.kill('SIGKILL');
  }

  /** Nothing of it runs until it is continued; what it has sent is on its way. */
  pause(): void {
    this.#process.kill('SIGSTOP');
  }

  continue(): void {
    this.#process.kill('SIGCONT');
  }

  /** As the kubelet ends it. */
  async stop(): Promise<number | NodeJS.Signals> {
    if (this.#alive) this.#process.kill('SIGTERM');
    return this.ended;
  }
}

function lineOf(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { level: 'stderr', msg: text };
  }
}
