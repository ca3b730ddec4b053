import type { Announcement } from '../../../domain/announcement/announcement.ts';
import { barrierTimedOut } from '../../../domain/announcement/wake.ts';
import type { WakeChange } from '../../../domain/wake/change.ts';
import type { EpochMs } from '../../../domain/workload.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { Wake } from '../../transition/transition.ts';

/** What is announced of the changes of one step: the barriers that timed out. */
export function barriersIn(current: Wake, changes: readonly WakeChange[], at: EpochMs): readonly Announcement[] {
  return changes.flatMap((change) => (change.kind === 'barrier_timeout' ? [barrierTimedOut(current, change, at)] : []));
}

/** Called once the changes are stored: a pass that ends in a conflict finds, and would log, the same ones again. */
export function logChanges(logger: Logger, changes: readonly WakeChange[]): void {
  for (const change of changes) {
    if (change.kind === 'written_off') {
      logger.warn('A workload was written off', { workload: change.workload, sentence: change.sentence });
    } else if (change.kind === 'lifted') {
      logger.info('A write-off was withdrawn', { workload: change.workload, sentence: change.sentence });
    } else logger.debug('The wake went on', { ...change });
  }
}
