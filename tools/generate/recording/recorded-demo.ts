import { stringify } from 'yaml';
import { demoConfig } from '../../../demo/fleet/demo-config.ts';
import { demoObjects } from '../../../demo/fleet/demo-objects.ts';
import { MemoryInbox } from '../../../demo/memory-inbox.ts';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { type RunningApi, startApi } from '../../../src/api/main.ts';
import { apiFeatures } from '../../../src/api/main-features.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { connectToCluster } from '../../../src/cli/connection/cluster-connection.ts';
import { configTextKey } from '../../../src/config/config.ts';
import { pathOf, type RequestParts } from '../../../src/contract/client.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { type RunningController, startController } from '../../../src/controller/main.ts';
import { controllerFeatures } from '../../../src/controller/main-features.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import { shippedAuthority } from '../../../src/service/license-source.ts';

const namespace = 'svc';
export const admin = 'ada@example.com';
/** Wednesday, 17:50 in Berlin: everything is up ten minutes later, two hours before the cluster goes to sleep. */
const startAt = Date.UTC(2026, 0, 14, 16, 50, 20);

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
}

interface KubernetesEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly metadata: { readonly namespace: string };
  readonly involvedObject: { readonly kind: string };
}

/**
 * The demo as `npm start` runs it, in this process and on a virtual clock, so that whatever is asked of it answers the same
 * today and tomorrow: the references show what it said.
 */
export class RecordedDemo {
  readonly clock = new VirtualClock(startAt);
  readonly cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), nodeHeartbeatSeconds: 40 });
  readonly inbox = new MemoryInbox();
  /** The last frame of each kind that the controller sent to the stream of events. */
  readonly frames = new Map<string, unknown>();
  #api!: RunningApi;
  #controller!: RunningController;
  #token: string | undefined;

  static async start(): Promise<RecordedDemo> {
    const demo = new RecordedDemo();
    demo.#furnish();
    await demo.#startProcesses();
    return demo;
  }

  #furnish(): void {
    const config = {
      ...demoConfig(),
      externalUrl: 'https://svc.example.com',
      auth: { adminUsers: [admin], allowedEmailDomains: ['example.com'], webauthn: { enabled: true } },
      dashboardApi: { enabled: true },
      urlReadinessCheck: { enabled: true },
      holidays: { regions: ['DE-BE'] },
      notifications: { enabled: true, channels: { email: { enabled: true, recipients: ['ops@example.com'] } } },
    };
    this.cluster.apply(demoObjects(1));
    this.cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: configMaps.config, namespace },
        data: { [configTextKey]: stringify(config) },
      } as Manifest,
    ]);
    this.cluster.start();
  }

  async #startProcesses(): Promise<void> {
    const { clock, inbox } = this;
    const common = { clock, namespace, logger: silentLogger, authority: shippedAuthority, inForce() {}, restored() {} };
    this.#api = await this.settle(
      startApi({
        ...common,
        transport: this.#transport('svc-api'),
        random: seededRandom(7),
        secrets: { jwt: 'x'.repeat(40), internalApi: 'y'.repeat(40) },
        mailer: () => inbox,
        version: 'recorded',
        outbound: { resolve: nobodyOutside, get: nobodyOutside },
        features: (base) => apiFeatures(base, {}),
        requestsPerMinute: 1_000_000,
      }),
    );
    const app = this.#api.api.server.app;
    this.#controller = await this.settle(
      startController({
        ...common,
        transport: this.#transport('svc-controller'),
        random: seededRandom(8),
        frames: {
          send: (frame) => {
            if (saysSomething(frame.payload)) this.frames.set(frame.kind, frame.payload);
            void app.inject({
              method: 'POST',
              url: endpoints.frames.path,
              headers: { authorization: `Bearer ${'y'.repeat(40)}` },
              payload: frame,
            });
          },
        },
        features: (base) =>
          controllerFeatures(base, {
            env: { SATELLITE_IMAGE: 'svc/satellite:demo', SATELLITE_STATUS_URL: 'http://svc-app.svc' },
            mailer: () => inbox,
          }),
      }),
    );
    await this.#until(() => this.#api.ready() && this.#controller.ready());
    await this.pass(10 * 60);
  }

  async stop(): Promise<void> {
    await this.settle(this.#controller.stop());
    await this.settle(this.#api.stop());
    this.cluster.stop();
  }

  /** The series of controller and api, as Prometheus would find them. */
  async scrape(): Promise<string> {
    const pages = await Promise.all([this.#controller.metrics.render(), this.#api.api.metrics.render()]);
    return pages.map(({ text }) => text).join('\n');
  }

  /** Events of the namespaces that ours are written to. */
  kubernetesEvents(): readonly KubernetesEvent[] {
    // The store holds whatever was written; these are events, of which the API has checked the shape.
    const all = this.cluster.store.list('events') as unknown as readonly KubernetesEvent[];
    return all.filter(({ involvedObject }) => involvedObject.kind === 'Namespace');
  }

  /** Lets the clock run. */
  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left--) {
      await this.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async signIn(): Promise<void> {
    await this.ask('requestOtp', { body: { email: admin } });
    const { body } = await this.ask('verifyOtp', { body: { email: admin, otp: this.lastCode(), refresh: 'body' } });
    this.#token = (JSON.parse(body) as { token: string }).token;
  }

  lastCode(): string {
    return /\b\d{8}\b/.exec(this.inbox.last(admin)?.text ?? '')?.[0] ?? '';
  }

  async ask(id: EndpointId, parts: RequestParts = {}): Promise<Answer> {
    const answer = await this.settle(
      this.#api.api.server.app.inject({
        method: endpoints[id].method,
        url: pathOf(id, parts),
        headers: {
          ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
          ...parts.headers,
        },
        ...(parts.body === undefined ? {} : { payload: parts.body as object }),
      }),
    );
    return { status: answer.statusCode, body: answer.body };
  }

  /** `svc` as with a kubeconfig, without a terminal: standard output and standard error in one. */
  async svc(args: readonly string[]): Promise<Ran> {
    let out = '';
    const say = (text: string) => {
      out += text;
    };
    const code = await this.settle(
      runCli({
        args,
        env: {},
        clock: this.clock,
        version: 'recorded',
        terminal: { out: say, err: say },
        connect: () =>
          connectToCluster({
            transport: this.cluster.transport({ user: admin, groups: ['system:masters'] }),
            clock: this.clock,
            random: seededRandom(9),
            namespace,
            where: 'https://demo.example.com:6443',
            warn: say,
          }),
      }),
    );
    return { code, out };
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
      // Small steps at first, for whatever only needs its timers; then those of somebody who waits for a wake.
      if (!done && turn % 20 === 0) await this.clock.advance(turn < 400 ? 50 : 1_000);
      if (turn > 200_000) throw new Error('the promise does not settle');
    }
    return promise;
  }

  async #until(holds: () => boolean): Promise<void> {
    for (let turn = 0; !holds(); turn++) {
      await this.clock.advance(5);
      if (turn > 10_000) throw new Error('the condition does not come to hold');
    }
  }

  #transport(account: string) {
    const user = `system:serviceaccount:${namespace}:${account}`;
    return this.cluster.transport({ user, groups: ['system:masters'] });
  }
}

/** A summary of null is the truth of most days, and shows nothing. */
function saysSomething(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && !Object.values(payload).every((value) => value === null);
}

async function nobodyOutside(): Promise<never> {
  throw new Error('nobody outside is asked for a reference');
}
