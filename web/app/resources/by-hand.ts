import { runsOf } from '../../../src/domain/kinds/kinds.ts';
import type { WorkloadName } from './workload-name.ts';

export interface Command {
  readonly answers: string;
  readonly line: string;
}

/** What to type to see for oneself; the service reads no logs. */
export function commandsFor({ kind, namespace, name }: WorkloadName): readonly Command[] {
  const target = `${kind.toLowerCase()}/${name}`;
  const describe = {
    answers: 'What it asks for, and what happened to it',
    line: `kubectl describe ${target} -n ${namespace}`,
  };
  const runs = runsOf(kind);
  if (runs === undefined) return [describe];
  if (runs === 'jobs') {
    return [
      describe,
      { answers: 'Its last runs', line: `kubectl get jobs -n ${namespace} --sort-by=.metadata.creationTimestamp` },
    ];
  }
  return [
    describe,
    { answers: 'Where its pods are', line: `kubectl get pods -n ${namespace} -o wide` },
    { answers: 'Why a pod is not ready', line: `kubectl get events -n ${namespace} --sort-by=.lastTimestamp` },
    { answers: 'What it says itself', line: `kubectl logs ${target} -n ${namespace} --all-containers --tail=100` },
  ];
}
