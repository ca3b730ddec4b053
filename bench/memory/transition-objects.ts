import { objectText } from './full-size-objects.ts';

interface Spec {
  replicas: number;
}
interface DeploymentObject {
  metadata: { name: string; namespace: string; generation: number; annotations: Record<string, string> };
  spec: Spec;
  status: Record<string, unknown>;
}

export interface DeploymentPatch {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: { readonly replicas?: number };
}

const replicasAtFirst = 4;
const generationAtFirst = 12;

/** One Deployment of full size that takes patches; its text is made when it is asked for. */
export class LiveDeployment {
  readonly index: number;
  resourceVersion: number;
  replicas = replicasAtFirst;
  /** What the cluster has brought about so far. */
  running = replicasAtFirst;
  #generation = generationAtFirst;
  #observed = generationAtFirst;
  #marks: Record<string, string> = {};

  constructor(index: number) {
    this.index = index;
    this.resourceVersion = 1_000 + index;
  }

  get asItWas(): boolean {
    return this.replicas === replicasAtFirst && Object.keys(this.#marks).length === 0;
  }

  /** False when somebody wrote since that version. */
  patch({ metadata, spec }: DeploymentPatch, resourceVersion: number): boolean {
    if (metadata?.resourceVersion !== undefined && metadata.resourceVersion !== String(this.resourceVersion))
      return false;
    for (const [key, value] of Object.entries(metadata?.annotations ?? {})) {
      if (value === null) delete this.#marks[key];
      else this.#marks[key] = value;
    }
    if (spec?.replicas !== undefined) {
      this.replicas = spec.replicas;
      this.#generation++;
    }
    this.resourceVersion = resourceVersion;
    return true;
  }

  /** The cluster has done what the count asks for. */
  settle(resourceVersion: number): void {
    this.running = this.replicas;
    this.#observed = this.#generation;
    this.resourceVersion = resourceVersion;
  }

  text(): string {
    const { index, resourceVersion } = this;
    const object = JSON.parse(objectText('deployments', { index, resourceVersion, round: 4 })) as DeploymentObject;
    object.metadata.generation = this.#generation;
    Object.assign(object.metadata.annotations, this.#marks);
    object.spec.replicas = this.replicas;
    const { running: replicas } = this;
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas };
    Object.assign(object.status, { observedGeneration: this.#observed, ...counts });
    return JSON.stringify(object);
  }
}

/** A pod as it is right after its creation: no node, no container. */
export function pendingPodText(index: number, resourceVersion: number): string {
  const pod = JSON.parse(objectText('pods', { index, resourceVersion, round: 0 })) as {
    spec: { nodeName?: string };
    status: object;
  };
  delete pod.spec.nodeName;
  pod.status = { phase: 'Pending', qosClass: 'Burstable' };
  return JSON.stringify(pod);
}
