import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Probe } from 'kubernetes-types/core/v1.d.ts';
import { asInContainer, containerMebibytes } from '../../../../src/platform/node-flags.ts';
import { systemClock } from '../../../../src/platform/system-clock.ts';
import { sleep } from '../../../../src/ports/clock.ts';

const mebibyte = 1024 * 1024;
export const memoryLimitBytes = containerMebibytes * mebibyte;
const sampleMs = 100;

export interface ContainerStart {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: number;
  readonly group: number;
  /** The limit of the container; `memoryLimitBytes` while it sets none. */
  readonly limitBytes?: number;
  readonly readiness?: Probe;
  readonly startup?: Probe;
  readonly liveness?: Probe;
  /** The port on this machine of a named or numbered container port. */
  portOf(port: string | number): number;
}

export interface MemoryFigures {
  readonly residentBytes: number;
  readonly anonymousBytes: number;
}

export type Ending = { readonly code: number; readonly reason: 'Completed' | 'Error' | 'OOMKilled' };

/** One container of a pod as a process of this machine: its probes, its memory limit, its log. */
export class ContainerProcess {
  readonly name: string;
  readonly startedAt = systemClock.now();
  readonly log: string[] = [];
  readonly ended: Promise<Ending>;
  /**
   * Milliseconds from its start until it first said that it is ready, looked at much more often than a kubelet does; without those in which
   * it waited for a processor that others had.
   */
  readonly firstReady: Promise<number>;
  readonly #process: ChildProcess;
  readonly #start: ContainerStart;
  readonly #stop = new AbortController();
  readonly #onChange: () => void;
  #ready = false;
  #peakBytes = 0;
  #overLimit = false;

  constructor(start: ContainerStart, onChange: () => void) {
    this.name = start.name;
    this.#start = start;
    this.#onChange = onChange;
    const [command = '', ...args] = asUser(start);
    this.#process = spawn(command, args, { env: { ...start.env }, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.log.push(...text.trimEnd().split('\n')));
    }
    this.ended = new Promise((resolve) => {
      this.#process.on('error', (error) => {
        this.log.push(error.message);
        resolve({ code: 127, reason: 'Error' });
      });
      this.#process.on('exit', (code) => resolve({ code: code ?? 137, reason: this.#reasonOf(code) }));
    });
    void this.ended.then(() => this.#stop.abort());
    void this.#sampleMemory();
    void this.#probe();
    this.firstReady = this.#untilReady();
  }

  get ready(): boolean {
    return this.#ready;
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  memory(): MemoryFigures | undefined {
    return readMemory(this.#process.pid ?? 0);
  }

  async terminate(graceMs: number): Promise<void> {
    this.#process.kill('SIGTERM');
    const killed = systemClock.after(graceMs, () => this.#process.kill('SIGKILL'));
    await this.ended;
    killed();
  }

  /** As when the machine loses it: no signal that it could answer. */
  async crash(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  #reasonOf(code: number | null): Ending['reason'] {
    if (this.#overLimit) return 'OOMKilled';
    return code === 0 ? 'Completed' : 'Error';
  }

  async #sampleMemory(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { residentBytes = 0 } = this.memory() ?? {};
      this.#peakBytes = Math.max(this.#peakBytes, residentBytes);
      if (residentBytes > (this.#start.limitBytes ?? memoryLimitBytes)) {
        this.#overLimit = true;
        this.#process.kill('SIGKILL');
        return;
      }
      await sleep(systemClock, sampleMs, this.#stop.signal).catch(() => {});
    }
  }

  /** The start-up probe first, then readiness and liveness side by side. */
  async #probe(): Promise<void> {
    const { startup, readiness, liveness } = this.#start;
    if (startup !== undefined && !(await this.#until(startup))) return this.#restart();
    await Promise.all([
      this.#watch(readiness, (ready) => {
        if (ready === this.#ready) return;
        this.#ready = ready;
        this.#onChange();
      }),
      this.#watch(liveness, (alive) => {
        if (!alive) this.#restart();
      }),
    ]);
  }

  async #untilReady(): Promise<number> {
    const begun = systemClock.monotonic();
    const { readiness } = this.#start;
    if (readiness === undefined) return 0;
    while (!this.#stop.signal.aborted) {
      if (await this.#answers(readiness))
        return systemClock.monotonic() - begun - waitedForProcessorMs(this.#process.pid);
      await this.#wait(25);
    }
    return Number.POSITIVE_INFINITY;
  }

  async #until(probe: Probe): Promise<boolean> {
    await this.#wait((probe.initialDelaySeconds ?? 0) * 1000);
    for (let failures = 0; failures < (probe.failureThreshold ?? 3); failures++) {
      if (await this.#answers(probe)) return true;
      await this.#wait((probe.periodSeconds ?? 10) * 1000);
      if (this.#stop.signal.aborted) return true;
    }
    return false;
  }

  async #watch(probe: Probe | undefined, tell: (good: boolean) => void): Promise<void> {
    if (probe === undefined) return tell(true);
    await this.#wait((probe.initialDelaySeconds ?? 0) * 1000);
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      const good = await this.#answers(probe);
      failures = good ? 0 : failures + 1;
      if (good || failures >= (probe.failureThreshold ?? 3)) tell(good);
      await this.#wait((probe.periodSeconds ?? 10) * 1000);
    }
  }

  #restart(): void {
    this.#process.kill('SIGKILL');
  }

  async #wait(ms: number): Promise<void> {
    await sleep(systemClock, ms, this.#stop.signal).catch(() => {});
  }

  #answers({ httpGet, timeoutSeconds = 1 }: Probe): Promise<boolean> {
    const port = this.#start.portOf(httpGet?.port ?? 0);
    return new Promise((resolve) => {
      const asked = request({ host: '127.0.0.1', port, path: httpGet?.path ?? '/', timeout: timeoutSeconds * 1000 });
      asked.on('response', (response) => {
        response.resume();
        resolve((response.statusCode ?? 500) < 400);
      });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => resolve(false));
      asked.end();
    });
  }
}

/** Without privileges, as the user of the security context; the kernel ends it when this process dies. */
function asUser({ command: words, user, group, limitBytes = memoryLimitBytes }: ContainerStart): readonly string[] {
  // There is no cgroup here for Node to read the limit from.
  const command = asInContainer(words, limitBytes / mebibyte);
  if (process.platform !== 'linux') return command;
  const drop =
    process.getuid?.() === 0
      ? ['--reuid', `${user}`, '--regid', `${group}`, '--clear-groups', '--bounding-set', '-all']
      : [];
  return ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--no-new-privs', ...drop, '--', ...command];
}

/** Of the main thread, by the kernel's own count; none where it keeps none. */
function waitedForProcessorMs(pid = 0): number {
  try {
    const [, nanoseconds = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1_000_000;
  } catch {
    return 0;
  }
}

function readMemory(pid: number): MemoryFigures | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
    return { residentBytes: kilobytes('VmRSS') * 1024, anonymousBytes: kilobytes('RssAnon') * 1024 };
  } catch {
    return undefined;
  }
}
