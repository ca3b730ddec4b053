import { MemoryInbox } from '../../../demo/memory-inbox.ts';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { NodePool } from '../../../embedded-cluster/controllers/node-objects.ts';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import type { Backup, MemoryStore } from '../../../embedded-cluster/store/memory-store.ts';
import { PacedClock } from '../../../embedded-cluster/time/paced-clock.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { ManagedStateStore } from '../../../src/adapters/cluster/managed-state-store.ts';
import { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../../../src/adapters/kubernetes/client/token-bucket.ts';
import { type Config, configTextKey, parseConfig } from '../../../src/config/config.ts';
import { kindTable } from '../../../src/domain/kinds/kind-table.ts';
import type { LicenseSource } from '../../../src/domain/license/check.ts';
import { configMaps } from '../../../src/domain/names.ts';
import type { Notice } from '../../../src/domain/notification/notice.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import type { Databases } from '../../../src/ports/databases.ts';
import type { HostingClusters } from '../../../src/ports/hosting-clusters.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { Mail } from '../../../src/ports/mailer.ts';
import type { Notifier } from '../../../src/ports/notifier.ts';
import type { Frame } from '../../../src/ports/sinks.ts';
import { type PartSizes, partSizes } from '../../../src/state/parts/state-part.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { satellites } from '../../../src/state/satellites.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { wholeState } from '../../support/whole-state.ts';
import { Coverage, phaseOf } from '../coverage.ts';
import { NeighbourOwners } from '../oracle/neighbour-owners.ts';
import { isNeighbourResource, neighbourResources } from '../oracle/neighbour-place.ts';
import { Owners } from '../oracle/owners.ts';
import { ServiceOwners } from '../oracle/service-owners.ts';
import { type ShouldBe, shouldBe } from '../oracle/should-be.ts';
import { StopHistory } from '../oracle/stop-history.ts';
import { isWorkloadResource, workloadResources } from '../oracle/workload-level.ts';
import { Trace } from '../trace.ts';
import { ActiveFaults } from './active-faults.ts';
import { rightsForKinds, rightsForSatellites, rightsOfChart } from './chart-rights.ts';
import type { Latency } from './faulty-transport.ts';
import { LastingFaults } from './lasting-faults.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { RememberingNotifier } from './remembering-notifier.ts';
import { admin, ShippedApi } from './shipped-api.ts';
import { releaseNamespace, ShippedController } from './shipped-controller.ts';
import { SimCloud } from './sim-cloud.ts';

export const controllerUser = `system:serviceaccount:${releaseNamespace}:svc-controller`;
export const apiUser = `system:serviceaccount:${releaseNamespace}:svc-api`;
const quietRate = 1 / 240;
/** Until a container that ended runs again. */
const kubeletMs = 1_000;

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
  readonly hosts?: HostingClusters;
  /** How long a request takes, one way; no time when left out. */
  readonly latency?: Latency;
  /** For a fleet that the default nodes have no room for. */
  readonly nodes?: readonly NodePool[];
}

/** The real controller with its real adapters on the embedded cluster, on a virtual clock, with a network that can fail. */
export class SimWorld {
  readonly clock: VirtualClock;
  readonly watchClock: PacedClock;
  readonly cluster: EmbeddedCluster;
  readonly trace: Trace;
  readonly owners: Owners;
  readonly serviceOwners = new ServiceOwners();
  readonly neighbourOwners: NeighbourOwners;
  /** Controllers of others, in a world that has some. */
  neighbourhood: Neighbourhood | undefined;
  readonly stops: StopHistory;
  readonly lasting = new LastingFaults();
  readonly coverage = new Coverage();
  /** Controllers that live beside the one that should. */
  #others: ShippedController[] = [];
  readonly faults: ActiveFaults;
  readonly cloud: SimCloud | undefined;
  readonly notices: Notice[] = [];
  readonly frames: Frame[] = [];
  /** The api's way to the state: it writes intents, as its process will. */
  readonly apiState: ManagedStateStore;
  config: Config;
  configParts: Readonly<Record<string, unknown>>;
  process: ShippedController | undefined;
  /** Mails of the controller. */
  readonly inbox = new MemoryInbox({ kept: 500, onMail: (mail) => this.onMail(mail) });
  onMail: (mail: Mail) => void = () => {};
  #api: ShippedApi | undefined;
  /** Hears that a fault killed the controller, and of every fault that strikes a request. */
  onCrash: () => void = () => {};
  /** Right before a controller sends its first request. */
  onStart: () => void = () => {};
  onFault: () => void = () => {};
  #lives = 0;
  #isRestored = false;
  readonly #startedAt: number[] = [];
  readonly #othersEndedAt: number[] = [];
  readonly #seed: number;
  readonly #logger: Logger;
  readonly #databases: Databases | undefined;
  readonly #hosts: HostingClusters | undefined;
  readonly #latency: Latency;
  readonly #partSizes: PartSizes | undefined;
  /** By path: when a fault last met a write to it. */
  readonly #writesAtFault = new Map<string, number>();

