import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { Child } from '../../../tools/cluster/child-process.ts';

export interface NeighbourStart {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it answers 200 once it works. */
  readonly ready: string;
  /** Where Prometheus would read its figures, and the counter of its reconciliations there. */
  readonly metrics?: { readonly url: string; readonly counter: RegExp };
}

/** A neighbour as a process of this machine, which can be killed and comes back. */
export class Neighbour {
  readonly #start: NeighbourStart;
  readonly #folder: string;
  #child: Child;

  private constructor(start: NeighbourStart, folder: string) {
    this.#start = start;
    this.#folder = folder;
    this.#child = this.#launch();
  }

  static async start(start: NeighbourStart): Promise<Neighbour> {
    const neighbour = new Neighbour(start, await mkdtemp(join(tmpdir(), `svc-${start.name}-`)));
    await neighbour.#untilReady();
    return neighbour;
  }

  /** Dies without a word, and is started again as a kubelet would. */
  async crash(): Promise<void> {
    await this.#child.kill('SIGKILL');
    this.#child = this.#launch();
    await this.#untilReady();
  }

  /** Lives through this many reconciliations of its own: a night, where they come every second. */
  async reconcile(times: number): Promise<void> {
    await this.#reconciledFrom(await this.#reconciliations(), times);
  }

  /** Has reconciled this many times since it was started last: for one that does so when it starts. */
  async reconciledSinceStart(times: number): Promise<void> {
    await this.#reconciledFrom(0, times);
  }

  async #reconciledFrom(begun: number, times: number): Promise<void> {
    await vi.waitFor(
      async () => {
        this.#mustRun();
        const done = (await this.#reconciliations()) - begun;
        if (done < times)
          throw new Error(`${this.#start.name} reconciled ${done} times, not ${times}: ${this.lastWords()}`);
      },
      { timeout: 120_000, interval: 200 },
    );
  }

  lastWords(lines = 20): string {
    return this.#child.lastWords(lines);
  }

  async stop(): Promise<void> {
    await this.#child.kill('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }

  #launch(): Child {
    const { name, program, args, env } = this.#start;
    return new Child({ name, command: program, args, env, logFile: join(this.#folder, `${name}.log`) });
  }

  async #untilReady(): Promise<void> {
    await vi.waitFor(
      async () => {
        this.#mustRun();
        const { status } = await fetch(this.#start.ready);
        if (status !== 200) throw new Error(`${this.#start.name} answers ${status}: ${this.lastWords()}`);
      },
      { timeout: 120_000, interval: 100 },
    );
  }

  #mustRun(): void {
    if (!this.#child.running) throw new Error(`${this.#start.name} ended: ${this.lastWords()}`);
  }

  async #reconciliations(): Promise<number> {
    const { metrics } = this.#start;
    if (metrics === undefined) throw new Error(`nobody said where ${this.#start.name} counts its reconciliations`);
    const text = await (await fetch(metrics.url)).text();
    const lines = text.split('\n').filter((line) => metrics.counter.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
}
