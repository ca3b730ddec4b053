import { isDownByUs } from '../../domain/record/mark.ts';
import { compareRecords, type WorkloadRecord, wasDown } from '../../domain/record/record.ts';
import { gitOpsOwner } from '../../domain/targeting/gitops.ts';
import { withHeldAppliers } from '../../domain/targeting/held-appliers.ts';
import { isDown, isReady, type Workload, workloadKey } from '../../domain/workload.ts';
import type { ClusterView } from '../../ports/cluster.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { type ClassifiedWorkload, classifyWorkloads } from '../../service/workload-table.ts';

type ResourceState = 'up' | 'starting' | 'down' | 'hibernated';

export interface ListedWorkload extends ClassifiedWorkload {
  readonly record?: WorkloadRecord;
  readonly state: ResourceState;
  /** Scaled by the service, or held by a record of it. */
  readonly managed: boolean;
}

export interface WorkloadsSnapshot {
  /** In the order of namespace, kind and name. */
  readonly items: readonly ListedWorkload[];
  readonly managed: readonly ListedWorkload[];
  readonly counts: {
    readonly managed: number;
    readonly up: number;
    readonly starting: number;
    readonly down: number;
    readonly hibernated: number;
    readonly wouldSleep: number;
    readonly excluded: number;
  };
}

/** The cluster as the listings and the status show it. Worked out when asked for, and once until something changes. */
export class WorkloadsSnapshots {
  readonly #view: ClusterView;
  #made: { workloads: WorkloadsSnapshot; compiled: CompiledConfig; records: readonly WorkloadRecord[] } | undefined;

  constructor(view: ClusterView) {
    this.#view = view;
    view.onChange(() => {
      this.#made = undefined;
    });
  }

  workloads(compiled: CompiledConfig, records: readonly WorkloadRecord[]): WorkloadsSnapshot {
    const made = this.#made;
    if (made !== undefined && made.compiled === compiled && made.records === records) return made.workloads;
    const workloads = takeSnapshot(this.#view, compiled, records);
    this.#made = { workloads, compiled, records };
    return workloads;
  }
}

function takeSnapshot(
  view: ClusterView,
  compiled: CompiledConfig,
  records: readonly WorkloadRecord[],
): WorkloadsSnapshot {
  const byKey = new Map(records.map((record) => [workloadKey(record), record]));
  const counts = { managed: 0, up: 0, starting: 0, down: 0, hibernated: 0, wouldSleep: 0, excluded: 0 };
  const items = withHeldAppliers(classifyWorkloads(view, compiled), records)
    .toSorted((a, b) => compareRecords(a.workload, b.workload))
    .map((classified): ListedWorkload => {
      const { workload, skipped } = classified;
      const record = byKey.get(workloadKey(workload));
      const ours = record?.uid === workload.uid ? record : undefined;
      const state = stateOf(workload, ours);
      const managed = skipped === undefined || ours !== undefined;
      const item = { ...classified, state, managed, ...(ours === undefined ? {} : { record: ours }) };
      if (managed) {
        counts.managed++;
        counts[state]++;
      } else counts.excluded++;
      if (wouldSleep(item)) counts.wouldSleep++;
      return item;
    });
  return { items, managed: items.filter(({ managed }) => managed), counts };
}

/** What a hibernation would take down now. */
export function wouldSleep({ skipped, state }: Pick<ListedWorkload, 'skipped' | 'state'>): boolean {
  return skipped === undefined && state !== 'down' && state !== 'hibernated';
}

/** Down is ours only where a record or our own mark says so. */
function stateOf(workload: Workload, record: WorkloadRecord | undefined): ResourceState {
  const lowered = isDownByUs(workload) || (record !== undefined && !wasDown(record));
  if (isDown(workload)) return lowered ? 'hibernated' : 'down';
  return isReady(workload) ? 'up' : 'starting';
}

/** Who else drives a workload, for people who wonder. */
export function ownerOf(workload: Workload): string | undefined {
  const owner = workload.controlledBy;
  return owner === undefined ? gitOpsOwner(workload)?.name : `${owner.kind} ${owner.name}`;
}
