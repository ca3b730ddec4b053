import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { serviceAccountIdentity } from '../../../embedded-cluster/api/access/bearer-tokens.ts';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import { type RunningServer, serveHttp } from '../../../embedded-cluster/http/http-server.ts';
import { serviceAccountFolderVariable } from '../../../src/adapters/kubernetes/transport/in-cluster.ts';
import { configTextKey } from '../../../src/config/config.ts';
import { type ApiClient, createClient } from '../../../src/contract/client.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { cryptographicRandom } from '../../../src/platform/random.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { freePorts } from '../../../tools/cluster/free-ports.ts';
import type { Rendered, Values } from '../../chart/harness/helm.ts';
import { ControllerLife, type LogLine } from '../../cluster/release/controller-life.ts';
import { type Call, grantsOf, type SeenRelease } from '../tables/rights.ts';
import type { ProcessName, ShippedBundles } from './bundles.ts';
import { ChartRelease, namespace } from './chart-release.ts';
import { type Config, replaced } from './merged.ts';
import { Outside } from './outside.ts';
import { until } from './until.ts';

interface Ports {
  readonly health: number;
  readonly metrics: number;
  readonly api: number;
}

interface InstalledRelease {
  readonly release: ChartRelease;
  readonly calls: Map<string, Call>;
}

const installed = (release: ChartRelease): InstalledRelease => ({ release, calls: new Map() });
const isAboutRights = (kind: string) => /^(?:Cluster)?Role(?:Binding)?$/.test(kind);
const placeOf = ({ metadata: { namespace: where, name } }: Pick<Rendered, 'metadata'>) => [where, name];

export interface ServiceOptions {
  readonly bundles: ShippedBundles;
  /** Beside `config`, which is the configuration at the start. */
  readonly values?: Values;
  readonly config: (outside: Outside) => Config;
  /** In the cluster before anything starts. */
  readonly objects?: readonly Manifest[];
  readonly env?: Readonly<Record<string, string>>;
  /** False for an apiserver that has to be asked for lists, as those before 1.32 are. */
  readonly streamingLists?: false;
}

/**
 * The service as it ships: bundles started with the environment, the configuration, the accounts and the rights that the
 * chart renders, against an embedded cluster over HTTPS. Nothing of ours runs in this process.
 */
export class WiredService {
  readonly outside: Outside;
  readonly cluster: EmbeddedCluster;
  readonly log: Record<ProcessName, LogLine[]> = { controller: [], api: [], frontend: [] };
  /** What was rendered for this service, one upgrade after the other, with what was asked of the cluster under each. */
  readonly #releases: InstalledRelease[];
  readonly #options: ServiceOptions;
  readonly #server: RunningServer;
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #lives = new Map<ProcessName, ControllerLife>();
  readonly #tokens = new Map<string, string>();
  #config: Config;

  private constructor(parts: {
    outside: Outside;
    cluster: EmbeddedCluster;
    server: RunningServer;
    release: ChartRelease;
    ports: Ports;
    options: ServiceOptions;
    config: Config;
  }) {
    this.outside = parts.outside;
    this.cluster = parts.cluster;
    this.#releases = [installed(parts.release)];
    this.#server = parts.server;
    this.#ports = parts.ports;
    this.#options = parts.options;
    this.#config = parts.config;
    this.#folder = mkdtempSync(join(tmpdir(), 'svc-wired-'));
    this.cluster.api.faults.onRequest(({ user, verb, resource, subresource, namespace: where, name }) => {
      if (!user.startsWith(`system:serviceaccount:${namespace}:`)) return;
      const call: Call = {
        user,
        verb,
        resource,
        subresource,
        ...(where === undefined ? {} : { namespace: where }),
        name,
      };
      this.calls.set(JSON.stringify(call), call);
    });
  }

