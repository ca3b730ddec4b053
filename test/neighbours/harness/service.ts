import { vi } from 'vitest';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import type { WorkloadKind } from '../../../src/domain/kinds/kinds.ts';
import { type AssembledImages, assembleImages } from '../../chart/harness/images.ts';
import { onProcessNode } from '../../chart/harness/kubelet/process-node.ts';
import { ProcessKubelet } from '../../chart/harness/process-kubelet.ts';
import { Release } from '../../chart/harness/release.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const week = (hours: string) => days.map((day) => `config.workingHours.schedule.${day}=${hours}`);
const quick = { initialDelaySeconds: 0, periodSeconds: 1, timeoutSeconds: 1 };

export interface ServiceOptions {
  readonly kinds: readonly WorkloadKind[];
  /** The namespaces that are managed. */
  readonly namespaces: readonly string[];
}

/** The service as it is shipped: the chart, its rights and admission policy, its images as processes. */
export class Service {
  readonly #images: AssembledImages;
  readonly #kubelet: ProcessKubelet;
  readonly #release: Release;

  private constructor(images: AssembledImages, release: Release, kubelet: ProcessKubelet) {
    this.#images = images;
    this.#release = release;
    this.#kubelet = kubelet;
  }

  static async install(cluster: RealCluster, { kinds, namespaces }: ServiceOptions): Promise<Service> {
    const images = await assembleImages(['controller', 'api', 'frontend']);
    const { items } = await cluster.admin.client.list(resources.namespaces);
    const others = items.map(({ metadata }) => metadata?.name ?? '').filter((name) => !namespaces.includes(name));
    const release = await Release.install(cluster, {
      ...onProcessNode,
      config: {
        targeting: { kinds, namespaces: { exclude: others.map((exact) => ({ exact })) } },
        workingHours: { timezone: 'UTC', schedule: Object.fromEntries(days.map((day) => [day, 'on'])) },
      },
      readinessProbe: quick,
      startupProbe: { ...quick, failureThreshold: 60 },
    });
    const { namespace } = release;
    const kubelet = await ProcessKubelet.start({ admin: cluster.admin, namespace, images: images.folder });
    const service = new Service(images, release, kubelet);
    await service.#untilReady();
    return service;
  }

  async hibernate(): Promise<void> {
    await this.#release.upgrade(...week('off'));
  }

  async wake(): Promise<void> {
    await this.#release.upgrade(...week('on'));
  }

  async standDown(): Promise<void> {
    await this.#release.upgrade('config.global.enabled=false');
  }

  async endStandDown(): Promise<void> {
    await this.#release.upgrade('config.global.enabled=true');
  }

  /** The controller dies without a word; its pod starts it again. */
  async crash(): Promise<void> {
    await this.#kubelet.process('controller', 'controller').crash();
    await vi.waitFor(
      () => {
        if (!this.#kubelet.pod('controller')?.ready) throw new Error('the controller has not come back');
      },
      { timeout: 30_000, interval: 100 },
    );
  }

  async uninstall(): Promise<void> {
    await this.#release.uninstall('--timeout', '2m');
  }

  /** The end of the controller's log, for the message of a test. */
  lastWords(lines = 25): string {
    return [...this.#kubelet.problems, ...this.#kubelet.process('controller', 'controller').log.slice(-lines)].join(
      '\n',
    );
  }

  async close(): Promise<void> {
    await this.#release.uninstall('--no-hooks').catch(() => {});
    await this.#kubelet.close();
    await this.#images.remove();
  }

  #untilReady(): Promise<void> {
    return vi.waitFor(
      () => {
        const ready = ['app', 'controller'].map((component) => this.#kubelet.pod(component)?.ready);
        if (!ready.every(Boolean)) throw new Error(`the release is not ready: ${this.#kubelet.problems.join(' ')}`);
      },
      { timeout: 60_000, interval: 100 },
    );
  }
}
