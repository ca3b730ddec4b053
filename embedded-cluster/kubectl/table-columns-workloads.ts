import { selectorText } from '../api/verbs/label-selector.ts';
import type { KubeObject } from '../object-store.ts';
import { arrayOf, objectOf, textOf, valueAt } from '../store/json-value.ts';
import { age, humanDuration } from './duration-text.ts';
import {
  ageColumn,
  type Column,
  containerColumns,
  countAt,
  integer,
  nameColumn,
  text,
  textAt,
  wide,
} from './table-column.ts';

const selectorColumn = wide('Selector', (object) => selectorText(valueAt(object, 'spec', 'selector')));

function readyOf(object: KubeObject): string {
  return `${countAt(object, 'status', 'readyReplicas')}/${countAt(object, 'spec', 'replicas')}`;
}

function jobStatus(job: KubeObject): string {
  const conditions = arrayOf(valueAt(job, 'status', 'conditions')).map(objectOf);
  const holds = (type: string) =>
    conditions.some((condition) => condition['type'] === type && condition['status'] === 'True');
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (holds('Suspended')) return 'Suspended';
  if (holds('FailureTarget')) return 'FailureTarget';
  return holds('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

function jobCompletions(job: KubeObject): string {
  const succeeded = countAt(job, 'status', 'succeeded');
  const wanted = valueAt(job, 'spec', 'completions');
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallelism = countAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: KubeObject, now: number): string {
  const started = textOf(valueAt(job, 'status', 'startTime'));
  if (started === undefined) return '';
  const finished = textOf(valueAt(job, 'status', 'completionTime'));
  return humanDuration((finished === undefined ? now : Date.parse(finished)) - Date.parse(started));
}

function scaleTarget(autoscaler: KubeObject): string {
  const { kind, name } = objectOf(valueAt(autoscaler, 'spec', 'scaleTargetRef'));
  return `${kind}/${name}`;
}

function metricTargets(autoscaler: KubeObject): string {
  const current = arrayOf(valueAt(autoscaler, 'status', 'currentMetrics'));
  const metrics = arrayOf(valueAt(autoscaler, 'spec', 'metrics'));
  if (metrics.length === 0) return '<none>';
  return metrics
    .map((metric, index) => {
      const name = textOf(valueAt(metric, 'resource', 'name')) ?? 'metric';
      const target = valueAt(metric, 'resource', 'target', 'averageUtilization');
      const now = valueAt(current[index], 'resource', 'current', 'averageUtilization');
      return `${name}: ${now === undefined ? '<unknown>' : `${now}%`}/${target === undefined ? '<auto>' : `${target}%`}`;
    })
    .join(', ');
}

export const WORKLOAD_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  'deployments.apps': [
    nameColumn,
    text('Ready', readyOf),
    integer('Up-to-date', (object) => countAt(object, 'status', 'updatedReplicas')),
    integer('Available', (object) => countAt(object, 'status', 'availableReplicas')),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  'statefulsets.apps': [nameColumn, text('Ready', readyOf), ageColumn, ...containerColumns],
  'replicasets.apps': [
    nameColumn,
    integer('Desired', (object) => countAt(object, 'spec', 'replicas')),
    integer('Current', (object) => countAt(object, 'status', 'replicas')),
    integer('Ready', (object) => countAt(object, 'status', 'readyReplicas')),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  'daemonsets.apps': [
    nameColumn,
    integer('Desired', (object) => countAt(object, 'status', 'desiredNumberScheduled')),
    integer('Current', (object) => countAt(object, 'status', 'currentNumberScheduled')),
    integer('Ready', (object) => countAt(object, 'status', 'numberReady')),
    integer('Up-to-date', (object) => countAt(object, 'status', 'updatedNumberScheduled')),
    integer('Available', (object) => countAt(object, 'status', 'numberAvailable')),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  'jobs.batch': [
    nameColumn,
    text('Status', jobStatus),
    text('Completions', jobCompletions),
    text('Duration', jobDuration),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  'cronjobs.batch': [
    nameColumn,
    text('Schedule', (object) => textAt(object, 'spec', 'schedule')),
    text('Timezone', (object) => textAt(object, 'spec', 'timeZone')),
    text('Suspend', (object) => (valueAt(object, 'spec', 'suspend') === true ? 'True' : 'False')),
    integer('Active', (object) => arrayOf(valueAt(object, 'status', 'active')).length),
    text('Last Schedule', (object, now) => {
      const last = valueAt(object, 'status', 'lastScheduleTime');
      return last === undefined ? '<none>' : age(last, now);
    }),
    ageColumn,
  ],
  'horizontalpodautoscalers.autoscaling': [
    nameColumn,
    text('Reference', scaleTarget),
    text('Targets', metricTargets),
    text('MinPods', (object) => String(valueAt(object, 'spec', 'minReplicas') ?? '<unset>')),
    integer('MaxPods', (object) => countAt(object, 'spec', 'maxReplicas')),
    integer('Replicas', (object) => countAt(object, 'status', 'currentReplicas')),
    ageColumn,
  ],
  'poddisruptionbudgets.policy': [
    nameColumn,
    text('Min Available', (object) => String(valueAt(object, 'spec', 'minAvailable') ?? 'N/A')),
    text('Max Unavailable', (object) => String(valueAt(object, 'spec', 'maxUnavailable') ?? 'N/A')),
    integer('Allowed Disruptions', (object) => countAt(object, 'status', 'disruptionsAllowed')),
    ageColumn,
  ],
};
