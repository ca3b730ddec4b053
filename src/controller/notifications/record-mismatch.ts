import { marksOfOthers, recordsDisagreeing, recordsImplausible } from '../../domain/announcement/conditions.ts';
import { recordsDisagree } from '../../domain/announcement/workloads.ts';
import { isDownByUs, isMarkedByAnother, ownMark } from '../../domain/record/mark.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { decideRestore } from '../../domain/restore/decide-restore.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Notifier } from '../../ports/notifier.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';

export interface MismatchStep extends Announcing {
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly compiled: CompiledConfig;
  readonly snapshot: ScopedSnapshot;
  readonly ownNamespace: string;
}

/**
 * Where a record and the workload's own mark name two counts: a condition while the workload sleeps, as there is time to
 * set it right, and told at once when it is about to come up, as the condition ends with that.
 */
export class RecordMismatch {
  #logged = '';
  #told = '';
  #others = '';
  #implausible = '';

  async check(announcing: MismatchStep): Promise<void> {
    this.#checkMarksOfOthers(announcing);
    const doubts = doubtsIn(announcing);
    this.#checkImplausible(announcing, doubts.implausible);
    await this.#checkCounts(announcing, doubts.disagreeing);
  }

  /** A mark on a copy says nothing of the copy, so that nobody raises it; by day somebody has to hear that it is down. */
  #checkMarksOfOthers({ clock, logger, notifier, snapshot, ownNamespace }: MismatchStep): void {
    const workloads = snapshot.workloads
      .filter(({ workload, want }) => want === 'up' && isDownByUs(workload) && ownMark(workload, true) === undefined)
      .filter(({ workload }) => !isMarkedByAnother(workload, ownNamespace))
      .map(({ workload }) => workloadKey(workload));
    notifier.condition(marksOfOthers(workloads, clock.now()), workloads.length > 0);
    const all = workloads.join(', ');
    if (all !== this.#others && all !== '')
      logger.warn('Workloads are at zero with a mark that was written to another object; they are not raised', {
        workloads,
      });
    this.#others = all;
  }

  /** In the night too: there is time to set it right before the morning. */
  #checkImplausible({ clock, logger, notifier }: MismatchStep, workloads: readonly string[]): void {
    notifier.condition(recordsImplausible(workloads, clock.now()), workloads.length > 0);
    const all = workloads.join(', ');
    if (all !== this.#implausible && all !== '')
      logger.warn('Workloads are recorded with a count that no workload has; they are not raised', { workloads });
    this.#implausible = all;
  }

  async #checkCounts(announcing: MismatchStep, found: Doubts['disagreeing']): Promise<void> {
    const { clock, logger, notifier, compiled, snapshot, session } = announcing;
    const at = clock.now();
    const texts = found.map(({ text }) => text);
    notifier.condition(recordsDisagreeing(texts, at), texts.length > 0);
    const all = texts.join(', ');
    if (all !== this.#logged && all !== '') {
      logger.warn('The record and the annotation disagree; the annotation counts', { workloads: texts });
    }
    this.#logged = all;
    const rising = found.filter(({ record }) => snapshot.want(record) === 'up').map(({ text }) => text);
    const risen = rising.join(', ');
    if (risen !== '' && risen !== this.#told && !compiled.config.operations.dryRun) {
      const occasion = session.snapshot.resourceVersion ?? '0';
      await announce(announcing, [recordsDisagree(rising, { at, occasion })], []);
    }
    this.#told = risen;
  }
}

/** Records that cannot be acted on as they stand, in words. */
interface Doubts {
  readonly implausible: readonly string[];
  readonly disagreeing: readonly { readonly record: WorkloadRecord; readonly text: string }[];
}

function doubtsIn({ snapshot, session }: MismatchStep): Doubts {
  const implausible: string[] = [];
  const disagreeing: { record: WorkloadRecord; text: string }[] = [];
  for (const record of session.getOrEmpty(resourceStates)) {
    const restore = decideRestore(record, snapshot.workload(record));
    if (restore.act === 'refuse') implausible.push(`${workloadKey(record)} (${restore.count})`);
    else if (restore.act === 'raise' && restore.disagreement !== undefined) {
      const { recorded, annotated } = restore.disagreement;
      disagreeing.push({ record, text: `${workloadKey(record)} (record ${recorded}, annotation ${annotated})` });
    }
  }
  return { implausible, disagreeing };
}
