import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asInContainer, containerMebibytes, nodeEnvironment, nodeFlags } from '../../src/platform/node-flags.ts';
import { bundlePrograms } from '../../tools/build/bundle.ts';

/**
 * Ours start with the flags of the image. A loop to be compared with starts as its author would start it: our flags trade
 * speed for memory, which is our bargain and not the loop's.
 */
interface Start {
  readonly started: 'as shipped' | 'plainly';
  readonly env?: Readonly<Record<string, string>>;
}

/** A program of this folder, bundled, that answers over a channel. */
export class Program {
  readonly #child: ChildProcess;
  readonly #received: Record<string, unknown>[] = [];

  constructor(file: string, { started, env = {} }: Start) {
    const shipped = started === 'as shipped';
    this.#child = fork(file, [], {
      execArgv: shipped ? [...asInContainer(nodeFlags, containerMebibytes)] : [],
      env: { PATH: process.env['PATH'], ...(shipped ? nodeEnvironment : {}), ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => this.#received.push(message as Record<string, unknown>));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  tell(message: object): void {
    this.#child.send(message);
  }

  /** Waits for a message with that field, which is taken; fails when the program ends first. */
  async hear<T>(field: string): Promise<T> {
    for (;;) {
      const index = this.#received.findIndex((message) => field in message);
      if (index >= 0) return this.#received.splice(index, 1)[0]![field] as T;
      if (this.#child.exitCode !== null) throw new Error(`The program ended with ${this.#child.exitCode}.`);
      await Promise.race([once(this.#child, 'message'), once(this.#child, 'exit')]);
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

export interface Programs {
  readonly controller: string;
  readonly bareLoop: string;
  remove(): void;
}

export async function builtPrograms(): Promise<Programs> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-transitions-'));
  const entry = (name: string) => join(import.meta.dirname, `${name}.ts`);
  await bundlePrograms({ controller: entry('controller-entry'), 'bare-loop': entry('bare-loop') }, folder);
  return {
    controller: join(folder, 'controller.mjs'),
    bareLoop: join(folder, 'bare-loop.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
