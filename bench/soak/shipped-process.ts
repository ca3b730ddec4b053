import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asInContainer, containerMebibytes, nodeEnvironment, nodeFlags } from '../../src/platform/node-flags.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { CuttableLine } from '../../test/cluster/api/cuttable-line.ts';
import type { ServiceAccountIdentity } from '../../test/cluster/harness/service-account.ts';
import { dyingWithParent } from '../../tools/cluster/child-process.ts';
import { freePort } from '../../tools/cluster/free-ports.ts';
import type { Caller } from '../real/caller.ts';
import { callsBetween, writesIn } from '../real/calls.ts';
import { memoryField, openSockets } from '../real/process-tree.ts';
import type { Sample } from './figures.ts';

const sampleMs = 5_000;

/** How a process is started. */
interface Settings {
  /** Where its bundle is. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long each of its tokens lives. */
  readonly tokenSeconds: number;
}

/** One of our processes as a pod would run it, over a line that can be cut and with a token that is rotated as a kubelet does it. */
export class ShippedProcess {
  readonly name: string;
  readonly samples: Sample[] = [];
  readonly #process: ChildProcess;
  readonly #caller: Caller;
  readonly #account: ServiceAccountIdentity;
  readonly #line: CuttableLine;
  readonly #tokenSeconds: number;
  readonly #sampler: NodeJS.Timeout;

  private constructor(name: string, caller: Caller, account: ServiceAccountIdentity, parts: Parts) {
    this.name = name;
    this.#caller = caller;
    this.#account = account;
    this.#process = parts.child;
    this.#line = parts.line;
    this.#tokenSeconds = parts.tokenSeconds;
    this.#sampler = setInterval(() => this.#sample(), sampleMs);
  }

  /** Resolves when it is ready. `name` is its bundle's, too. */
  static async start(caller: Caller, { folder, env, tokenSeconds }: Settings): Promise<ShippedProcess> {
    const { name } = caller;
    const account = await caller.account(tokenSeconds);
    const line = await CuttableLine.to(account.access.server);
    const health = await freePort();
    const flags = asInContainer(nodeFlags, containerMebibytes);
    const [command, args] = dyingWithParent(process.execPath, [...flags, join(folder, `${name}.mjs`)]);
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        ...nodeEnvironment,
        ...account.podEnvironment,
        KUBERNETES_SERVICE_PORT: String(line.port),
        HEALTH_PORT: String(health),
        METRICS_PORT: '0',
        ...env,
      },
    });
    const started = new ShippedProcess(name, caller, account, { child, line, tokenSeconds });
    try {
      while (!(await isReady(health))) {
        started.mustRun();
        await sleep(systemClock, 100);
      }
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  mustRun(): void {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`The ${this.name} ended with ${exitCode ?? signalCode}.`);
  }

  get sockets(): number {
    return openSockets(this.#process.pid ?? 0);
  }

  /** Every connection that stands, watches first of all; the next one is let through at once. */
  async cut(): Promise<void> {
    await this.#line.cut();
    await this.#line.mend();
  }

  /** The file is replaced as a whole: who reads it reads the old token or the new one. */
  async rotate(): Promise<void> {
    const { token, folder } = await this.#caller.account(this.#tokenSeconds);
    rmSync(folder, { recursive: true, force: true });
    const file = join(this.#account.folder, 'token');
    writeFileSync(`${file}.new`, token, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** Since the apiserver was started last. */
  async writes(): Promise<number> {
    return writesIn(await this.#caller.calls());
  }

  async writesIn(ms: number): Promise<number> {
    const before = await this.#caller.calls();
    await sleep(systemClock, ms);
    return writesIn(callsBetween(before, await this.#caller.calls()));
  }

  async stop(): Promise<void> {
    clearInterval(this.#sampler);
    this.#process.kill('SIGKILL');
    await this.#line.cut();
    rmSync(this.#account.folder, { recursive: true, force: true });
  }

  #sample(): void {
    const residentMiB = memoryField(this.#process.pid ?? 0, 'VmRSS') / 1024;
    if (residentMiB > 0) this.samples.push({ atMs: systemClock.monotonic(), residentMiB });
  }
}

interface Parts {
  readonly child: ChildProcess;
  readonly line: CuttableLine;
  readonly tokenSeconds: number;
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}
