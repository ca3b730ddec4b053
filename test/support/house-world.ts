import { stringify } from 'yaml';
import { MemoryInbox } from '../../demo/memory-inbox.ts';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { type RunningApi, startApi } from '../../src/api/main.ts';
import { apiFeatures } from '../../src/api/main-features.ts';
import { runCli } from '../../src/cli/cli.ts';
import { connectToCluster } from '../../src/cli/connection/cluster-connection.ts';
import { configTextKey } from '../../src/config/config.ts';
import { pathOf } from '../../src/contract/client.ts';
import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts';
import type { AnswerOf } from '../../src/contract/operations.ts';
import { type RunningController, startController } from '../../src/controller/main.ts';
import { controllerFeatures } from '../../src/controller/main-features.ts';
import { configMaps } from '../../src/domain/names.ts';
import type { Databases } from '../../src/ports/databases.ts';
import { nobodyOutside } from './api-features.ts';
import { asShipped, noApi } from './as-shipped.ts';
import { type LogLine, RecordingLogger } from './recording-logger.ts';

const namespace = 'svc';
const admin = 'ada@example.com';

export interface HouseOptions {
  readonly startAt: number;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly objects?: readonly Manifest[];
  readonly state?: Readonly<Record<string, string>>;
  /** The text of `svc-license`. */
  readonly license?: string;
  readonly databases?: Databases;
  /** Of the controller. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The controller, the api and the command line as they ship, on one embedded cluster: do they say the same? */
export class HouseWorld {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  readonly inbox = new MemoryInbox();
  readonly log: LogLine[] = [];
  readonly #options: HouseOptions;
  #controller!: RunningController;
  #api!: RunningApi;
  #token = '';

