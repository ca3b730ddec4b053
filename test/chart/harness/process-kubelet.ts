import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod, Service } from 'kubernetes-types/core/v1.d.ts';
import type { Change } from '../../../src/adapters/kubernetes/cache/reflected-objects.ts';
import { Reflector } from '../../../src/adapters/kubernetes/cache/reflector.ts';
import { isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { cryptographicRandom } from '../../../src/platform/random.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import type { ImageConfig } from '../../../tools/images/image-specs.ts';
import type { Identity } from '../../cluster/harness/cluster-clients.ts';
import type { ContainerProcess } from './kubelet/container-process.ts';
import { keepProcessNode } from './kubelet/process-node.ts';
import { RunningPod } from './kubelet/running-pod.ts';
import { ServiceProxy } from './kubelet/service-proxy.ts';

export interface KubeletOptions {
  readonly admin: Identity;
  /** The release's namespace: only its pods run here. */
  readonly namespace: string;
  /** Folder of assembled images. */
  readonly images: string;
}

/**
 * A kubelet that runs our own images as processes of this machine, from the pods that the chart rendered: environment,
 * mounts, tokens, users, ports, probes, and an end for whoever passes 128 MiB.
 */
export class ProcessKubelet {
  readonly #options: KubeletOptions;
  readonly #stop = new AbortController();
  readonly #pods = new Map<string, RunningPod>();
  readonly #proxies = new Map<string, ServiceProxy>();
  readonly #reports = new WeakMap<RunningPod, Promise<void>>();
  readonly #problems: string[] = [];
  readonly #reflector: Reflector<Pod, Pod>;
  readonly #node: string;
  #folder = '';
  #services: readonly Service[] = [];

  private constructor(options: KubeletOptions, node: string) {
    this.#options = options;
    this.#node = node;
    this.#reflector = new Reflector<Pod, Pod>({
      answered: undefined,
      client: options.admin.client,
      type: resources.pods,
      namespace: options.namespace,
      fieldSelector: `spec.nodeName=${node}`,
      project: (pod) => pod,
      clock: systemClock,
      random: cryptographicRandom,
      logger: silentLogger,
    });
  }

  /** Takes over the pods that the scheduler puts on its node; the release must already be installed. */
  static async start(options: KubeletOptions): Promise<ProcessKubelet> {
    const node = `process-node-${options.namespace}`;
    const kubelet = new ProcessKubelet(options, node);
    kubelet.#folder = await mkdtemp(join(tmpdir(), 'svc-pods-'));
    await chmod(kubelet.#folder, 0o755);
    await keepProcessNode(options.admin.client, node, kubelet.#stop.signal);
    await kubelet.#openServices();
    kubelet.#reflector.onChange((change) => kubelet.#onPod(change));
    kubelet.#reflector.start();
    return kubelet;
  }

  /** What went wrong with pods here, for the message of a test. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** The newest pod with this component label. */
  pod(component: string): RunningPod | undefined {
    const pods = [...this.#pods.values()].filter((one) => componentOf(one.pod) === component);
    return pods.findLast((one) => one.pod.metadata?.deletionTimestamp === undefined);
  }

  process(component: string, container: string): ContainerProcess {
    const pod = this.pod(component);
    if (pod === undefined) throw new Error(`No pod of ${component} runs here. ${this.#problems.join(' ')}`);
    return pod.process(container);
  }

  /** The address of a Service's port on this machine. */
  url(service: string, port: string): string {
    const proxy = this.#proxies.get(`${service}/${port}`);
    if (proxy === undefined) throw new Error(`There is no Service ${service} with a port ${port}.`);
    return `http://127.0.0.1:${proxy.port}`;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#reflector.stop();
    await Promise.all([...this.#pods.values()].map((one) => one.stop()));
    for (const proxy of this.#proxies.values()) proxy.close();
    await this.#options.admin.client.delete(resources.nodes, { name: this.#node }).catch(() => {});
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #openServices(): Promise<void> {
    const { admin, namespace } = this.#options;
    this.#services = (await admin.client.list(resources.services, { namespace })).items;
    for (const { metadata, spec } of this.#services) {
      for (const port of spec?.ports ?? []) {
        const backends = () => this.#backends(spec?.selector ?? {}, port.targetPort ?? port.port);
        this.#proxies.set(`${metadata?.name}/${port.name}`, await ServiceProxy.open(backends));
      }
    }
  }

  #backends(selector: Readonly<Record<string, string>>, port: string | number): readonly number[] {
    return [...this.#pods.values()]
      .filter(({ ready, pod }) => ready && pod.metadata?.deletionTimestamp === undefined)
      .filter(({ pod }) => Object.entries(selector).every(([key, value]) => pod.metadata?.labels?.[key] === value))
      .flatMap((pod) => pod.portOf(port) ?? []);
  }

  #rewriteServices = (text: string): string =>
    text.replace(/([a-z0-9-]+)\.([a-z0-9-]+)\.svc:(\d+)/g, (whole, name: string, namespace: string, number: string) => {
      const service = this.#services.find(({ metadata }) => metadata?.name === name);
      const port = service?.spec?.ports?.find((one) => one.port === Number(number));
      const proxy = this.#proxies.get(`${name}/${port?.name}`);
      return proxy === undefined || namespace !== this.#options.namespace ? whole : `127.0.0.1:${proxy.port}`;
    });

  #onPod({ type, object }: Change<Pod>): void {
    const uid = object.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    if (type === 'deleted') {
      this.#pods.delete(uid);
      void known?.stop();
    } else if (object.metadata?.deletionTimestamp !== undefined) {
      if (known !== undefined) this.#guard(uid, this.#end(known));
    } else if (known === undefined && !['Succeeded', 'Failed'].includes(object.status?.phase ?? '')) {
      this.#guard(uid, this.#begin(object, uid));
    }
  }

  async #begin(pod: Pod, uid: string): Promise<void> {
    const running: RunningPod = new RunningPod(pod, {
      admin: this.#options.admin,
      folder: join(this.#folder, uid),
      imageOf: (reference) => this.#imageOf(reference),
      rewriteServices: this.#rewriteServices,
      onChange: () => this.#guard(uid, this.#report(running)),
    });
    this.#pods.set(uid, running);
    await running.start();
    await this.#report(running);
  }

  async #end(running: RunningPod): Promise<void> {
    const { name = '', uid = '' } = running.pod.metadata ?? {};
    await running.stop();
    this.#pods.delete(uid);
    const ref = { namespace: this.#options.namespace, name };
    await this.#options.admin.client.delete(resources.pods, ref, { gracePeriodSeconds: 0, preconditions: { uid } });
  }

  /** One after the other for a pod: two at once may arrive in the other order, and the older status would stay. */
  #report(running: RunningPod): Promise<void> {
    const before = this.#reports.get(running) ?? Promise.resolve();
    const report = before.catch(() => {}).then(() => this.#writeStatus(running));
    this.#reports.set(running, report);
    return report;
  }

  async #writeStatus(running: RunningPod): Promise<void> {
    const { name = '', uid } = running.pod.metadata ?? {};
    const body = { metadata: { uid }, status: running.status() };
    const ref = { namespace: this.#options.namespace, name };
    await this.#options.admin.client.patch(resources.pods, ref, { type: 'strategic', body }, { subresource: 'status' });
  }

  /** A pod that went away meanwhile is no problem; anything else is kept for whoever waits. */
  #guard(uid: string, work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#stop.signal.aborted && !isNotFound(error)) this.#problems.push(`pod ${uid}: ${String(error)}`);
    });
  }

  /** `registry/prefix/api:1.2.3` is the tree `api`. */
  #imageOf(reference: string): { folder: string; config: ImageConfig } {
    const name = /([a-z]+):[^/]*$/.exec(reference)?.[1] ?? '';
    const config = JSON.parse(readFileSync(join(this.#options.images, `${name}.json`), 'utf8')) as ImageConfig;
    return { folder: join(this.#options.images, name), config };
  }
}

function componentOf(pod: Pod): string {
  return pod.metadata?.labels?.['app.kubernetes.io/component'] ?? '';
}
