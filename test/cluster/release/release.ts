import { isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { configTextKey } from '../../../src/config/config.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import type { Frame } from '../../../src/ports/sinks.ts';
import type { RealCluster } from '../harness/real-cluster.ts';
import { hours } from '../scenarios/acts.ts';
import type { LogLine, Stage } from '../scenarios/stage.ts';
import { workloadTypes } from '../scenarios/workload-manifests.ts';
import { ChartRights } from './chart-rights.ts';
import { ControllerLife } from './controller-life.ts';
import { type FrameRecorder, recordFrames } from './frame-recorder.ts';
import { type Frozen, freeze } from './frozen-workload.ts';
import { WriteGate } from './write-gate.ts';

export interface ReleaseOptions {
  /** The bundle that `start` runs. */
  readonly bundle: string;
  /** Over working hours all week. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** How long `until` waits. */
  readonly timeoutMs?: number;
}

type Config = Readonly<Record<string, unknown>>;

/** The controller's bundle on a real cluster, with the account and the rights that the chart gives it. */
export class Release implements Stage {
  readonly cluster: RealCluster;
  readonly client: KubeClient;
  readonly releaseNamespace: string;
  readonly namespace: string;
  readonly rights: ChartRights;
  readonly gate: WriteGate;
  readonly logs: LogLine[] = [];
  readonly frames: Frame[];
  readonly #recorder: FrameRecorder;
  readonly #options: ReleaseOptions;
  #config: Config;
  #life: ControllerLife | undefined;

  private constructor(parts: {
    cluster: RealCluster;
    releaseNamespace: string;
    namespace: string;
    rights: ChartRights;
    gate: WriteGate;
    recorder: FrameRecorder;
    options: ReleaseOptions;
  }) {
    this.cluster = parts.cluster;
    this.client = parts.cluster.admin.client;
    this.releaseNamespace = parts.releaseNamespace;
    this.namespace = parts.namespace;
    this.rights = parts.rights;
    this.gate = parts.gate;
    this.frames = parts.recorder.frames;
    this.#recorder = parts.recorder;
    this.#options = parts.options;
    this.#config = {
      clusterName: 'test',
      externalUrl: 'https://svc.example.com',
      ...hours('on'),
      ...parts.options.config,
    };
  }

  /** Everything but the process: `start` begins it. */
  static async install(cluster: RealCluster, options: ReleaseOptions): Promise<Release> {
    const { client } = cluster.admin;
    const releaseNamespace = await cluster.namespace('svc');
    const namespace = await cluster.namespace('team');
    const rights = await ChartRights.grant(client, releaseNamespace);
    const account = await cluster.serviceAccount(releaseNamespace, 'svc-controller');
    const gate = await WriteGate.open(account);
    const recorder = await recordFrames();
    const release = new Release({ cluster, releaseNamespace, namespace, rights, gate, recorder, options });
    await release.configure({});
    return release;
  }

  now(): number {
    return systemClock.now();
  }

  async configure(parts: Config): Promise<void> {
    this.#config = { ...this.#config, ...parts };
    const data = { [configTextKey]: JSON.stringify(this.#config) };
    await this.setConfigMap(configMaps.config, data);
  }

  /** Creates the ConfigMap of the release, or sets these keys of it. */
  async setConfigMap(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    const ref = { namespace: this.releaseNamespace, name };
    try {
      await this.client.patch(resources.configMaps, ref, { type: 'merge', body: { data } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.client.create(resources.configMaps, ref.namespace, { metadata: { name }, data: { ...data } });
    }
  }

  async start(): Promise<void> {
    await this.kill();
    this.#life = this.run([]);
  }

  /** A process of the bundle with these arguments: the command that the uninstall hook runs, for example. */
  run(args: readonly string[]): ControllerLife {
    return new ControllerLife({
      bundle: this.#options.bundle,
      args,
      env: {
        POD_NAMESPACE: this.releaseNamespace,
        HEALTH_PORT: '0',
        METRICS_PORT: '0',
        ...this.#recorder.environment,
        ...this.gate.environment,
      },
      onLine: (line) => this.logs.push(line),
    });
  }

  async kill(): Promise<void> {
    await this.#life?.kill();
  }

  /** The running process; undefined before `start`. */
  get life(): ControllerLife | undefined {
    return this.#life;
  }

  async until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    const deadline = systemClock.monotonic() + (this.#options.timeoutMs ?? 60_000);
    for (;;) {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      if (systemClock.monotonic() > deadline) throw new Error(`It did not happen that ${what}. ${this.lastWords()}`);
      await sleep(systemClock, 50);
    }
  }

  refuseChanges(name: string, message: string, kind: Frozen['kind'] = 'Deployment'): Promise<() => Promise<void>> {
    return freeze(this.client, { kind, namespace: this.namespace, name }, message);
  }

  pass(ms: number): Promise<void> {
    return sleep(systemClock, ms);
  }

  /** Takes away what it put into the cluster; the namespaces go with the cluster's own `close`. */
  async close(): Promise<void> {
    await this.kill();
    await this.gate.close();
    this.#recorder.close();
    // A workload that still carries our mark in a namespace on its way out would puzzle the next release.
    for (const type of Object.values(workloadTypes)) {
      const { items } = await this.client.list(type, { namespace: this.namespace });
      await Promise.all(
        items.map(({ metadata }) =>
          this.client.delete(type, { namespace: this.namespace, name: metadata?.name ?? '' }).catch(ignoreMissing),
        ),
      );
    }
    await this.rights.remove();
    for (const name of [this.namespace, this.releaseNamespace]) {
      await this.client.delete(resources.namespaces, { name }).catch(ignoreMissing);
    }
  }

  lastWords(): string {
    const lines = this.logs.slice(-12).map((line) => JSON.stringify(line));
    return `The controller said last:\n${lines.join('\n')}`;
  }
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
