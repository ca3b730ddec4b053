import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Service as RawService } from 'kubernetes-types/core/v1.d.ts';
import { annotations } from '../../domain/names.ts';
import { redirectedLabel, satelliteSelector } from '../../domain/redirect/marks.ts';
import type { SatelliteManifest } from '../../domain/redirect/satellite-manifest.ts';
import type { Service, ServiceRef } from '../../domain/redirect/service.ts';
import type { StringMap } from '../../domain/workload.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { Services, ServiceWrite } from '../../ports/services.ts';
import { ApiStatusError, isNotFound } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { outcomeOf } from './write-outcome.ts';

/** Who writes here tries again at a pace of its own. */
const paced = { once: true } as const;

/** Guarded merge patches: each names the resourceVersion it was decided on, and changes selector and marks alone. */
export class KubernetesServices implements Services {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async read(ref: ServiceRef): Promise<Service | undefined> {
    try {
      return projectService(await this.#client.get(resources.services, ref));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async redirected(): Promise<readonly Service[]> {
    const labelSelector = `${redirectedLabel}=true`;
    try {
      const { items } = await this.#client.list(resources.services, { labelSelector, project: projectService });
      return items;
    } catch (error) {
      // An installation without redirection has no right on services, and has redirected none.
      if (error instanceof ApiStatusError && error.status === 403) return [];
      throw error;
    }
  }

  redirect(service: Service): Promise<ServiceWrite> {
    const marks = { [annotations.originalSelector]: JSON.stringify(service.selector) };
    return this.#patch(service, marks, { [redirectedLabel]: 'true' }, satelliteSelector(service));
  }

  restore(service: Service, selector: StringMap): Promise<ServiceWrite> {
    return this.#patch(service, { [annotations.originalSelector]: null }, { [redirectedLabel]: null }, selector);
  }

  disown(service: Service): Promise<ServiceWrite> {
    return this.#patch(service, { [annotations.originalSelector]: null }, { [redirectedLabel]: null }, undefined);
  }

  createSatellite(manifest: SatelliteManifest): Promise<WriteOutcome> {
    return outcomeOf(async () => {
      // The manifest is ours and readonly; the published type is the same, writable.
      const deployment = manifest as unknown as Deployment;
      await this.#client.create(resources.deployments, manifest.metadata.namespace, deployment, paced);
    });
  }

  removeSatellite(ref: ServiceRef, uid: string): Promise<WriteOutcome> {
    return outcomeOf(() =>
      this.#client.delete(resources.deployments, ref, {
        propagationPolicy: 'Background',
        preconditions: { uid },
        ...paced,
      }),
    );
  }

  async #patch(
    service: Service,
    marks: Readonly<Record<string, string | null>>,
    labels: Readonly<Record<string, string | null>>,
    selector: StringMap | undefined,
  ): Promise<ServiceWrite> {
    const metadata = { resourceVersion: service.resourceVersion, annotations: marks, labels };
    const spec = selector === undefined ? {} : { spec: { selector: selectorChange(service.selector, selector) } };
    let after: Service | undefined;
    const result = await outcomeOf(async () => {
      const body = { metadata, ...spec };
      after = projectService(await this.#client.patch(resources.services, service, { type: 'merge', body }, paced));
    });
    return result.outcome === 'done' ? { outcome: 'done', service: after! } : result;
  }
}

/** A merge patch keeps what it does not name, so the labels that go are named with null. */
function selectorChange(from: StringMap, to: StringMap): Readonly<Record<string, string | null>> {
  return { ...Object.fromEntries(Object.keys(from).map((key) => [key, null])), ...to };
}

function projectService({ metadata, spec }: RawService): Service {
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    resourceVersion: metadata?.resourceVersion ?? '',
    type: spec?.type ?? 'ClusterIP',
    selector: spec?.selector ?? {},
    annotations: metadata?.annotations ?? {},
    labels: metadata?.labels ?? {},
    ports: (spec?.ports ?? []).map(({ port, protocol, targetPort }) => ({
      port,
      protocol: protocol ?? 'TCP',
      targetPort: targetPort === undefined || targetPort === 0 || targetPort === '' ? port : targetPort,
    })),
    deleting: metadata?.deletionTimestamp !== undefined,
  };
}