  constructor(options: SimWorldOptions) {
    this.#seed = options.seed ?? 1;
    this.#logger = options.logger ?? silentLogger;
    this.#partSizes = options.partSizes;
    this.clock = new VirtualClock(options.startAt);
    this.cloud = options.cloud === undefined ? undefined : new SimCloud(this.clock, options.cloud);
    this.#databases = options.databases ?? this.cloud;
    this.#hosts = options.hosts;
    this.#latency = options.latency ?? (() => 0);
    this.watchClock = new PacedClock(this.clock, quietRate);
    this.trace = new Trace(() => this.clock.now());
    this.cluster = new EmbeddedCluster({
      clock: this.clock,
      random: seededRandom(this.#seed * 31 + 7),
      events: 'none',
      watchClock: this.watchClock,
      ...(options.nodes === undefined ? {} : { nodes: options.nodes }),
    });
    this.owners = new Owners(() => this.clock.monotonic());
    this.neighbourOwners = new NeighbourOwners(() => this.clock.monotonic());
    this.stops = new StopHistory(() => this.clock.monotonic());
    this.faults = new ActiveFaults(
      () => this.clock.monotonic(),
      () => {
        this.kill();
        this.onCrash();
      },
      (fault, { method, path }, name) => {
        this.trace.note(`fault ${JSON.stringify(fault)} on ${method} ${path}`);
        this.met(name);
        if (method !== 'GET') this.#writesAtFault.set(path.split('?', 1)[0]!, this.clock.monotonic());
        this.onFault();
      },
    );
    this.configParts = options.config ?? {};
    this.config = configOf(this.configParts);
    this.cluster.store.onAnyChange((change) => {
      if (isWorkloadResource(change.resource)) this.owners.heard(change, isController(change.origin));
      if (change.resource === 'configmaps' && change.event.object.metadata.name === configMaps.state) {
        this.stops.stateChanged(this.stateData());
      }
      if (isNeighbourResource(change.resource)) this.neighbourOwners.heard(change, isController(change.origin));
      if (change.resource === 'services') this.serviceOwners.heard(change, isController(change.origin));
    });
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } }]);
    this.cluster.apply(rightsOfChart);
    this.#writeConfig();
    this.cluster.apply(options.objects);
    this.cluster.start();
    const client = new KubeClient({
      transport: this.cluster.transport({
        user: `system:serviceaccount:${releaseNamespace}:svc-api`,
        groups: ['system:masters'],
      }),
      clock: this.clock,
      random: seededRandom(this.#seed * 4001 + 1),
      limiter: new TokenBucket(this.clock, { qps: Number.POSITIVE_INFINITY, burst: 1 }),
      userAgent: 'svc-api',
      fieldManager: 'svc-api',
      logger: silentLogger,
      requestTimeoutMs: 30_000,
    });
    this.apiState = new ManagedStateStore({
      client,
      namespace: releaseNamespace,
      logger: this.#logger,
      collects: false,
      sizes: this.#partSizes ?? partSizes,
    });
  }

  get store(): MemoryStore {
    return this.cluster.store;
  }

  get alive(): boolean {
    return this.process?.alive ?? false;
  }

  /** As the chart has it the one before is gone; `beside` it, where somebody took it for dead. */
  start(how: 'alone' | 'beside' = 'alone'): void {
    if (how === 'alone') this.kill();
    else if (this.process !== undefined && this.alive) this.#others.push(this.process);
    this.#lives++;
    this.#startedAt.push(this.clock.monotonic());
    this.trace.note('the controller starts');
    this.onStart();
    const notifier = this.makeNotifier();
    const process: ShippedController = new ShippedController({
      transport: this.cluster.transport({ user: controllerUser, groups: [] }),
      faults: this.faults,
      latency: this.#latency,
      clock: this.clock,
      watchClock: this.watchClock,
      random: seededRandom(this.#seed * 1009 + this.#lives),
      logger: this.#logger,
      mailer: this.inbox,
      frame: (frame) => void this.frames.push(frame),
      notifier,
      databases: this.#databases,
      hosts: this.#hosts,
      partSizes: this.#partSizes,
      onExit: (error) => {
        this.trace.note(`the controller ends: ${error}`);
        process.kill();
        this.onCrash();
      },
      onRestored: () => this.#endsRestored('controller', () => this.#startAgain(process)),
    });
    this.process = process;
  }

  /** A process ends that takes the cluster for one that was restored, which it had better be. */
  #endsRestored(name: string, startAgain: () => void): void {
    this.trace.note(`the ${name} ends for a restored cluster`);
    if (this.#isRestored) startAgain();
    else asShipped.restored();
  }

  /** In order, and the kubelet starts the next one. */
  #startAgain(process: ShippedController): void {
    void process.stop().then(() => {
      process.kill();
      this.clock.after(kubeletMs, () => this.start());
    });
  }

  /** The notifier of the life that begins; undefined for the shipped one. */
  protected makeNotifier(): Notifier | undefined {
    return new RememberingNotifier((notice) => void this.notices.push(notice));
  }

  /** The api beside the controller; it runs from the first time that somebody asks for it. */
  get api(): ShippedApi {
    this.#api ??= this.#startApi();
    return this.#api;
  }

  #startApi(): ShippedApi {
    const api: ShippedApi = new ShippedApi({
      transport: this.cluster.transport({ user: apiUser, groups: [] }),
      faults: { faultOf: () => (this.faults.outage ? { kind: 'reset', done: false } : undefined), crash() {} },
      latency: this.#latency,
      clock: this.clock,
      watchClock: this.watchClock,
      random: seededRandom(this.#seed * 2003 + 1),
      logger: silentLogger,
      partSizes: this.#partSizes,
      onRestored: () =>
        this.#endsRestored('api', () => {
          api.kill();
          this.#api = this.#startApi();
        }),
    });
    return api;
  }

  /** Whether a fault has met a write to that object lately: who could not do something goes on without it when its time is over. */
  wasHinderedLately({ metadata: { namespace, name } }: KubeObject, withinMs: number): boolean {
    const since = this.clock.monotonic() - withinMs;
    const isTo = (path: string) => path.includes(`/namespaces/${namespace}/`) && path.endsWith(`/${name}`);
    return [...this.#writesAtFault].some(([path, at]) => at >= since && isTo(path));
  }

  kill(): void {
    if (!this.alive) return;
    this.trace.note('the controller dies');
    this.process?.kill();
  }

  /** Only the controller that was started last lives on. */
  killOthers(): void {
    if (this.#others.length > 0) this.trace.note('the other controllers die');
    for (const other of this.#others.splice(0)) {
      other.kill();
      this.#othersEndedAt.push(this.clock.monotonic());
    }
  }

  /** How many controllers live, began within the last two hours, or lived beside another within them. */
  get livesLately(): number {
    const lately = (at: number) => this.clock.monotonic() - at < 7_200_000;
    const ended = this.#othersEndedAt.filter(lately).length;
    return this.#others.length + ended + Math.max(1, this.#startedAt.filter(lately).length);
  }

  /** A fault met the cluster where it is. */
  met(fault: string): void {
    this.coverage.met(fault, phaseOf(this.stateData(), this.shouldBe().stopped));
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
    this.#writeConfig();
  }

  /** As the chart writes it, and gives rights for it. */
  #writeConfig(): void {
    this.#put(configMaps.config, { [configTextKey]: JSON.stringify({ ...named, ...this.configParts }) });
    const homes = new Set(this.config.serviceRedirection.services.map(({ namespace }) => namespace));
    this.cluster.apply(rightsForSatellites([...homes]));
    this.cluster.apply(rightsForKinds(kindTable(this.config.targeting.kinds)));
  }

  #put(name: string, data: Record<string, string>): void {
    this.cluster.apply([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: releaseNamespace }, data } as Manifest,
    ]);
  }

  setLicense(license: LicenseSource): void {
    if (license.found === 'text') this.#put(configMaps.license, { license: license.text });
    else if (this.store.get('configmaps', releaseNamespace, configMaps.license) !== undefined) {
      this.store.delete('configmaps', releaseNamespace, configMaps.license);
    }
  }

  /** What the cluster should be, by what people and clusters asked for, the configuration and the license. */
  shouldBe(at = this.clock.now()): ShouldBe {
    const { licensed } = this.stops;
    const isVoid = (key: string, asked: string) => this.stops.isVoid(key, asked);
    return shouldBe({ state: this.stateData(), config: this.configParts, licensed, isVoid }, at);
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

  /** As after a restored etcd, whose apiserver was started anew: it broke off what it was asked, or had the time to end it. */
  restore(backup: Backup, how: 'broken off' | 'ended' = 'broken off'): void {
    this.trace.note('the cluster is restored from a backup');
    for (const { stream } of this.cluster.api.faults.openWatches()) {
      if (how === 'ended') stream.end();
      else stream.fail(new Error('read ECONNRESET'));
    }
    this.#isRestored = true;
    this.store.restore(backup);
  }

  /** Everything that the state knew is gone, or one of its keys. */
  recordsLost(): void {
    this.workloadRecordsLost();
    this.serviceOwners.recordsLost(this.store.list('services'));
    for (const database of this.cloud?.databases.values() ?? []) {
      if (database.condition !== 'available') database.wanted = undefined;
    }
  }

  workloadRecordsLost(): void {
    this.owners.recordsLost(this.workloads());
    this.neighbourOwners.recordsLost(this.neighbours());
  }

  /** Our mark was taken off the object: without a record nobody can tell any more what its owner wanted. */
  markLost({ metadata: { uid } }: KubeObject): void {
    const data = this.stateData();
    const records = resourceStates.decode(data['resource_states']);
    if (records.ok && !records.value.some((record) => record.uid === uid)) {
      this.owners.recordsLost(this.workloads().filter(({ metadata }) => metadata.uid === uid));
      this.neighbourOwners.recordsLost(this.neighbours().filter(({ metadata }) => metadata.uid === uid));
    }
    const redirects = satellites.decode(data['satellites']);
    if (redirects.ok && !redirects.value.some((record) => record.uid === uid)) {
      this.serviceOwners.recordsLost(this.store.list('services').filter(({ metadata }) => metadata.uid === uid));
    }
  }

  workloads(): readonly KubeObject[] {
    return workloadResources.flatMap((resource) => [...this.store.list(resource)]);
  }

  /** Objects of neighbours that are quieted, not scaled. */
  neighbours(): readonly KubeObject[] {
    return neighbourResources.flatMap((resource) => [...this.store.list(resource)]);
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

const named = {
  clusterName: 'test',
  externalUrl: 'https://svc.example.com',
  auth: { adminUsers: [admin] },
};

const parsed = new Map<string, Config>();

function configOf(parts: Readonly<Record<string, unknown>>): Config {
  const key = JSON.stringify(parts);
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const result = parseConfig({ ...named, ...parts });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  parsed.set(key, result.config);
  return result.config;
}
