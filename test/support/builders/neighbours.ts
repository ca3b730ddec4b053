import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';

// Custom resources of neighbours, as their own definitions have them.

interface Definition {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
}

const definitions = {
  ScaledObject: { group: 'keda.sh', version: 'v1alpha1', plural: 'scaledobjects', kind: 'ScaledObject' },
  Kustomization: {
    group: 'kustomize.toolkit.fluxcd.io',
    version: 'v1',
    plural: 'kustomizations',
    kind: 'Kustomization',
  },
  HelmRelease: { group: 'helm.toolkit.fluxcd.io', version: 'v2', plural: 'helmreleases', kind: 'HelmRelease' },
} as const satisfies Record<string, Definition>;

export type NeighbourKind = keyof typeof definitions;

export function definitionOf(kind: NeighbourKind): Manifest {
  const { group, version, plural } = definitions[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: version, served: true, storage: true, subresources: { status: {} } }],
    },
  };
}

/** Where the store of the embedded cluster keeps the kind. */
export function storageOf(kind: NeighbourKind): string {
  const { group, plural } = definitions[kind];
  return `${plural}.${group}`;
}

interface Parts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

export function neighbour(kind: NeighbourKind, place: string, { annotations, spec = {} }: Parts = {}): Manifest {
  const { group, version } = definitions[kind];
  const [namespace = '', name = ''] = place.split('/');
  const metadata = { namespace, name, ...(annotations === undefined ? {} : { annotations: { ...annotations } }) };
  return { apiVersion: `${group}/${version}`, kind, metadata, spec };
}
