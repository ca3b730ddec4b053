import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { stringify } from 'yaml';
import { MemoryInbox } from '../../demo/memory-inbox.ts';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import type { Features } from '../../src/api/call/ports.ts';
import { type ApiOptions, type RunningApi, startApi } from '../../src/api/main.ts';
import { apiFeatures } from '../../src/api/main-features.ts';
import { configTextKey } from '../../src/config/config.ts';
import { pathOf, type RequestParts } from '../../src/contract/client.ts';
import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts';
import type { AnswerOf } from '../../src/contract/operations.ts';
import { configMaps } from '../../src/domain/names.ts';
import { nobodyOutside, onlyFeatures } from './api-features.ts';
import { asShipped } from './as-shipped.ts';
import { type LogLine, RecordingLogger } from './recording-logger.ts';

export const releaseNamespace = 'svc';
export const adminAddress = 'ada@example.com';
export const userAddress = 'bob@example.com';
export const jwtSecret = 'canary-jwt-secret-0123456789abcdef0123456789';
export const internalSecret = 'canary-internal-secret-0123456789';
/** Monday, noon in Berlin: inside working hours. */
const mondayNoon = Date.UTC(2026, 0, 5, 11);

export interface ApiWorldOptions extends Partial<Omit<ApiOptions, 'features'>> {
  /** Those that a test needs; the others are off, or all of them as they ship. */
  readonly features?: Partial<Features> | 'as shipped';
  readonly config?: Readonly<Record<string, unknown>>;
  readonly branding?: unknown;
  readonly objects?: readonly Manifest[];
  readonly state?: Readonly<Record<string, string>>;
  readonly startAt?: number;
}

/** The real API with its real adapters on the embedded cluster, in this process and on a virtual clock. */
export class ApiWorld {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  readonly inbox = new MemoryInbox();
  readonly log: LogLine[] = [];
  running!: RunningApi;
  readonly #options: ApiWorldOptions;

  private constructor(options: ApiWorldOptions) {
    this.#options = options;
    this.clock = new VirtualClock(options.startAt ?? mondayNoon);
    this.cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), events: 'none' });
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } }]);
    this.cluster.apply(options.objects ?? []);
    this.configure(options.config ?? {});
    if (options.state !== undefined) this.setState(options.state);
    this.cluster.start();
  }

  static async start(options: ApiWorldOptions = {}): Promise<ApiWorld> {
    const world = new ApiWorld(options);
    await world.#startApi();
    return world;
  }

  /** The process ends and another begins: what was in its memory is gone. */
  async restart(): Promise<void> {
    await this.settle(this.running.stop());
    await this.#startApi();
  }

  async #startApi(): Promise<void> {
    const {
      config: _config,
      branding: _branding,
      objects: _objects,
      state: _state,
      features = {},
      ...rest
    } = this.#options;
    this.running = await this.settle(
      startApi({
        transport: this.cluster.transport({ user: 'system:serviceaccount:svc:svc-api', groups: ['system:masters'] }),
        clock: this.clock,
        random: seededRandom(7),
        logger: new RecordingLogger(this.log),
        namespace: releaseNamespace,
        secrets: { jwt: jwtSecret, internalApi: internalSecret },
        mailer: () => this.inbox,
        requestsPerMinute: 1_000_000,
        version: 'test',
        outbound: nobodyOutside,
        features: features === 'as shipped' ? (base) => apiFeatures(base, {}) : onlyFeatures(features),
        ...asShipped,
        ...rest,
      }),
    );
    await this.settleUntil(() => this.running.ready());
  }

  async stop(): Promise<void> {
    await this.settle(this.running.stop());
    this.cluster.stop();
  }

  /** Waits for a promise, letting virtual time pass while nothing else moves. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const mark = () => {
      done = true;
    };
    promise.then(mark, mark);
    for (let turn = 1; !done; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!done && turn % 20 === 0) await this.clock.advance(50);
      if (turn > 200_000) throw new Error('the promise does not settle');
    }
    return promise;
  }

  async settleUntil(holds: () => boolean): Promise<void> {
    for (let turn = 0; !holds(); turn++) {
      await this.clock.advance(5);
      if (turn > 10_000) throw new Error('the condition does not come to hold');
    }
  }

  /** Writes the configuration as the chart would. */
  configure(config: Readonly<Record<string, unknown>>): void {
    const { auth, ...rest } = config;
    const whole = {
      clusterName: 'test',
      externalUrl: 'https://svc.example.com',
      auth: { adminUsers: [adminAddress], ...(auth as object | undefined) },
      ...rest,
    };
    const branding = this.#options.branding;
    this.cluster.apply([
      configMap(configMaps.config, {
        [configTextKey]: stringify(whole),
        ...(branding === undefined ? {} : { 'branding.yaml': stringify(branding) }),
      }),
    ]);
  }

  setState(data: Readonly<Record<string, string>>): void {
    this.cluster.apply([configMap(configMaps.state, data)]);
  }

  stateData(): Readonly<Record<string, string>> | undefined {
    return this.cluster.store.get('configmaps', releaseNamespace, configMaps.state)?.['data'] as
      | Record<string, string>
      | undefined;
  }

  /** Lets the watches deliver. */
  async pass(ms = 1_100): Promise<void> {
    await this.clock.advance(ms);
  }

  inject(options: InjectOptions): Promise<LightMyRequestResponse> {
    return this.settle(this.running.api.server.app.inject(options) as Promise<LightMyRequestResponse>);
  }

  /** A request by the name of its route. */
  call(id: EndpointId, parts: RequestParts = {}, token?: string): Promise<LightMyRequestResponse> {
    return this.inject({
      method: endpoints[id].method,
      url: pathOf(id, parts),
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...parts.headers },
      ...(parts.body === undefined ? {} : { payload: parts.body as object }),
    });
  }

  /** Signs in by mail, as a person would. */
  async signIn(email: string): Promise<AnswerOf<'verifyOtp'>> {
    const asked = await this.call('requestOtp', { body: { email } });
    if (asked.statusCode !== 200) throw new Error(asked.body);
    const otp = this.lastCode(email);
    const verified = await this.call('verifyOtp', { body: { email, otp, refresh: 'body' } });
    if (verified.statusCode !== 200) throw new Error(verified.body);
    return verified.json();
  }

  async token(email: string): Promise<string> {
    return (await this.signIn(email)).token;
  }

  lastCode(email: string): string {
    return /\b\d{8}\b/.exec(this.inbox.last(email)?.text ?? '')?.[0] ?? '';
  }
}

function configMap(name: string, data: Readonly<Record<string, string>>): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: releaseNamespace }, data } as Manifest;
}

export function deployment(namespace: string, name: string, replicas = 2, extra: object = {}): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, ...extra },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'app', image: `${name}:1` }] },
      },
    },
  } as Manifest;
}
