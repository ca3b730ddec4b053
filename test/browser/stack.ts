import { stringify } from 'yaml';
import { MemoryInbox } from '../../demo/memory-inbox.ts';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { internalFrames } from '../../src/adapters/internal-frames/internal-frames.ts';
import type { Outbound } from '../../src/api/call/ports.ts';
import { type RunningApi, startApi } from '../../src/api/main.ts';
import { apiFeatures } from '../../src/api/main-features.ts';
import { configTextKey } from '../../src/config/config.ts';
import { type RunningController, startController } from '../../src/controller/main.ts';
import { controllerFeatures } from '../../src/controller/main-features.ts';
import { configMaps } from '../../src/domain/names.ts';
import { startFrontend } from '../../src/frontend/main.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { freePort } from '../../tools/cluster/free-ports.ts';
import { nobodyOutside } from '../support/api-features.ts';
import { asShipped } from '../support/as-shipped.ts';
import { builtWeb } from './built-web.ts';
import { PacedClock } from './paced-clock.ts';

const releaseNamespace = 'svc';
export const adminAddress = 'ada@example.com';
export const userAddress = 'bob@example.com';
/** A Tuesday, 12:00 in Berlin: inside working hours. */
export const tuesdayNoon = Date.UTC(2026, 10, 3, 11);

const secrets = {
  jwt: 'browser-test-jwt-secret-0123456789abcdef',
  internalApi: 'browser-test-internal-secret-0123456',
};

export interface StackOptions {
  readonly objects?: readonly Manifest[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly branding?: unknown;
  readonly outbound?: Outbound;
  /** The path under which everything is served: `/sleep`. */
  readonly path?: string;
  /** Without it nothing decides or acts: for screens of a state that a test writes itself. */
  readonly controller?: boolean;
}

/** Cluster, controller, api and frontend as they run in a cluster, in this process, on a clock of any pace. */
export class Stack {
  readonly clock: PacedClock;
  readonly cluster: EmbeddedCluster;
  readonly inbox = new MemoryInbox();
  readonly url: string;
  readonly #options: StackOptions;
  #api: RunningApi | undefined;
  #controller: RunningController | undefined;
  #stopFrontend: () => Promise<void> = async () => undefined;

  private constructor(port: number, options: StackOptions) {
    this.url = `http://localhost:${port}${options.path ?? ''}`;
    this.#options = options;
    this.clock = new PacedClock(tuesdayNoon);
    this.cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), events: 'none' });
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } }]);
    this.cluster.apply(options.objects ?? []);
    this.configure({});
    this.cluster.start();
  }

  static async start(options: StackOptions = {}): Promise<Stack> {
    const port = await freePort();
    const stack = new Stack(port, options);
    await stack.#start(port);
    return stack;
  }

  async #start(port: number): Promise<void> {
    const { clock } = this;
    const common = { clock, logger: silentLogger, namespace: releaseNamespace };
    const { outbound, controller = true } = this.#options;
    this.#api = await startApi({
      ...common,
      transport: this.#transport('svc-api'),
      random: seededRandom(7),
      secrets,
      port: 0,
      host: '127.0.0.1',
      mailer: () => this.inbox,
      ...asShipped,
      version: 'test',
      features: (base) => apiFeatures(base, {}),
      requestsPerMinute: 1_000_000,
      outbound: outbound ?? nobodyOutside,
    });
    const env = { API_URL: this.#api.url, INTERNAL_API_SECRET: secrets.internalApi };
    if (controller) {
      this.#controller = await startController({
        ...common,
        transport: this.#transport('svc-controller'),
        random: seededRandom(3),
        ...asShipped,
        frames: internalFrames(env, silentLogger),
        features: (base) =>
          controllerFeatures(base, {
            env: { SATELLITE_IMAGE: 'svc/satellite:test', SATELLITE_STATUS_URL: env.API_URL },
            mailer: () => this.inbox,
          }),
      });
    }
    const frontend = await startFrontend({
      webRoot: await builtWeb(),
      apiUrl: this.#api.url,
      externalUrl: this.url,
      httpPort: port,
      clock,
      logger: silentLogger,
    });
    this.#stopFrontend = () => frontend.stop();
    await until(() => this.#api?.ready() === true && this.#controller?.ready() !== false);
  }

  /** Runs fast until it holds, then at the pace of the machine again. */
  async fastUntil(holds: () => boolean | Promise<boolean>, speed = 60): Promise<void> {
    this.clock.pace(speed);
    try {
      await until(holds, 90_000);
    } finally {
      this.clock.pace(1);
    }
  }

  /** Every replica that is asked for is ready. */
  allReady(): boolean {
    return this.cluster.store.list('deployments.apps').every((object) => {
      const { spec, status } = object as { spec?: { replicas?: number }; status?: { readyReplicas?: number } };
      return (status?.readyReplicas ?? 0) >= (spec?.replicas ?? 0);
    });
  }

  async stop(): Promise<void> {
    await this.#stopFrontend();
    await this.#controller?.stop();
    await this.#api?.stop();
    this.cluster.stop();
  }

  /** Writes the configuration as the chart would, over what the stack began with. */
  configure(changes: Readonly<Record<string, unknown>>): void {
    const config = {
      clusterName: 'demo',
      externalUrl: this.url,
      allowInsecureExternalUrl: true,
      auth: { adminUsers: [adminAddress], allowedEmailDomains: ['example.com'] },
      ...this.#options.config,
      ...changes,
    };
    const { branding } = this.#options;
    this.#apply(configMaps.config, {
      [configTextKey]: stringify(config),
      ...(branding === undefined ? {} : { 'branding.yaml': stringify(branding) }),
    });
  }

  /** The value of a key of `svc-state`; undefined while there is none. */
  state(key: string): string | undefined {
    const data = this.cluster.store.get('configmaps', releaseNamespace, configMaps.state)?.['data'];
    return (data as Record<string, string> | undefined)?.[key];
  }

  setState(key: string, value: string): void {
    const data = this.cluster.store.get('configmaps', releaseNamespace, configMaps.state)?.['data'];
    this.#apply(configMaps.state, { ...(data as Record<string, string> | undefined), [key]: value });
  }

  replicas(namespace: string, name: string): number {
    const spec = this.cluster.store.get('deployments.apps', namespace, name)?.['spec'] as { replicas: number };
    return spec.replicas;
  }

  /** The code and the link of the sign-in mail that an act brings about. */
  async mail(to: string, act: () => Promise<void>): Promise<{ readonly code: string; readonly link: string }> {
    const before = this.inbox.last(to);
    await act();
    await until(() => this.inbox.last(to) !== before);
    const text = this.inbox.last(to)?.text ?? '';
    return { code: /\b(\d{8})\b/.exec(text)?.[1] ?? '', link: /http\S+#\S+/.exec(text)?.[0] ?? '' };
  }

  #apply(name: string, data: Readonly<Record<string, string>>): void {
    const metadata = { name, namespace: releaseNamespace };
    this.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]);
  }

  #transport(account: string) {
    const user = `system:serviceaccount:${releaseNamespace}:${account}`;
    return this.cluster.transport({ user, groups: ['system:masters'] });
  }
}

/** Waits for something that no event announces to a test: the far end of several processes. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`it did not come to hold within ${timeoutMs} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
