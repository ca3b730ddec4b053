import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { labels, product } from '../../domain/names.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { OwnPod, OwnPods } from '../../ports/own-pods.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { outcomeOf } from './write-outcome.ts';

/** The pods of the release namespace that the chart labelled as parts of the service. */
export class KubernetesOwnPods implements OwnPods {
  readonly #client: KubeClient;
  readonly #namespace: string;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  async list(): Promise<readonly OwnPod[]> {
    const { items } = await this.#client.list(resources.pods, {
      namespace: this.#namespace,
      labelSelector: `${labels.partOf}=${product}`,
      project: projectPod,
    });
    return items.filter((pod) => pod !== undefined);
  }

  annotate(pod: OwnPod, annotations: Readonly<Record<string, string | null>>): Promise<WriteOutcome> {
    const body = { metadata: { resourceVersion: pod.resourceVersion, annotations } };
    const ref = { namespace: this.#namespace, name: pod.name };
    return outcomeOf(
      async () => void (await this.#client.patch(resources.pods, ref, { type: 'merge', body }, { once: true })),
    );
  }
}

/** One that has ended or is on its way out needs no protection. */
function projectPod({ metadata, status }: Pod): OwnPod | undefined {
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (ended || metadata?.deletionTimestamp !== undefined) return undefined;
  return {
    name: metadata?.name ?? '',
    resourceVersion: metadata?.resourceVersion ?? '',
    annotations: metadata?.annotations ?? {},
  };
}
