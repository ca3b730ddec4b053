import type { ContainerFacts, PodFacts } from '../../ports/workload-facts.ts';

/** What keeps a pod from being ready, the first thing first; undefined for one that is ready. */
export function podTrouble(pod: PodFacts): string | undefined {
  if (pod.ready) return undefined;
  if (pod.deleting) return 'It is on its way out.';
  return unplaced(pod) ?? pod.containers.map(containerTrouble).find((words) => words !== undefined) ?? unready(pod);
}

function unplaced({ conditions }: PodFacts): string | undefined {
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled === undefined) return undefined;
  return `No node takes it: ${scheduled.message ?? scheduled.reason ?? 'the scheduler has not said why'}`;
}

function containerTrouble(container: ContainerFacts): string | undefined {
  const { state, exitCode, init, ready, restarts, reason } = container;
  const what = `${init ? 'Init container' : 'Container'} ${container.name}`;
  if (state === 'waiting') return `${what} waits: ${waitsFor(container)}`;
  if (state === 'running')
    return restarts > 0 && !ready ? `${what} runs and is not ready${again(restarts)}` : undefined;
  if (init && exitCode === 0) return undefined;
  return `${what} ended with exit code ${exitCode}${reason === undefined ? '' : ` (${reason})`}${again(restarts)}`;
}

function waitsFor({ reason = 'it has not been created yet', message, last }: ContainerFacts): string {
  const before = last === undefined ? [] : [`and ended with exit code ${last.exitCode} before`];
  return [reason, ...(message === undefined ? [] : [message]), ...before].join(', ');
}

function again(restarts: number): string {
  if (restarts === 0) return '';
  return `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
}

function unready({ phase, conditions, containers }: PodFacts): string {
  const waiting = containers.filter(({ ready, init }) => !ready && !init).map(({ name }) => name);
  if (waiting.length > 0) return `Not ready yet: ${waiting.join(', ')} runs, and its readiness check has not passed`;
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready?.message ?? `It is ${phase} and not ready`;
}