  /** Installs it; `start` begins the processes. */
  static async install(options: ServiceOptions): Promise<WiredService> {
    const outside = await Outside.open();
    const config = options.config(outside);
    const release = await ChartRelease.of({ ...options.values, config });
    const { streamingLists = true } = options;
    const cluster = new EmbeddedCluster({ clock: systemClock, random: cryptographicRandom, streamingLists });
    // What helm renders is a manifest; the harness of the chart only names its fields more closely.
    cluster.apply([...(release.installed as unknown as readonly Manifest[]), ...(options.objects ?? [])]);
    cluster.start();
    const server = await serveHttp(cluster.api);
    const [health = 0, metrics = 0, api = 0] = await freePorts(3);
    const service = new WiredService({
      outside,
      cluster,
      server,
      release,
      ports: { health, metrics, api },
      options,
      config,
    });
    await release.mountKeys(service.#keysFolder);
    return service;
  }

  get #keysFolder(): string {
    return join(this.#folder, 'keys');
  }

  /** What is installed now. */
  get release(): ChartRelease {
    return this.#installed.release;
  }

  /** What the processes asked of the cluster under it. */
  get calls(): Map<string, Call> {
    return this.#installed.calls;
  }

  get #installed(): InstalledRelease {
    return this.#releases.at(-1)!;
  }

