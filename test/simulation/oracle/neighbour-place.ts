import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { annotations } from '../../../src/domain/names.ts';

// Written again from the documentation of the neighbours, not from the service's table of kinds: where each is told to be quiet.

interface Place {
  /** Below `metadata.annotations` or `spec`. */
  readonly in: 'annotations' | 'spec';
  readonly name: string;
  readonly asleep: string;
}

const places: Readonly<Record<string, Place>> = {
  'scaledobjects.keda.sh': { in: 'annotations', name: 'autoscaling.keda.sh/paused-replicas', asleep: '"0"' },
  'kustomizations.kustomize.toolkit.fluxcd.io': { in: 'spec', name: 'suspend', asleep: 'true' },
  'applications.argoproj.io': { in: 'annotations', name: 'argocd.argoproj.io/skip-reconcile', asleep: '"true"' },
  'postgresqls.acid.zalan.do': { in: 'spec', name: 'numberOfInstances', asleep: '0' },
  'prometheuses.monitoring.coreos.com': { in: 'spec', name: 'replicas', asleep: '0' },
};
const byKind: Readonly<Record<string, string>> = {
  ScaledObject: 'scaledobjects.keda.sh',
  Kustomization: 'kustomizations.kustomize.toolkit.fluxcd.io',
  Application: 'applications.argoproj.io',
  postgresql: 'postgresqls.acid.zalan.do',
  Prometheus: 'prometheuses.monitoring.coreos.com',
};

export const neighbourResources = Object.keys(places);

export function isNeighbourResource(resource: string): boolean {
  return Object.hasOwn(places, resource);
}

export function isNeighbourKind(kind: string): boolean {
  return Object.hasOwn(byKind, kind);
}

export function placeOf({ kind }: { readonly kind: string }): Place {
  return places[byKind[kind]!]!;
}

export const absent = 'absent';

/** What stands at the place, as JSON, or that nothing does. */
export function standing(object: KubeObject): string {
  const { in: where, name } = placeOf(object);
  const map = (where === 'spec' ? object['spec'] : object.metadata.annotations) as Record<string, unknown> | undefined;
  return map?.[name] === undefined ? absent : JSON.stringify(map[name]);
}

export function isQuiet(object: KubeObject): boolean {
  return standing(object) === placeOf(object).asleep;
}

/** What our mark on this very object says that stood there. */
export function markedStanding({ metadata }: KubeObject): string | undefined {
  const map = metadata.annotations ?? {};
  if (map[annotations.markedUid] !== metadata.uid || map[annotations.suspendedByService] === undefined)
    return undefined;
  return map[annotations.valueBefore] ?? absent;
}
