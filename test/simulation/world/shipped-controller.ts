import { type RunningController, startController } from '../../../src/controller/main.ts';
import { controllerFeatures } from '../../../src/controller/main-features.ts';
import type { ControllerPorts } from '../../../src/controller/pass/ports.ts';
import { loadHolidayData } from '../../../src/domain/holiday/holidays.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Databases } from '../../../src/ports/databases.ts';
import type { HostingClusters } from '../../../src/ports/hosting-clusters.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { Mailer } from '../../../src/ports/mailer.ts';
import type { Notifier } from '../../../src/ports/notifier.ts';
import type { Random } from '../../../src/ports/random.ts';
import type { Frame } from '../../../src/ports/sinks.ts';
import type { Transport } from '../../../src/ports/transport.ts';
import type { PartSizes } from '../../../src/state/parts/state-part.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { type FaultPlan, FaultyTransport, type Latency } from './faulty-transport.ts';
import { Life } from './life.ts';

export const releaseNamespace = 'svc';

/** What is outside the process: all else is as `main.ts` puts it together. */
export interface ProcessOptions {
  readonly transport: Transport;
  readonly faults: FaultPlan;
  readonly latency: Latency;
  readonly clock: Clock;
  /** The pace of watches; see `PacedClock`. */
  readonly watchClock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly mailer: Mailer;
  readonly frame: (frame: Frame) => void;
  readonly databases: Databases | undefined;
  readonly hosts: HostingClusters | undefined;
  readonly partSizes: PartSizes | undefined;
  /** Another than the shipped one, which remembers more. */
  readonly notifier: Notifier | undefined;
  /** It ended by itself: it must not, or cannot, start. */
  readonly onExit: (error: unknown) => void;
  /** It ends, as the cluster was restored from a backup. */
  readonly onRestored: () => void;
}

// Loading takes time of the machine's clock, which no seed may depend on.
await loadHolidayData();

export const sizesOf = (sizes: PartSizes | undefined) => (sizes === undefined ? {} : { partSizes: sizes });

/** One life of the controller as it ships, that can be paused, and killed where it stands. */
export class ShippedController {
  readonly life: Life;
  #running: RunningController | undefined;

  constructor(options: ProcessOptions) {
    const life = new Life(options.clock);
    this.life = life;
    const { transport, faults, latency, clock, random, logger } = options;
    const mailer = whileRunning(life, options.mailer, ['send']);
    startController({
      ...asShipped,
      transport: new FaultyTransport({ inner: transport, clock, plan: faults, life, latency }),
      clock: life.clock,
      watchClock: life.over(options.watchClock),
      random,
      logger,
      namespace: releaseNamespace,
      ...sizesOf(options.partSizes),
      frames: { send: options.frame },
      restored: options.onRestored,
      features(base) {
        const env = { SATELLITE_IMAGE: 'registry.example.com/satellite:1' };
        const shipped = controllerFeatures(base, { env, mailer: () => mailer });
        const { databases = shipped.databases, hosts = shipped.hosts, notifier = shipped.notifier } = options;
        return {
          ...shipped,
          notifier,
          databases: whileRunning(life, databases, ['read', 'stop', 'start']),
          hosts: 'off' in hosts ? hosts : whileRunning(life, hosts, ['wake', 'end']),
        };
      },
    }).then((running) => {
      this.#running = running;
    }, options.onExit);
  }

  get alive(): boolean {
    return this.life.alive;
  }

  get ports(): ControllerPorts {
    if (this.#running === undefined) throw new Error('The controller has not started yet.');
    return this.#running.ports;
  }

  /** It ends as it should: the pass under way runs to its end. */
  async stop(): Promise<void> {
    await this.#running?.stop();
  }

  /** Nothing of it runs from now on; what it has sent arrives. */
  kill(): void {
    this.life.end();
  }
}

/** A process that died or is paused calls nobody, and hears no answer. */
function whileRunning<T extends object>(life: Life, target: T, names: readonly (keyof T & string)[]): T {
  const gated = names.map((name) => {
    const call = target[name] as (...given: unknown[]) => Promise<unknown>;
    return [
      name,
      async (...given: unknown[]) => {
        await life.running();
        try {
          return await call.apply(target, given);
        } finally {
          await life.running();
        }
      },
    ];
  });
  return Object.setPrototypeOf(Object.fromEntries(gated), target) as T;
}