  /** The rights of each release that was installed, and what was asked under it. */
  releases(): readonly SeenRelease[] {
    return this.#releases.map(({ release, calls }) => ({
      features: release.features,
      grants: grantsOf(release.objects),
      calls: [...calls.values()],
    }));
  }

  /** The configuration that is in the cluster now. */
  get config(): Config {
    return this.#config;
  }

  async start(...processes: readonly ProcessName[]): Promise<void> {
    const from = this.log.controller.length;
    for (const process of processes) this.launch(process);
    if (processes.includes('api')) await this.apiIsUp();
    if (processes.includes('controller')) {
      await this.says('controller', ({ msg }) => msg === 'Controller started', from);
    }
  }

  launch(process: ProcessName, env: Readonly<Record<string, string>> = {}): ControllerLife {
    const account = process === 'controller' ? 'svc-controller' : 'svc-api';
    const life = new ControllerLife({
      bundle: this.#options.bundles.file(process),
      env: { ...this.#environment(process, account), ...this.#options.env, ...env },
      onLine: (line) => this.log[process].push(line),
    });
    this.#lives.set(process, life);
    return life;
  }

  life(process: ProcessName): ControllerLife {
    const life = this.#lives.get(process);
    if (life === undefined) throw new Error(`${process} was never started.`);
    return life;
  }

  async apiIsUp(): Promise<void> {
    await until(
      () => `the API answers; it said ${this.lastWords('api')}`,
      async () => {
        const answer = await fetch(`${this.apiUrl}/api/v1/openapi.json`).catch(() => undefined);
        return answer?.ok === true;
      },
    );
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.#ports.api}`;
  }

  /** What `svc_…` metrics a process shows. */
  async metrics(process: 'controller' | 'api'): Promise<string> {
    const port = process === 'controller' ? this.#ports.metrics : this.#ports.health;
    return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  }

  /** Edits ConfigMap svc-config, as `kubectl edit` does, and waits until both processes have said that they read it. */
  async reload(config: Config): Promise<void> {
    this.#config = config;
    const from = this.marks();
    this.writeConfig(stringify(config));
    for (const process of this.#lives.keys()) {
      if (process !== 'frontend')
        await this.says(process, ({ msg }) => msg === 'Configuration reloaded', from[process]);
    }
  }

  /** As `helm upgrade` does, but for the pods: the roles of another configuration, and the configuration itself. */
  async upgrade(config: Config): Promise<void> {
    const release = await ChartRelease.of({ ...this.#options.values, config });
    const before = this.release.installed.filter(({ kind }) => isAboutRights(kind));
    const after = release.installed.filter(({ kind }) => isAboutRights(kind));
    // As at the installation.
    this.cluster.apply(after as unknown as readonly Manifest[]);
    this.#releases.push(installed(release));
    for (const { kind, metadata } of before) {
      const stays = after.some((one) => one.kind === kind && isDeepStrictEqual(placeOf(one), placeOf({ metadata })));
      const storage = `${kind.toLowerCase()}s.rbac.authorization.k8s.io`;
      if (!stays) this.cluster.store.delete(storage, metadata.namespace, metadata.name);
    }
    await this.reload(config);
  }

  /** Runs it under the configuration with these values in place of others, then goes back to what was there. */
  async with<T>(parts: Config, run: () => Promise<T>): Promise<T> {
    const before = this.#config;
    await this.reload(replaced(before, parts));
    try {
      return await run();
    } finally {
      await this.reload(before);
    }
  }

  writeConfig(text: string): void {
    const metadata = { name: configMaps.config, namespace };
    this.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [configTextKey]: text } }]);
  }

  /** Where each log stands now. */
  marks(): Readonly<Record<ProcessName, number>> {
    return {
      controller: this.log.controller.length,
      api: this.log.api.length,
      frontend: this.log.frontend.length,
    };
  }

  /** What a process has said since it read the configuration that is in force. */
  linesInForce(process: ProcessName): readonly LogLine[] {
    const lines = this.log[process];
    return lines.slice(lines.findLastIndex(({ msg }) => msg === 'Configuration reloaded') + 1);
  }

  says(process: ProcessName, matches: (line: LogLine) => boolean, from = 0, ms?: number): Promise<LogLine> {
    return until(
      () => `a line of the ${process} that matches; it said last ${this.lastWords(process)}`,
      () => this.log[process].slice(from).find(matches),
      ms,
    );
  }

  /** The API as this user: signed in once, by the code in the mail. */
  async as(address: string): Promise<ApiClient> {
    if (!this.#tokens.has(address)) this.#tokens.set(address, (await this.signIn(address)).token);
    return createClient({ baseUrl: this.apiUrl, token: () => this.#tokens.get(address) });
  }

  get visitor(): ApiClient {
    return createClient({ baseUrl: this.apiUrl });
  }

  async signIn(address: string) {
    const before = this.outside.mailsTo(address).length;
    await this.visitor.requestOtp({ body: { email: address } });
    const mail = await until(`a code for ${address}`, () => this.outside.mailsTo(address)[before]);
    const otp = /: (\d{8})/.exec(mail.mail.text ?? '')?.[1] ?? '';
    return { ...(await this.visitor.verifyOtp({ body: { email: address, otp, refresh: 'body' } })), mail };
  }

  lastWords(process: ProcessName): string {
    return this.log[process]
      .slice(-6)
      .map((line) => JSON.stringify(line))
      .join('\n');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lives.values()].map((life) => life.kill()));
    this.cluster.stop();
    await this.#server.close();
    await this.outside.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What the chart renders, with the places of this machine in it. */
  #environment(process: ProcessName, account: string): Readonly<Record<string, string>> {
    const rendered = this.release.environment(process);
    const moved: Record<string, string> =
      process === 'controller'
        ? { HEALTH_PORT: '0', METRICS_PORT: String(this.#ports.metrics), API_URL: this.apiUrl }
        : { HEALTH_PORT: '0', METRICS_PORT: String(this.#ports.health), PORT: String(this.#ports.api) };
    if (process === 'frontend') return { ...rendered, HTTP_PORT: '0', HTTPS_PORT: '0', API_URL: this.apiUrl };
    return {
      ...rendered,
      ...moved,
      KEYS_FOLDER: this.#keysFolder,
      ...this.#access(account),
    };
  }

  /** The token of the account as the kubelet mounts it. */
  #access(account: string): Readonly<Record<string, string>> {
    const { hostname, port } = new URL(this.#server.url);
    const folder = mkdtempSync(join(this.#folder, 'account-'));
    const { token } = this.cluster.api.tokens.issue(serviceAccountIdentity(namespace, account));
    writeFileSync(join(folder, 'token'), token, { mode: 0o600 });
    writeFileSync(join(folder, 'ca.crt'), this.#server.certificate ?? '');
    writeFileSync(join(folder, 'namespace'), namespace);
    return {
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      [serviceAccountFolderVariable]: folder,
    };
  }
}
