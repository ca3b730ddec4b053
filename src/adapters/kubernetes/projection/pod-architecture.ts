import type { NodeSelectorTerm, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { Architecture } from '../../../domain/workload.ts';

const label = 'kubernetes.io/arch';

/** The only kind of node that pods of this template may run on; undefined when it leaves that open. */
export function architectureOf(spec: PodSpec | undefined): Architecture | undefined {
  const selected = known(spec?.nodeSelector?.[label]);
  if (selected !== undefined) return selected;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const [first, ...others] = terms.map(onlyOf);
  // A node matches when any one of the terms does.
  return others.every((other) => other === first) ? first : undefined;
}

function onlyOf({ matchExpressions = [] }: NodeSelectorTerm): Architecture | undefined {
  const asked = matchExpressions.find(({ key, operator }) => key === label && operator === 'In');
  return asked?.values?.length === 1 ? known(asked.values[0]) : undefined;
}

function known(text: string | undefined): Architecture | undefined {
  return text === 'amd64' || text === 'arm64' ? text : undefined;
}
