import { applyServerSide } from '../api/patch/server-side-apply.ts';
import type { Manifest } from '../apply-objects.ts';
import type { KubeObject } from '../object-store.ts';
import type { JsonObject } from '../store/json-value.ts';
import { Neighbour } from './neighbour.ts';
import { storageOf } from './storage.ts';

/** What a repository holds for an object that applies it, by the key of that object. */
export type Repository = ReadonlyMap<string, readonly Manifest[]>;

/** A neighbour that applies manifests of a repository to the cluster, and puts back what differs from them. */
export abstract class Applier extends Neighbour {
  /** By force: what the manifest says holds, what it leaves out stays as others have it. */
  protected applyOne(manifest: Manifest): void {
    const live = this.live(manifest);
    const { labels, annotations } = manifest.metadata as KubeObject['metadata'];
    const metadata = { ...(labels && { labels }), ...(annotations && { annotations }) };
    const applied = { metadata, spec: manifest['spec'] as JsonObject };
    if (live === undefined) {
      this.cluster.apply([manifest], this.as({ operation: 'Apply', applied }));
      return;
    }
    const next = applyServerSide(live, applied, this.manager, true) as KubeObject;
    this.store.update(storageOf(manifest.kind), next, this.as({ operation: 'Apply', applied }));
  }

  protected live({ kind, metadata: { namespace, name } }: Manifest): KubeObject | undefined {
    return this.store.get(storageOf(kind), namespace, name);
  }
}
