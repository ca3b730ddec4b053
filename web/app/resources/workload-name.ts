import { kindNames } from '../../../src/domain/kinds/kinds.ts';

/** A workload as sentences name it: `Deployment shop/cart`. */
export interface WorkloadName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const named = new RegExp(`^(${kindNames.join('|')}) ([a-z0-9][a-z0-9-]*)/([a-z0-9][a-z0-9.-]*[a-z0-9]|[a-z0-9])`);

/** The workload that a sentence of the controller begins with, and the rest of the sentence. */
export function beginsWith(sentence: string): { readonly workload: WorkloadName; readonly rest: string } | undefined {
  const match = named.exec(sentence);
  if (match === null) return undefined;
  const [whole, kind = '', namespace = '', name = ''] = match;
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
