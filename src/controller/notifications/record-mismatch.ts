import { recordsDisagreeing } from '../../domain/announcement/conditions.ts';
import { recordsDisagree } from '../../domain/announcement/workloads.ts';
import { decideRestore } from '../../domain/restore/decide-restore.ts';
import { workloadKey } from '../../domain/workload.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { Situation } from '../pass/snapshot.ts';
import { announce, type Telling } from '../tell/announce.ts';

/**
 * Where a record and the workload's own mark name two counts: a condition while the workload sleeps, as there is time to
 * set it right, and told at once when it is about to come up, as the condition ends with that.
 */
export class RecordMismatch {
  #logged = '';
  #told = '';

  async look(telling: Telling, lookAround: () => Pick<Situation, 'want'>): Promise<void> {
    const { ports, session } = telling;
    const at = ports.clock.now();
    const found = session.getOrEmpty(resourceStates).flatMap((record) => {
      const restore = decideRestore(record, ports.view.workload(record));
      if (restore.act !== 'raise' || restore.disagreement === undefined) return [];
      const { recorded, annotated } = restore.disagreement;
      return [{ record, text: `${workloadKey(record)} (record ${recorded}, annotation ${annotated})` }];
    });
    const texts = found.map(({ text }) => text);
    ports.notifier.condition(recordsDisagreeing(texts, at), texts.length > 0);
    const all = texts.join(', ');
    if (all !== this.#logged && all !== '') {
      ports.logger.warn('The record and the annotation disagree; the annotation counts', { workloads: texts });
    }
    this.#logged = all;
    const { want } = found.length === 0 ? { want: () => 'leave' } : lookAround();
    const rising = found.filter(({ record }) => want(record) === 'up').map(({ text }) => text);
    const risen = rising.join(', ');
    if (risen !== '' && risen !== this.#told && !ports.config().operations.dryRun) {
      const occasion = session.snapshot.resourceVersion ?? '0';
      await announce(telling, [recordsDisagree(rising, { at, occasion })], []);
    }
    this.#told = risen;
  }
}
