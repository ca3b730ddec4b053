import type { SatelliteManifest } from '../domain/redirect/satellite-manifest.ts';
import type { Service, ServiceRef } from '../domain/redirect/service.ts';
import type { StringMap } from '../domain/workload.ts';
import type { WriteOutcome } from './cluster.ts';

/** What became of a write, and the Service as it is after it. */
export type ServiceWrite =
  | Exclude<WriteOutcome, { outcome: 'done' }>
  | { readonly outcome: 'done'; readonly service: Service };

export interface ServiceReader {
  /** From the apiserver itself; undefined when it is gone. Rejects when there is no answer. */
  read(ref: ServiceRef): Promise<Service | undefined>;
}

/**
 * Services that are redirected, and the satellites beside them. Each change of a Service is one patch that carries its
 * resourceVersion and touches its selector and our own marks alone.
 */
export interface Services extends ServiceReader {
  /** Everything that carries our mark, wherever it is. */
  redirected(): Promise<readonly Service[]>;
  /** Points it at its satellite, and writes the selector it had beside it, in one write. */
  redirect(service: Service): Promise<ServiceWrite>;
  /** Gives it the selector and removes our marks, in one write. */
  restore(service: Service, selector: StringMap): Promise<ServiceWrite>;
  /** Removes our marks and nothing else. */
  disown(service: Service): Promise<ServiceWrite>;
  /** `conflict` when there is one already. */
  createSatellite(manifest: SatelliteManifest): Promise<WriteOutcome>;
  /** That one and no other of its name: the next night may have made one anew. */
  removeSatellite(ref: ServiceRef, uid: string): Promise<WriteOutcome>;
}
