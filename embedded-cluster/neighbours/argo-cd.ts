import type { Manifest } from '../apply-objects.ts';
import { keyOf } from '../controllers/machinery/typed-store.ts';
import type { KubeObject } from '../object-store.ts';
import { type JsonObject, objectOf, sameJson } from '../store/json-value.ts';
import { Applier, type Repository } from './applied.ts';
import type { NeighbourOptions } from './neighbour.ts';
import { storageOf } from './storage.ts';

const skipReconcile = 'argocd.argoproj.io/skip-reconcile';
const trackingId = 'argocd.argoproj.io/tracking-id';
const reconciliationMs = 180_000;
const selfHealMs = 5_000;
const home = 'argocd';

interface Spec {
  readonly syncPolicy?: { readonly automated?: { readonly enabled?: boolean; readonly selfHeal?: boolean } };
  readonly ignoreDifferences?: readonly { readonly kind: string; readonly jsonPointers?: readonly string[] }[];
}

/**
 * Argo CD's application controller: lists what an Application holds in its status, and with self-heal puts back what differs
 * within seconds, because it watches what it applies. An Application that says so is not looked at at all.
 */
export class ApplicationController extends Applier {
  readonly #repository: Repository;

  constructor(options: NeighbourOptions, repository: Repository) {
    super(options, 'argocd-controller', 'applications.argoproj.io');
    this.#repository = repository;
    for (const kind of ['Deployment', 'StatefulSet', 'CronJob', 'Rollout']) {
      this.store.onChange(storageOf(kind), ({ object }) => {
        const application = object.metadata.annotations?.[trackingId]?.split(':')[0];
        if (application !== undefined) this.lookSoon(`${home}/${application}`, selfHealMs);
      });
    }
  }

  protected override reconcile(object: KubeObject): number | undefined {
    if (object.metadata.annotations?.[skipReconcile] === 'true') return undefined;
    const manifests = this.#repository.get(keyOf(object)) ?? [];
    const { syncPolicy, ignoreDifferences = [] } = object['spec'] as Spec;
    const heals = syncPolicy?.automated?.selfHeal === true && syncPolicy.automated.enabled !== false;
    for (const manifest of manifests) {
      const live = this.live(manifest);
      const pointers = ignoreDifferences
        .filter(({ kind }) => kind === manifest.kind)
        .flatMap(({ jsonPointers = [] }) => jsonPointers);
      if (live === undefined) this.applyOne(tracked(object, manifest));
      else if (heals) this.applyOne(tracked(object, respecting(pointers, manifest, live)));
    }
    this.#report(object, manifests);
    return reconciliationMs;
  }

  #report(object: KubeObject, manifests: readonly Manifest[]): void {
    const resources = manifests.map(({ apiVersion, kind, metadata: { namespace, name } }) => {
      const [group = '', version = ''] = apiVersion.split('/');
      return { group, version, kind, namespace, name, status: 'Synced' };
    });
    const status = { ...objectOf(object['status']), resources, sync: { status: 'Synced' } };
    if (!sameJson(status as JsonObject, objectOf(object['status']))) {
      this.store.update('applications.argoproj.io', { ...object, status }, this.as());
    }
  }
}

function tracked({ metadata }: KubeObject, manifest: Manifest): Manifest {
  const { namespace, name, annotations } = manifest.metadata as KubeObject['metadata'];
  const [group = ''] = manifest.apiVersion.split('/');
  const id = `${metadata.name}:${group}/${manifest.kind}:${namespace}/${name}`;
  return { ...manifest, metadata: { ...manifest.metadata, annotations: { ...annotations, [trackingId]: id } } };
}

/** With `RespectIgnoreDifferences`: such a field is applied as it stands. */
function respecting(pointers: readonly string[], manifest: Manifest, live: KubeObject): Manifest {
  const stands = Object.entries(objectOf(live['spec'])).filter(([field]) => pointers.includes(`/spec/${field}`));
  return { ...manifest, spec: { ...objectOf(manifest['spec']), ...Object.fromEntries(stands) } };
}
