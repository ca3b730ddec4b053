import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { undecodableKeys } from '../../state/keys.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import type { ControllerMetrics } from '../metrics/metrics.ts';
import { setUndecodableCondition } from '../notifications/alerts.ts';

export interface UndecodableKeysPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ControllerMetrics;
  readonly notifier: Notifier;
}

/** Names each key of the state that cannot be decoded: in the log when it becomes so, as a condition while it is so. */
export class UndecodableKeys {
  readonly #ports: UndecodableKeysPorts;
  #logged: ReadonlySet<string> = new Set();

  constructor(ports: UndecodableKeysPorts) {
    this.#ports = ports;
  }

  check({ snapshot }: StateSession): void {
    const { metrics, notifier, logger, clock } = this.#ports;
    const problems = undecodableKeys(snapshot);
    metrics.stateReadable.set(problems.length === 0 ? 1 : 0);
    setUndecodableCondition(notifier, problems, clock.now());
    for (const error of problems) {
      if (this.#logged.has(error)) continue;
      logger.error('A value of the state cannot be decoded: what stands on it waits until it is repaired', { error });
    }
    this.#logged = new Set(problems);
  }
}
