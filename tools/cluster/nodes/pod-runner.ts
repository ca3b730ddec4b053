import type { PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { type Behaviour, parseBehaviour } from '../../../embedded-cluster/kubelet/behaviour.ts';
import { PodAddresses } from '../../../embedded-cluster/kubelet/pod-addresses.ts';
import { PodIndexes } from '../../../embedded-cluster/kubelet/pod-indexes.ts';
import { type PodAt, podStatusAt, scheduledAt } from '../../../embedded-cluster/kubelet/pod-lifecycle.ts';
import type { PodEvent } from '../../../embedded-cluster/kubelet/pod-view.ts';
import { type Change, isSame } from '../../../src/adapters/kubernetes/cache/reflected-objects.ts';
import { Reflector } from '../../../src/adapters/kubernetes/cache/reflector.ts';
import { isConflict, isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { Random } from '../../../src/ports/random.ts';
import { type BoundPod, boundPod } from './bound-pod.ts';
import { KeyedWork } from './keyed-work.ts';
import { podEventObject } from './pod-event.ts';
import { hostIP, nodePrefix } from './simulated-node.ts';

export interface PodRunnerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Normal events cost a write each and nothing reads them. */
  readonly events: 'all' | 'warnings';
}

interface Known {
  readonly annotations: BoundPod['metadata']['annotations'];
  readonly behaviour: Behaviour;
  readonly podIP: string;
  /** As written last: what the watch shows may be older. */
  status: PodStatus | undefined;
  lookedAt: number;
}

const writesAtOnce = 16;
const retryMs = 1_000;

/** The kubelets of all simulated nodes: gives each pod bound to one of them the status that its behaviour declares. */
export class PodRunner {
  readonly #options: PodRunnerOptions;
  readonly #pods: Reflector<object, BoundPod>;
  readonly #work: KeyedWork;
  readonly #known = new Map<string, Known>();
  readonly #indexes = new PodIndexes();
  readonly #addresses = new PodAddresses();

  constructor(options: PodRunnerOptions) {
    this.#options = options;
    const { client, clock, random, logger } = options;
    this.#pods = new Reflector({
      client,
      type: resources.pods,
      project: boundPod,
      clock,
      random,
      logger,
      answered: undefined,
    });
    this.#work = new KeyedWork(clock, writesAtOnce, (key) => this.#attend(key));
    this.#pods.onChange((change) => this.#onPod(change));
  }

  start(): void {
    this.#pods.start();
  }

  stop(): void {
    this.#pods.stop();
  }

  #onPod({ type, namespace, name, object, previous }: Change<BoundPod>): void {
    const key = `${namespace}/${name}`;
    if (type === 'deleted' || (previous !== undefined && previous.metadata.uid !== object.metadata.uid)) {
      this.#forget(key, previous ?? object);
      if (type === 'deleted') return;
    }
    this.#indexes.see(object);
    if (!object.spec.nodeName?.startsWith(nodePrefix)) return;
    if (previous !== undefined && isOnlyStatus(object, previous)) return;
    this.#work.ask(key);
  }

  #forget(key: string, pod: BoundPod): void {
    this.#indexes.forget(pod);
    this.#addresses.release(this.#known.get(key)?.podIP);
    this.#known.delete(key);
    this.#work.askAt(key, undefined);
  }

  async #attend(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const pod = this.#pods.objects.get(namespace, name);
    if (pod === undefined) return;
    try {
      await this.#advance(key, pod);
    } catch (error) {
      // Gone or replaced: the watch will say what is there now.
      if (isNotFound(error) || isConflict(error)) return;
      this.#options.logger.warn('A pod status was not written', { pod: key, error: (error as Error).message });
      this.#work.askAt(key, this.#options.clock.now() + retryMs);
    }
  }

  async #advance(key: string, pod: BoundPod): Promise<void> {
    const now = this.#options.clock.now();
    const known = await this.#knownOf(key, pod);
    const placement = { hostIP: hostIP(pod.spec.nodeName ?? ''), podIP: known.podIP };
    const seen = known.status === undefined ? pod : { ...pod, status: known.status };
    const at = podStatusAt(seen, known.behaviour, { now, placement, since: known.lookedAt });
    known.lookedAt = now;
    await this.#apply(pod, known, at);
    if (!at.gone) this.#work.askAt(key, at.nextChangeAt);
    for (const event of at.events) await this.#report(pod, event);
  }

  async #apply(pod: BoundPod, known: Known, at: PodAt): Promise<void> {
    const { client } = this.#options;
    const { namespace, name, uid } = pod.metadata;
    if (at.gone) {
      await client.delete(resources.pods, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } });
      return;
    }
    if (isSame(known.status, at.status)) return;
    // The uid guards against a pod that took the name meanwhile.
    const body = { metadata: { uid }, status: at.status };
    await client.patch(resources.pods, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' });
    known.status = at.status;
  }

  async #knownOf(key: string, pod: BoundPod): Promise<Known> {
    const known = this.#known.get(key);
    const { annotations } = pod.metadata;
    if (known !== undefined && isSame(known.annotations, annotations)) return known;
    const { behaviour, problems } = parseBehaviour(annotations, this.#indexes.of(pod));
    const podIP = known?.podIP ?? pod.status?.podIP ?? this.#addresses.take();
    const lookedAt = known?.lookedAt ?? (scheduledAt(pod) ?? 0) - 1;
    const fresh: Known = { annotations, behaviour, podIP, status: known?.status, lookedAt };
    this.#known.set(key, fresh);
    const at = this.#options.clock.now();
    for (const message of problems) {
      await this.#report(pod, { at, type: 'Warning', reason: 'InvalidBehaviour', message });
    }
    return fresh;
  }

  /** An event that cannot be written (a namespace on its way out) is not worth a retry. */
  async #report(pod: BoundPod, event: PodEvent): Promise<void> {
    if (event.type === 'Normal' && this.#options.events !== 'all') return;
    const object = podEventObject(pod, event, this.#options.random);
    await this.#options.client.create(resources.events, pod.metadata.namespace, object).catch(() => {});
  }
}

/** Only a change of these changes what the pod does; its status is our own writing. */
function isOnlyStatus(pod: BoundPod, previous: BoundPod): boolean {
  return (
    pod.metadata.uid === previous.metadata.uid &&
    pod.spec.nodeName === previous.spec.nodeName &&
    pod.metadata.deletionTimestamp === previous.metadata.deletionTimestamp &&
    isSame(pod.metadata.annotations, previous.metadata.annotations)
  );
}
