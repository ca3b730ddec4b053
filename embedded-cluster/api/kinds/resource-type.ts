import type { Verb } from '../request/request-info.ts';

/** One resource of the API as discovery, routing and the verbs see it. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** `status`, `scale`, and the special ones of pods, namespaces and service accounts. */
  readonly subresources: readonly string[];
  readonly verbs: readonly Verb[];
  /** Where the store keeps it: `plural` or `plural.group`, the same for every version. */
  readonly storage: string;
  /** The apiVersion its objects are stored under. */
  readonly storedApiVersion: string;
  /** Custom resources have no strategic merge and no defaults. */
  readonly custom: boolean;
  /** The field paths of a custom resource's scale subresource. */
  readonly scale?: ScalePaths;
}

export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector?: readonly string[];
}

export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

export function groupResource(type: ResourceType): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** What each subresource answers with, and to which verbs. */
export const SUBRESOURCES: Readonly<
  Record<string, { readonly kind?: string; readonly apiVersion?: string; readonly verbs: readonly Verb[] }>
> = {
  status: { verbs: ['get', 'patch', 'update'] },
  scale: { kind: 'Scale', apiVersion: 'autoscaling/v1', verbs: ['get', 'patch', 'update'] },
  eviction: { kind: 'Eviction', apiVersion: 'policy/v1', verbs: ['create'] },
  binding: { kind: 'Binding', apiVersion: 'v1', verbs: ['create'] },
  log: { verbs: ['get'] },
  token: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', verbs: ['create'] },
  finalize: { verbs: ['update'] },
};

/** A resource that is answered and not stored. */
export function isReview(type: ResourceType): boolean {
  return !type.verbs.includes('get');
}
