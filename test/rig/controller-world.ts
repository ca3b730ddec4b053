import { AuditConfigMaps } from '../../src/adapters/cluster/audit-config-maps.ts';
import { KubernetesClusterView } from '../../src/adapters/cluster/cluster-view.ts';
import { ConfigMapStateStore } from '../../src/adapters/cluster/config-map-state-store.ts';
import { NamespaceEvents } from '../../src/adapters/cluster/namespace-events.ts';
import { KubernetesWorkloadWriter } from '../../src/adapters/cluster/workload-writer.ts';
import { KubeClient } from '../../src/adapters/kubernetes/kube-client.ts';
import { projections } from '../../src/adapters/kubernetes/projections.ts';
import { Reflector } from '../../src/adapters/kubernetes/reflector.ts';
import { resources } from '../../src/adapters/kubernetes/resource-type.ts';
import { TokenBucket } from '../../src/adapters/kubernetes/token-bucket.ts';
import { type Config, parseConfig } from '../../src/config/config.ts';
import { Controller } from '../../src/controller/controller.ts';
import { ControllerMetrics } from '../../src/controller/metrics.ts';
import type { ControllerPorts } from '../../src/controller/ports.ts';
import type { LicenseSource } from '../../src/domain/license/check.ts';
import { communityLicense, communityPublicKey } from '../../src/domain/license/community.ts';
import { configMaps, fieldManager } from '../../src/domain/names.ts';
import type { Notice } from '../../src/domain/notification/notice.ts';
import { EmbeddedCluster } from '../../src/embedded/embedded-cluster.ts';
import { verifyLicenseSignature } from '../../src/platform/license-keys.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { VirtualClock } from '../../src/platform/virtual-clock.ts';
import type { Logger } from '../../src/ports/logger.ts';
import type { Frame } from '../../src/ports/records.ts';
import type { Transport } from '../../src/ports/transport.ts';

export const releaseNamespace = 'svc';
export const controllerIdentity = {
  user: `system:serviceaccount:${releaseNamespace}:svc-controller`,
  groups: ['system:masters'],
};

export interface WorldOptions {
  readonly startAt?: number;
  readonly seed?: number;
  readonly config?: Record<string, unknown>;
  readonly logger?: Logger;
}

/** The real controller, its real adapters and the embedded cluster, in this process on a virtual clock. */
export class ControllerWorld {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  readonly notices: Notice[] = [];
  readonly frames: Frame[] = [];
  licenseSource: LicenseSource = { found: 'nothing' };
  config: Config;
  ports!: ControllerPorts;
  controller!: Controller;
  #logger: Logger;
  #stopAdapters: () => void = () => {};
  #seed: number;

  constructor(options: WorldOptions = {}) {
    this.clock = new VirtualClock(options.startAt ?? Date.UTC(2026, 0, 5, 12));
    this.#seed = options.seed ?? 1;
    const random = seededRandom(this.#seed);
    this.cluster = new EmbeddedCluster({ clock: this.clock, random, events: 'none' as never });
    this.#logger = options.logger ?? silentLogger;
    this.config = configOf(options.config ?? {});
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } }]);
    this.cluster.start();
  }

  /** Starts a controller process; after `kill` this is the restarted one. */
  async startController(transport: Transport = this.cluster.transport(controllerIdentity)): Promise<void> {
    const { clock } = this;
    const random = seededRandom(this.#seed + 1);
    const logger = this.#logger;
    const limiter = new TokenBucket(clock, { qps: 150, burst: 200 });
    const client = new KubeClient({
      transport,
      clock,
      random,
      limiter,
      userAgent: 'svc-controller',
      fieldManager,
      requestTimeoutMs: 30_000,
    });
    const project = projections();
    const view = new KubernetesClusterView({ client, projections: project, clock, random, logger });
    const place = { namespace: releaseNamespace, name: configMaps.state };
    const state = new ConfigMapStateStore(client, place);
    const stateWatch = new Reflector({
      client,
      type: resources.configMaps,
      namespace: place.namespace,
      fieldSelector: `metadata.name=${place.name}`,
      project: (object) => object.metadata?.resourceVersion,
      clock,
      random,
    }).start();
    stateWatch.onChange(({ object }) => state.heardOfVersion(object));
    this.ports = {
      clock,
      random,
      logger,
      view,
      writer: new KubernetesWorkloadWriter(client, project, (workload) => view.noteAnswer(workload)),
      state,
      audit: new AuditConfigMaps(client, releaseNamespace),
      events: new NamespaceEvents({ client, clock, random, logger, releaseNamespace, component: 'svc-controller' }),
      frames: { send: (frame) => void this.frames.push(frame) },
      notifier: {
        notify: (notice) => void this.notices.push(notice),
        condition: (notice, holds) => holds && this.notices.push(notice),
      },
      databases: {
        read: async () => ({ condition: 'unknown' }),
        stop: async () => ({ outcome: 'done' }),
        start: async () => ({ outcome: 'done' }),
      },
      companions: [],
      metrics: new ControllerMetrics(),
      ownNamespace: releaseNamespace,
      config: () => this.config,
      license: {
        source: () => this.licenseSource,
        authority: { publicKeys: [communityPublicKey], builtIn: communityLicense, verify: verifyLicenseSignature },
      },
      holidays: () => noHolidays,
    };
    this.controller = new Controller(this.ports);
    void view.start().then(() => this.controller.reconsider());
    this.controller.start();
    this.#stopAdapters = () => {
      view.stop();
      stateWatch.stop();
    };
    await this.clock.advance(0);
  }

  /** The process dies where it stands: nothing of it runs on. */
  async stopController(): Promise<void> {
    this.#stopAdapters();
    await this.controller.stop();
  }

  reconfigure(config: Record<string, unknown>): void {
    this.config = configOf(config);
    this.controller?.reconsider();
  }

  stateData(): Record<string, string> {
    return (this.cluster.store.get('configmaps', releaseNamespace, configMaps.state)?.['data'] ?? {}) as Record<
      string,
      string
    >;
  }

  replicas(namespace: string, name: string, resource = 'deployments.apps'): number {
    const spec = this.cluster.store.get(resource, namespace, name)?.['spec'] as { replicas: number } | undefined;
    if (spec === undefined) throw new Error(`${resource} ${namespace}/${name} does not exist`);
    return spec.replicas;
  }
}

const noHolidays: readonly never[] = [];

function configOf(parts: Record<string, unknown>): Config {
  const parsed = parseConfig({ clusterName: 'test', externalUrl: 'https://svc.example.com', ...parts });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}
