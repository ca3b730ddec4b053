import type { KubeObject } from '../object-store.ts';
import { arrayOf, isObject, type JsonObject, numberOf, objectOf, textOf, valueAt } from '../store/json-value.ts';
import { humanDuration } from './duration-text.ts';

function statuses(pod: KubeObject, field: string): readonly JsonObject[] {
  return arrayOf(valueAt(pod, 'status', field)).filter(isObject);
}

/** `1/2`: containers that are ready, of those the pod has. */
export function podReady(pod: KubeObject): string {
  const ready = statuses(pod, 'containerStatuses').filter((status) => status['ready'] === true && isRunning(status));
  return `${ready.length}/${arrayOf(valueAt(pod, 'spec', 'containers')).length}`;
}

function isRunning(status: JsonObject): boolean {
  return valueAt(status, 'state', 'running') !== undefined;
}

/** The word that `kubectl get pods` shows: the phase, or what keeps the pod from it. */
export function podStatus(pod: KubeObject): string {
  const initial = textOf(valueAt(pod, 'status', 'reason')) ?? textOf(valueAt(pod, 'status', 'phase')) ?? '';
  const gated = arrayOf(valueAt(pod, 'status', 'conditions')).some(
    (condition) => valueAt(condition, 'reason') === 'SchedulingGated',
  );
  const word = initStatus(pod) ?? containerStatus(pod, gated ? 'SchedulingGated' : initial);
  if (pod.metadata.deletionTimestamp === undefined) return word;
  if (valueAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = valueAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? word : 'Terminating';
}

/** What the first init container that has not finished is at. */
function initStatus(pod: KubeObject): string | undefined {
  const total = arrayOf(valueAt(pod, 'spec', 'initContainers')).length;
  for (const [index, status] of statuses(pod, 'initContainerStatuses').entries()) {
    const terminated = valueAt(status, 'state', 'terminated');
    if (valueAt(terminated, 'exitCode') === 0) continue;
    if (status['started'] === true && isRunning(status)) continue;
    if (isObject(terminated)) return `Init:${terminatedWord(terminated)}`;
    const reason = textOf(valueAt(status, 'state', 'waiting', 'reason'));
    return reason !== undefined && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${index}/${total}`;
  }
  return undefined;
}

function terminatedWord(terminated: JsonObject): string {
  const reason = textOf(terminated['reason']) ?? '';
  if (reason !== '') return reason;
  const signal = numberOf(terminated['signal']) ?? 0;
  return signal === 0 ? `ExitCode:${terminated['exitCode']}` : `Signal:${signal}`;
}

/** Later containers overrule earlier ones; a pod whose last word is Completed but where one still runs is Running. */
function containerStatus(pod: KubeObject, initial: string): string {
  let word = initial;
  let running = false;
  for (const status of statuses(pod, 'containerStatuses').toReversed()) {
    const waiting = textOf(valueAt(status, 'state', 'waiting', 'reason')) ?? '';
    const terminated = valueAt(status, 'state', 'terminated');
    if (waiting !== '') word = waiting;
    else if (isObject(terminated)) word = terminatedWord(terminated);
    else if (status['ready'] === true && isRunning(status)) running = true;
  }
  if (word !== 'Completed' || !running) return word;
  return isReady(pod) ? 'Running' : 'NotReady';
}

function isReady(pod: KubeObject): boolean {
  const conditions = arrayOf(valueAt(pod, 'status', 'conditions')).map(objectOf);
  return conditions.some((condition) => condition['type'] === 'Ready' && condition['status'] === 'True');
}

/** `3 (2m ago)` once a container has restarted. */
export function podRestarts(pod: KubeObject, now: number): string {
  const all = statuses(pod, 'containerStatuses');
  const restarts = all.reduce((sum, status) => sum + (numberOf(status['restartCount']) ?? 0), 0);
  const ends = all
    .map((status) => textOf(valueAt(status, 'lastState', 'terminated', 'finishedAt')))
    .filter((finished) => finished !== undefined)
    .map((finished) => Date.parse(finished));
  if (restarts === 0 || ends.length === 0) return String(restarts);
  return `${restarts} (${humanDuration(now - Math.max(...ends))} ago)`;
}
