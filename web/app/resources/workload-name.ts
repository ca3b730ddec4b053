import { isOfKubernetes } from '../../../src/domain/kinds/kinds-of-kubernetes.ts';

/** A workload as sentences name it: `Deployment shop/cart`. */
export interface WorkloadName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const named = /^([A-Za-z][A-Za-z0-9]*) ([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9.-]*[a-z0-9]|[a-z0-9])/;

/** The workload that a sentence of the controller begins with, and the rest of the sentence. */
export function beginsWith(sentence: string): { readonly workload: WorkloadName; readonly rest: string } | undefined {
  const match = named.exec(sentence);
  if (match === null) return undefined;
  const [whole, kind = '', namespace = '', name = ''] = match;
  // A kind that the configuration describes has any name but those of what is never a workload of ours, such as Services.
  if (isOfKubernetes(kind)) return undefined;
  return { workload: { kind, namespace, name }, rest: sentence.slice(whole.length) };
}

export function keyOf({ kind, namespace, name }: WorkloadName): string {
  return `${kind}/${namespace}/${name}`;
}

export const workloadRoute = '/resources/:kind/:namespace/:name';

/** The page of a workload. */
export function workloadAddress({ kind, namespace, name }: WorkloadName): string {
  return `/resources/${[kind, namespace, name].map(encodeURIComponent).join('/')}`;
}
