import { keyOf } from '../controllers/machinery/typed-store.ts';
import type { KubeObject } from '../object-store.ts';
import { Applier, type Repository } from './applied.ts';
import type { NeighbourOptions } from './neighbour.ts';

interface Spec {
  readonly interval?: string;
  readonly suspend?: boolean;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Flux's kustomize-controller: applies all that a Kustomization builds, at every interval and whenever the Kustomization
 * changes, and nothing while it is suspended.
 */
export class KustomizeController extends Applier {
  readonly #repository: Repository;

  constructor(options: NeighbourOptions, repository: Repository) {
    super(options, 'kustomize-controller', 'kustomizations.kustomize.toolkit.fluxcd.io');
    this.#repository = repository;
  }

  protected override reconcile(object: KubeObject): number | undefined {
    const { interval = '10m', suspend = false } = object['spec'] as Spec;
    if (suspend) return undefined;
    const { namespace = '', name } = object.metadata;
    const owner = {
      'kustomize.toolkit.fluxcd.io/name': name,
      'kustomize.toolkit.fluxcd.io/namespace': namespace,
    };
    for (const manifest of this.#repository.get(keyOf(object)) ?? []) {
      const labels = { ...(manifest.metadata['labels'] as object), ...owner };
      this.applyOne({ ...manifest, metadata: { ...manifest.metadata, labels } });
    }
    return Number.parseInt(interval, 10) * (unitMs[interval.at(-1) ?? ''] ?? 1_000);
  }
}
