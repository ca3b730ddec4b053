import type { NodeSelectorRequirement, PodSpec } from 'kubernetes-types/core/v1.js';
import { matchesLabels } from '../controllers/machinery/label-selector.ts';
import type { StoredNode } from '../controllers/machinery/typed-store.ts';

/** Whether the node has what nodeSelector and the required node affinity ask for. */
export function matchesNodeAffinity(spec: PodSpec, node: StoredNode): boolean {
  if (!matchesLabels(spec.nodeSelector, node.metadata.labels)) return false;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined) return true;
  return terms.some(
    (term) =>
      (term.matchExpressions ?? []).every((one) => meets(one, node.metadata.labels?.[one.key])) &&
      (term.matchFields ?? []).every((one) => meets(one, node.metadata.name)),
  );
}

function meets({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Gt':
      return Number(value) > Number(values[0]);
    default:
      return Number(value) < Number(values[0]);
  }
}
