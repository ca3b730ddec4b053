import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { processTree } from '../real/process-tree.ts';
import type { OtherTool as Commands } from './arguments.ts';
import type { Way } from './progress.ts';
import type { Tool } from './tool.ts';

const readyEveryMs = 100;
const readyWithinMs = 120_000;
const endsWithinMs = 10_000;

/** Whatever the commands on the command line run. */
export class OtherTool implements Tool {
  readonly name: string;
  readonly #commands: Commands;
  readonly #env: NodeJS.ProcessEnv;
  #running: ChildProcess[] = [];

  constructor(commands: Commands, kubeconfig: string) {
    this.name = commands.name;
    this.#commands = commands;
    this.#env = { ...process.env, KUBECONFIG: kubeconfig };
  }

  async prepare(): Promise<void> {}

  async go(way: Way): Promise<void> {
    const child = this.#sh(this.#commands[way]);
    this.#running.push(child);
    const deadline = systemClock.monotonic() + readyWithinMs;
    while (!(await this.#isReady())) {
      if (systemClock.monotonic() > deadline)
        throw new Error(`--ready did not end with 0 in ${readyWithinMs / 1000} s.`);
      await sleep(systemClock, readyEveryMs);
    }
  }

  async arrived(way: Way): Promise<void> {
    if (way === 'up' || !this.#commands.keep) await this.#end();
  }

  async kill(): Promise<void> {
    const trees = this.#running.flatMap(({ pid }) => (pid === undefined ? [] : processTree(pid)));
    const ended = this.#running.filter(isRunning).map((child) => once(child, 'exit'));
    for (const pid of trees) signal(pid, 'SIGKILL');
    await Promise.all(ended);
    this.#running = [];
  }

  again(way: Way): Promise<void> {
    return this.go(way);
  }

  roots(): readonly number[] {
    return this.#running.flatMap(({ pid }) => pid ?? []);
  }

  async close(): Promise<void> {
    await this.#end();
  }

  /** As a kubelet ends it; what does not go in time is killed. */
  async #end(): Promise<void> {
    const deadline = systemClock.monotonic() + endsWithinMs;
    for (const pid of this.#alive()) signal(pid, 'SIGTERM');
    while (this.#alive().length > 0 && systemClock.monotonic() < deadline) await sleep(systemClock, 50);
    await this.kill();
  }

  #alive(): readonly number[] {
    return this.roots().flatMap(processTree);
  }

  /** In a session of its own, so that what it leaves behind is found. What it says goes where the benchmark's progress goes. */
  #sh(command: string): ChildProcess {
    return spawn('sh', ['-c', command], { stdio: ['ignore', 2, 2], env: this.#env, detached: true });
  }

  async #isReady(): Promise<boolean> {
    const child = this.#sh(this.#commands.ready);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
