import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { PacedClock } from '../../embedded-cluster/time/paced-clock.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import type { Config } from '../../src/config/config.ts';
import { ControllerMetrics } from '../../src/controller/metrics/metrics.ts';
import type { ControllerPorts } from '../../src/controller/pass/ports.ts';
import type { LicenseSource } from '../../src/domain/license/check.ts';
import { configMaps } from '../../src/domain/names.ts';
import type { Notice } from '../../src/domain/notification/notice.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Logger } from '../../src/ports/logger.ts';
import type { Frame } from '../../src/ports/sinks.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { ControllerProcess, releaseNamespace } from '../simulation/world/controller-process.ts';
import { goodConfig } from './builders/config.ts';

export { releaseNamespace };
export const controllerIdentity = {
  user: `system:serviceaccount:${releaseNamespace}:svc-controller`,
  groups: ['system:masters'],
};

export interface WorldOptions {
  readonly startAt?: number;
  readonly seed?: number;
  readonly config?: Record<string, unknown>;
  readonly logger?: Logger;
  /** Whether the installation has satellites; `without image`: redirection was off when it was started. */
  readonly redirects?: boolean | 'without image';
}

/** The housekeeping of watches changes nothing here, and a week of it would cost most of a test. */
const watchRate = 1 / 240;
const noFaults = { faultOf: () => undefined, crash() {} };

/** One controller on the embedded cluster and a virtual clock, with a network that never fails: for tests beside the code. */
export class ControllerWorld {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  readonly notices: Notice[] = [];
  readonly frames: Frame[] = [];
  licenseSource: LicenseSource = { found: 'nothing' };
  config: Config;
  readonly #logger: Logger;
  readonly #seed: number;
  readonly #redirects: boolean | 'without image';
  readonly #watchClock: PacedClock;
  #process: ControllerProcess | undefined;

  constructor(options: WorldOptions = {}) {
    this.clock = new VirtualClock(options.startAt ?? Date.UTC(2026, 0, 5, 12));
    this.#seed = options.seed ?? 1;
    this.#redirects = options.redirects ?? false;
    this.#watchClock = new PacedClock(this.clock, watchRate);
    this.cluster = new EmbeddedCluster({
      clock: this.clock,
      random: seededRandom(this.#seed),
      events: 'none',
      watchClock: this.#watchClock,
    });
    this.#logger = options.logger ?? silentLogger;
    this.config = goodConfig(options.config ?? {});
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } }]);
    this.cluster.start();
  }

  /** Of the process that was started last. */
  get ports(): ControllerPorts {
    if (this.#process === undefined) throw new Error('No controller was started yet.');
    return this.#process.ports;
  }

  /** Starts a controller process; after `stopController` this is the restarted one. */
  async startController(
    transport: Transport = this.cluster.transport(controllerIdentity),
    clock: Clock = this.clock,
  ): Promise<void> {
    this.#process = new ControllerProcess({
      transport,
      faults: noFaults,
      clock,
      watchClock: this.#watchClock,
      random: seededRandom(this.#seed + 1),
      logger: this.#logger,
      config: () => this.config,
      license: () => this.licenseSource,
      metrics: new ControllerMetrics(),
      notice: (notice) => void this.notices.push(notice),
      frame: (frame) => void this.frames.push(frame),
      redirects: this.#redirects,
    });
    await this.clock.advance(0);
  }

  /** Nothing of it reaches the cluster from now on, wherever it was. */
  killController(): void {
    this.#process?.kill();
  }

  async stopController(): Promise<void> {
    await this.#process?.stop();
  }

  reconfigure(config: Record<string, unknown>): void {
    this.config = goodConfig(config);
    this.#process?.reconsider();
  }

  stateData(): Record<string, string> {
    return (this.cluster.store.get('configmaps', releaseNamespace, configMaps.state)?.['data'] ?? {}) as Record<
      string,
      string
    >;
  }

  replicas(namespace: string, name: string, resource = 'deployments.apps'): number {
    const spec = this.cluster.store.get(resource, namespace, name)?.['spec'] as { replicas: number } | undefined;
    if (spec === undefined) throw new Error(`${resource} ${namespace}/${name} does not exist`);
    return spec.replicas;
  }
}
