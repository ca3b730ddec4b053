import type { WorkloadRecord } from '../../domain/record/record.ts';
import { decideRestore } from '../../domain/restore/decide-restore.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Situation } from '../pass/snapshot.ts';
import type { ControllerPorts } from '../ports.ts';

/**
 * Where a record and the workload's own mark name two counts: a condition while the workload sleeps, as there is time to
 * set it right, and told at once when it is about to come up, as the condition ends with that.
 */
export class RecordMismatch {
  #logged = '';
  #told = '';

  look(ports: ControllerPorts, records: readonly WorkloadRecord[], lookAround: () => Pick<Situation, 'want'>): void {
    const at = ports.clock.now();
    const found = records.flatMap((record) => {
      const restore = decideRestore(record, ports.view.workload(record));
      if (restore.act !== 'raise' || restore.disagreement === undefined) return [];
      const { recorded, annotated } = restore.disagreement;
      return [{ record, text: `${workloadKey(record)} (record ${recorded}, annotation ${annotated})` }];
    });
    const notice = (id: string, texts: readonly string[]) => ({
      id,
      key: 'stateMismatch' as const,
      at,
      title: 'State Mismatch',
      colour: 'amber' as const,
      text: `The record and the annotation disagree; the annotation counts: ${texts.join(', ')}`,
    });
    const texts = found.map(({ text }) => text);
    ports.notifier.condition(notice('records-disagree', texts), texts.length > 0);
    const all = texts.join(', ');
    if (all !== this.#logged && all !== '') {
      ports.logger.warn('The record and the annotation disagree; the annotation counts', { workloads: texts });
    }
    this.#logged = all;
    const { want } = found.length === 0 ? { want: () => 'leave' } : lookAround();
    const rising = found.filter(({ record }) => want(record) === 'up').map(({ text }) => text);
    const risen = rising.join(', ');
    if (risen !== '' && risen !== this.#told) ports.notifier.notify(notice(`records-disagree-on-wake-${at}`, rising));
    this.#told = risen;
  }
}
