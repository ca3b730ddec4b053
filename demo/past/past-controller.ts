import { startController } from '../../src/controller/main.ts';
import { controllerFeatures } from '../../src/controller/main-features.ts';
import { fieldManager } from '../../src/domain/names.ts';
import { scheduleAt } from '../../src/domain/schedule/schedule.ts';
import { standardFigures } from '../../src/domain/wake/verdict/figures.ts';
import { cryptographicRandom } from '../../src/platform/random.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { shippedAuthority } from '../../src/service/license-source.ts';
import { MemoryInbox } from '../memory-inbox.ts';
import type { PastOptions } from './past-options.ts';
import { settle } from './settle.ts';

/** A look a minute would find a clock that somebody set; the clock of the past is set by nobody. */
const dayMs = 86_400_000;
/** Nobody looked on: of what happens in a minute one pass sees as much as sixty. */
const quietMs = 60_000;
/** No watch of the past fails, so that nobody need look often whether one does. */
const watchGraceMs = 600_000;

export interface PastController {
  /** Whether the working hours keep the cluster awake from now until then. */
  awakeUntil(then: number): boolean;
  stop(): Promise<void>;
}

type Options = Pick<PastOptions, 'clock' | 'watchClock' | 'cluster' | 'namespace'>;

/** The controller that lived through the past; another goes on in the present, as after a restart. */
export async function startPastController(options: Options): Promise<PastController> {
  const { clock, watchClock, cluster, namespace } = options;
  const inbox = new MemoryInbox({ kept: 1 });
  const running = await settle(
    clock,
    startController({
      transport: cluster.transport({
        user: `system:serviceaccount:${namespace}:${fieldManager}`,
        groups: ['system:masters'],
      }),
      clock,
      watchClock,
      figures: { ...standardFigures, watchGraceMs },
      loop: { quietMs, longestTimerMs: dayMs },
      random: cryptographicRandom,
      logger: silentLogger,
      namespace,
      authority: shippedAuthority,
      inForce() {},
      restored() {},
      frames: { off: 'nobody looked at the past while it was lived' },
      features: (base) =>
        controllerFeatures(base, {
          env: { SATELLITE_IMAGE: 'svc/satellite:demo', SATELLITE_STATUS_URL: 'http://svc-app' },
          mailer: () => inbox,
        }),
    }),
  );
  return {
    awakeUntil(then) {
      const now = scheduleAt(running.ports.compiled().schedule([]), clock.now());
      return now.awake && (now.until === undefined || now.until >= then);
    },
    stop: () => settle(clock, running.stop()),
  };
}