  private constructor(options: HouseOptions) {
    this.#options = options;
    this.clock = new VirtualClock(options.startAt);
    this.cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), events: 'none' });
    this.cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      ...(options.objects ?? []),
    ]);
    this.configure(options.config ?? {});
    if (options.state !== undefined) this.#set(configMaps.state, options.state);
    if (options.license !== undefined) this.setLicense(options.license);
    this.cluster.start();
  }

  static async start(options: HouseOptions): Promise<HouseWorld> {
    const world = new HouseWorld(options);
    await world.#start();
    return world;
  }

  async #start(): Promise<void> {
    const { clock } = this;
    const { databases, env = {} } = this.#options;
    const common = { clock, namespace };
    this.#api = await this.settle(
      startApi({
        ...common,
        transport: this.#transport('svc-api'),
        random: seededRandom(7),
        logger: new RecordingLogger(this.log, { process: 'api' }),
        secrets: { jwt: 'x'.repeat(40), internalApi: 'y'.repeat(40) },
        mailer: () => this.inbox,
        ...asShipped,
        version: 'test',
        outbound: nobodyOutside,
        features: (base) => apiFeatures(base, {}),
        requestsPerMinute: 1_000_000,
      }),
    );
    this.#controller = await this.settle(
      startController({
        ...common,
        transport: this.#transport('svc-controller'),
        random: seededRandom(8),
        logger: new RecordingLogger(this.log, { process: 'controller' }),
        ...asShipped,
        frames: noApi,
        features: (base) => ({
          ...controllerFeatures(base, { env, mailer: () => this.inbox }),
          ...(databases === undefined ? {} : { databases }),
        }),
      }),
    );
    await this.until(() => this.#api.ready() && this.#controller.ready());
    await this.signIn();
  }

  /** As the admin who asks; a session does not last for ever. */
  async signIn(): Promise<void> {
    this.#token = '';
    await this.#request('requestOtp', { email: admin });
    const otp = /\b\d{8}\b/.exec(this.inbox.last(admin)?.text ?? '')?.[0] ?? '';
    this.#token = (await this.#request('verifyOtp', { email: admin, otp })).token;
  }

  async stop(): Promise<void> {
    await this.settle(this.#controller.stop());
    await this.settle(this.#api.stop());
    this.cluster.stop();
  }

  /** Writes the configuration as the chart would; the processes reload it. */
  configure(config: Readonly<Record<string, unknown>>): void {
    const whole = {
      clusterName: 'test',
      externalUrl: 'https://svc.example.com',
      auth: { adminUsers: [admin] },
      ...config,
    };
    this.#set(configMaps.config, { [configTextKey]: stringify(whole) });
  }

  /** Keys of `svc-state` as somebody edits them. */
  setState(keys: Readonly<Record<string, unknown>>): void {
    const texts = Object.entries(keys).map(([key, value]) => [key, JSON.stringify(value)]);
    this.#set(configMaps.state, { ...this.state(), ...Object.fromEntries(texts) });
  }

  setLicense(license: string): void {
    this.#set(configMaps.license, { license });
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

  /** Lets virtual time pass, and the machine's too, for what is really sent, until it holds. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let turn = 0; !(await holds()); turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn % 5 === 0) await this.clock.advance(100);
      if (turn > 20_000) throw new Error('the condition does not come to hold');
    }
  }

  /** An admin's question to the api. */
  ask<Id extends EndpointId>(id: Id): Promise<AnswerOf<Id>> {
    return this.#request(id);
  }

  /** What `svc --kubeconfig` prints. */
  async svc(...args: readonly string[]): Promise<string> {
    let out = '';
    const code = await this.settle(
      runCli({
        args,
        env: {},
        clock: this.clock,
        version: 'test',
        terminal: {
          out: (text) => {
            out += text;
          },
          err: (text) => {
            out += text;
          },
        },
        connect: () =>
          connectToCluster({
            transport: this.cluster.transport({ user: 'kubernetes-admin', groups: ['system:masters'] }),
            clock: this.clock,
            random: seededRandom(9),
            namespace,
            where: 'embedded',
            warn: (text) => {
              out += text;
            },
          }),
      }),
    );
    if (code !== 0) throw new Error(out);
    return out;
  }

  /** A right that an account does not have: it may neither list nor watch these from now on. */
  forbid(account: string, resource: string): void {
    const hit = (request: { readonly resource?: string; readonly verb: string; readonly user?: string }) =>
      request.resource === resource &&
      ['list', 'watch'].includes(request.verb) &&
      (request.user ?? '').endsWith(account);
    this.cluster.api.faults.add({ match: hit, effect: { kind: 'fail', status: 403, message: 'forbidden' } });
    for (const { stream } of this.cluster.api.faults.openWatches(hit)) stream.end();
  }

  /** The status with which an act of an admin is answered, and its code. */
  async act(id: EndpointId, body: object = {}): Promise<readonly [number, string | undefined]> {
    const answer = await this.settle(
      this.#api.api.server.app.inject({
        method: endpoints[id].method,
        url: pathOf(id, {}),
        headers: { authorization: `Bearer ${this.#token}` },
        payload: body,
      }),
    );
    return [answer.statusCode, answer.json().code];
  }

  /** A figure of the controller, as it is scraped. */
  async figure(name: string): Promise<number> {
    const { text } = await this.#controller.metrics.render();
    return Number(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1]);
  }

  state(): Readonly<Record<string, string>> {
    return (this.cluster.store.get('configmaps', namespace, configMaps.state)?.['data'] ?? {}) as Record<
      string,
      string
    >;
  }

  replicas(place: string, name: string): number | undefined {
    const spec = this.cluster.store.get('deployments.apps', place, name)?.['spec'];
    return (spec as { replicas: number } | undefined)?.replicas;
  }

  async #request<Id extends EndpointId>(id: Id, body?: object): Promise<AnswerOf<Id>> {
    const answer = await this.settle(
      this.#api.api.server.app.inject({
        method: endpoints[id].method,
        url: pathOf(id, {}),
        headers: this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` },
        ...(body === undefined ? {} : { payload: body }),
      }),
    );
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json();
  }

  #transport(account: string) {
    const user = `system:serviceaccount:${namespace}:${account}`;
    return this.cluster.transport({ user, groups: ['system:masters'] });
  }

  #set(name: string, data: Readonly<Record<string, string>>): void {
    this.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data } as Manifest]);
  }
}
