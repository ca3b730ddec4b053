import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import type { MemoryStore } from '../../../embedded-cluster/store/memory-store.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { ManagedStateStore } from '../../../src/adapters/cluster/managed-state-store.ts';
import { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../../../src/adapters/kubernetes/client/token-bucket.ts';
import { type Config, parseConfig } from '../../../src/config/config.ts';
import { ControllerMetrics } from '../../../src/controller/metrics.ts';
import type { LicenseSource } from '../../../src/domain/license/check.ts';
import { configMaps } from '../../../src/domain/names.ts';
import type { Notice } from '../../../src/domain/notification/notice.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import type { Databases } from '../../../src/ports/databases.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { Notifier } from '../../../src/ports/notifier.ts';
import type { Frame } from '../../../src/ports/records.ts';
import type { PartSizes } from '../../../src/state/parts/state-part.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { satellites } from '../../../src/state/satellites.ts';
import { wholeState } from '../../support/whole-state.ts';
import { Owners } from '../oracle/owners.ts';
import { ServiceOwners } from '../oracle/service-owners.ts';
import { isWorkloadResource, workloadResources } from '../oracle/workload-level.ts';
import { Trace } from '../trace.ts';
import { ActiveFaults } from './active-faults.ts';
import { ControllerProcess, releaseNamespace } from './controller-process.ts';
import { PacedClock } from './paced-clock.ts';
import { SimCloud } from './sim-cloud.ts';

export const controllerUser = `system:serviceaccount:${releaseNamespace}:svc-controller`;
const licensed: LicenseSource = { found: 'nothing' };
const quietRate = 1 / 240;

export interface SimWorldOptions {
  /** Smaller than in production: then a handful of workloads outgrows `svc-state`. */
  readonly partSizes?: PartSizes;
  readonly seed?: number;
  readonly startAt: number;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly objects: readonly Manifest[];
  readonly logger?: Logger;
  readonly databases?: Databases;
  /** Names of managed databases of a simulated cloud. */
  readonly cloud?: readonly string[];
}

/** The real controller with its real adapters on the embedded cluster, on a virtual clock, with a network that can fail. */
export class SimWorld {
  readonly clock: VirtualClock;
  readonly watchClock: PacedClock;
  readonly cluster: EmbeddedCluster;
  readonly trace: Trace;
  readonly owners: Owners;
  readonly serviceOwners = new ServiceOwners();
  readonly faults: ActiveFaults;
  readonly cloud: SimCloud | undefined;
  readonly notices: Notice[] = [];
  readonly frames: Frame[] = [];
  /** The api's way to the state: it writes intents, as its process will. */
  readonly apiState: ManagedStateStore;
  config: Config;
  configParts: Readonly<Record<string, unknown>>;
  license: LicenseSource | null = licensed;
  process: ControllerProcess | undefined;
  /** Hears that a fault killed the controller, and of every fault that strikes a request. */
  onCrash: () => void = () => {};
  onFault: () => void = () => {};
  #lives = 0;
  readonly #seed: number;
  readonly #logger: Logger;
  readonly #databases: Databases | undefined;
  readonly #partSizes: PartSizes | undefined;
  readonly #metrics = new ControllerMetrics();

  constructor(options: SimWorldOptions) {
    this.#seed = options.seed ?? 1;
    this.#logger = options.logger ?? silentLogger;
    this.#partSizes = options.partSizes;
    this.clock = new VirtualClock(options.startAt);
    this.cloud = options.cloud === undefined ? undefined : new SimCloud(this.clock, options.cloud);
    this.#databases = options.databases ?? this.cloud;
    this.watchClock = new PacedClock(this.clock, quietRate);
    this.trace = new Trace(() => this.clock.now());
    this.cluster = new EmbeddedCluster({
      clock: this.clock,
      random: seededRandom(this.#seed * 31 + 7),
      events: 'none',
      watchClock: this.watchClock,
    });
    this.owners = new Owners(() => this.clock.monotonic());
    this.faults = new ActiveFaults(
      () => {
        this.kill();
        this.onCrash();
      },
      (fault, { method, path }) => {
        this.trace.note(`fault ${JSON.stringify(fault)} on ${method} ${path}`);
        this.onFault();
      },
    );
    this.configParts = options.config ?? {};
    this.config = configOf(this.configParts);
    this.cluster.store.onAnyChange((change) => {
      if (isWorkloadResource(change.resource)) this.owners.heard(change, isController(change.origin));
      if (change.resource === 'services') this.serviceOwners.heard(change, isController(change.origin));
    });
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } }]);
    this.cluster.apply(options.objects);
    this.cluster.start();
    const client = new KubeClient({
      transport: this.cluster.transport({
        user: `system:serviceaccount:${releaseNamespace}:svc-api`,
        groups: ['system:masters'],
      }),
      clock: this.clock,
      limiter: new TokenBucket(this.clock, { qps: Number.POSITIVE_INFINITY, burst: 1 }),
      userAgent: 'svc-api',
      fieldManager: 'svc-api',
      requestTimeoutMs: 30_000,
    });
    this.apiState = new ManagedStateStore({
      client,
      namespace: releaseNamespace,
      logger: this.#logger,
      collects: false,
      ...(this.#partSizes === undefined ? {} : { sizes: this.#partSizes }),
    });
  }

  get store(): MemoryStore {
    return this.cluster.store;
  }

  get alive(): boolean {
    return this.process?.alive ?? false;
  }

  start(): void {
    this.kill();
    this.#lives++;
    this.trace.note('the controller starts');
    const notifier = this.makeNotifier();
    this.process = new ControllerProcess({
      transport: this.cluster.transport({ user: controllerUser, groups: ['system:masters'] }),
      faults: this.faults,
      clock: this.clock,
      watchClock: this.watchClock,
      random: seededRandom(this.#seed * 1009 + this.#lives),
      logger: this.#logger,
      config: () => this.config,
      license: () => this.license,
      metrics: this.#metrics,
      redirects: this.configParts['serviceRedirection'] !== undefined,
      notice: (notice) => void this.notices.push(notice),
      frame: (frame) => void this.frames.push(frame),
      ...(notifier === undefined ? {} : { notifier }),
      ...(this.#databases === undefined ? {} : { databases: this.#databases }),
      ...(this.#partSizes === undefined ? {} : { partSizes: this.#partSizes }),
    });
  }

  /** The notifier of the life that begins; without one, notices are only remembered. */
  protected makeNotifier(): Notifier | undefined {
    return undefined;
  }

  kill(): void {
    if (!this.alive) return;
    this.trace.note('the controller dies');
    this.process?.kill();
  }

  advance(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Whether the housekeeping of watches has to run at its true pace: while something is wrong with the network. */
  watchesAtFault(atFault: boolean): void {
    this.watchClock.setRate(atFault ? 1 : quietRate);
  }

  reconfigure(changes: Readonly<Record<string, unknown>>): void {
    this.configParts = { ...this.configParts, ...changes };
    this.config = configOf(this.configParts);
    this.process?.reconsider();
  }

  setLicense(license: LicenseSource): void {
    this.license = license;
    this.process?.reconsider();
  }

  /** With what goes on in further ConfigMaps. */
  stateData(): Readonly<Record<string, string>> {
    return this.wholeState(this.store.get('configmaps', releaseNamespace, configMaps.state));
  }

  /** The same of a `svc-state` as it was a moment ago. */
  wholeState(state: KubeObject | undefined): Record<string, string> {
    const data = (state?.['data'] ?? {}) as Record<string, string>;
    return wholeState(data, (name) => this.store.get('configmaps', releaseNamespace, name));
  }

  /** Everything that the state knew is gone, or one of its keys. */
  recordsLost(): void {
    this.owners.recordsLost(this.workloads());
    this.serviceOwners.recordsLost(this.store.list('services'));
    for (const database of this.cloud?.databases.values() ?? []) {
      if (database.condition !== 'available') database.wanted = undefined;
    }
  }

  /** Our mark was taken off the object: without a record nobody can tell any more what its owner wanted. */
  markLost({ metadata: { uid } }: KubeObject): void {
    const data = this.stateData();
    const records = resourceStates.decode(data['resource_states']);
    if (records.ok && !records.value.some((record) => record.uid === uid)) {
      this.owners.recordsLost(this.workloads().filter(({ metadata }) => metadata.uid === uid));
    }
    const redirects = satellites.decode(data['satellites']);
    if (redirects.ok && !redirects.value.some((record) => record.uid === uid)) {
      this.serviceOwners.recordsLost(this.store.list('services').filter(({ metadata }) => metadata.uid === uid));
    }
  }

  workloads(): readonly KubeObject[] {
    return workloadResources.flatMap((resource) => [...this.store.list(resource)]);
  }
}

export function isController(origin: unknown): boolean {
  return (
    typeof origin === 'object' &&
    origin !== null &&
    'identity' in origin &&
    (origin as { identity: { user: string } }).identity.user === controllerUser
  );
}

const parsed = new Map<string, Config>();

function configOf(parts: Readonly<Record<string, unknown>>): Config {
  const key = JSON.stringify(parts);
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const result = parseConfig({ clusterName: 'test', externalUrl: 'https://svc.example.com', ...parts });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  parsed.set(key, result.config);
  return result.config;
}
