import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { countsOf, keyOf, type PausedFleet, seen } from './paused-fleet.ts';
import { type Passed, Progress, type Way } from './progress.ts';

const longestSeconds = 3600;

/** A watch of the benchmark's own: it sees what a tool does, whatever the tool says of itself. */
export class DeploymentWatch {
  readonly progress: Progress;
  readonly #ended = new AbortController();
  readonly #reading: Promise<void>;
  #onChange: () => void = () => {};

  private constructor(fleet: PausedFleet, progress: Progress, resourceVersion: string) {
    this.progress = progress;
    this.#reading = this.#read(fleet, resourceVersion);
    // Heard where somebody waits; until then a broken watch is no reason to end.
    this.#reading.catch(() => {});
  }

  static async open(fleet: PausedFleet, way: Way): Promise<DeploymentWatch> {
    const { items, resourceVersion } = await fleet.look();
    return new DeploymentWatch(fleet, new Progress(countsOf(items), fleet.goal(way)), resourceVersion);
  }

  /** Resolves at the first change after which so many percent are where they should be; never, where that does not come. */
  reached(percent: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = () => {
        if (this.progress.percent >= percent) resolve();
      };
    });
  }

  /** Until all are there, nothing has changed for so long, or nobody looks any more. */
  async passed(askedAt: number, patienceMs: number): Promise<Passed> {
    while (!this.#ended.signal.aborted && !this.progress.done) {
      const quietSince = Math.max(this.progress.lastChangeAt ?? askedAt, askedAt);
      if (systemClock.monotonic() - quietSince > patienceMs) break;
      await Promise.race([sleep(systemClock, 50), this.#reading]);
    }
    this.close();
    return this.progress.passed(askedAt);
  }

  close(): void {
    this.#ended.abort();
  }

  /** An apiserver under load ends the watch of who reads slowly; what came meanwhile is read as a list. */
  async #read(fleet: PausedFleet, resourceVersion: string): Promise<void> {
    let from = resourceVersion;
    while (!this.#ended.signal.aborted) {
      try {
        await this.#events(fleet, from);
        const { items, resourceVersion: now } = await fleet.look();
        for (const one of items) this.#see(keyOf(one), one.replicas);
        from = now;
      } catch (error) {
        if (!this.#ended.signal.aborted) throw error;
      }
    }
  }

  async #events(fleet: PausedFleet, resourceVersion: string): Promise<void> {
    const watch = { resourceVersion, timeoutSeconds: longestSeconds, signal: this.#ended.signal };
    for await (const { type, object } of await fleet.client.watch(resources.deployments, watch)) {
      if (type === 'BOOKMARK') continue;
      const one = seen(object);
      this.#see(keyOf(one), type === 'DELETED' ? Number.NaN : one.replicas);
    }
  }

  #see(key: string, count: number): void {
    this.progress.see(key, count, systemClock.monotonic());
    this.#onChange();
  }
}
