import { stringify } from 'yaml';
import { MemoryInbox } from '../../demo/memory-inbox.ts';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { HttpHostingClusters } from '../../src/adapters/external-wake/hosting-clusters.ts';
import { ExternalWakeRequests } from '../../src/adapters/http-signatures/external-wake-verifier.ts';
import { parseKeys, type SharedKeys } from '../../src/adapters/http-signatures/key-folder.ts';
import { type RunningApi, startApi } from '../../src/api/main.ts';
import { type Config, configTextKey } from '../../src/config/config.ts';
import { type RunningController, startController } from '../../src/controller/main.ts';
import type { ControllerFeatures, FeatureBase } from '../../src/controller/main-features.ts';
import { configMaps } from '../../src/domain/names.ts';
import type { Notice } from '../../src/domain/notification/notice.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import type { WebAnswer, WebClient, WebRequest } from '../../src/ports/web-client.ts';
import { nobodyOutside, onlyFeatures } from './api-features.ts';
import { asShipped, noApi } from './as-shipped.ts';
import { workloadsOnly } from './controller-features.ts';

const namespace = 'svc';

/** Several services, each on a cluster of its own, that reach each other by the names of their addresses. */
export class Internet implements WebClient {
  readonly clock: VirtualClock;
  readonly sites = new Map<string, Site>();
  readonly requests: { readonly host: string; readonly method: string; readonly status: number }[] = [];
  /** Hosts that nobody can reach at the moment. */
  readonly dead = new Set<string>();
  #underWay = 0;

  constructor(startAt: number) {
    this.clock = new VirtualClock(startAt);
  }

  async send({ method, url, headers, body }: WebRequest): Promise<WebAnswer> {
    const { host, pathname, search } = new URL(url);
    const site = this.sites.get(host);
    if (site === undefined || this.dead.has(host)) throw new Error('no answer came (ECONNREFUSED)');
    this.#underWay++;
    try {
      const payload = body.length === 0 ? {} : { payload: Buffer.from(body) };
      const answer = await site.api.api.server.app.inject({
        method,
        url: `${pathname}${search}`,
        headers: { ...headers, host },
        ...payload,
      });
      this.requests.push({ host, method, status: answer.statusCode });
      const seconds = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        text: answer.payload,
        ...(seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 }),
      };
    } finally {
      this.#underWay--;
    }
  }

  /** Lets time pass; a request that is under way arrives before much of it has passed. */
  async advance(ms: number): Promise<void> {
    const until = this.clock.monotonic() + ms;
    while (this.clock.monotonic() < until) {
      const left = until - this.clock.monotonic();
      const quiet = await this.clock
        .advanceUntil(() => this.#underWay > 0, left)
        .then(
          () => false,
          () => true,
        );
      if (quiet) await this.clock.advance(until - this.clock.monotonic());
      await this.#arrive();
    }
  }

  async #arrive(): Promise<void> {
    for (let turn = 1; this.#underWay > 0; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn % 20 === 0) await this.clock.advance(5);
      if (turn > 100_000) throw new Error('a request does not end');
    }
  }

  /** Waits for a promise, letting time pass where it needs some. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const mark = () => {
      done = true;
    };
    promise.then(mark, mark);
    for (let turn = 1; !done; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn % 20 === 0) await this.clock.advance(20);
      if (turn > 200_000) throw new Error('the promise does not settle');
    }
    return promise;
  }
}

/** Keys as the chart would mount them, by Secret and key. */
class KeyRing implements SharedKeys {
  readonly texts = new Map<string, string>();

  async keys({ name, key }: { readonly name: string; readonly key: string }): Promise<readonly Uint8Array[]> {
    return parseKeys(this.texts.get(`${name}/${key}`) ?? '', `key ${key} of Secret ${name}`);
  }
}

/** One service: the real controller and the real api with their real adapters, on an embedded cluster. */
export class Site {
  readonly internet: Internet;
  readonly host: string;
  readonly keys = new KeyRing();
  readonly notices: Notice[] = [];
  readonly cluster: EmbeddedCluster;
  verifier!: ExternalWakeRequests;
  api!: RunningApi;
  controller!: RunningController;
  #config: Config | undefined;

  constructor(
    internet: Internet,
    host: string,
    config: Readonly<Record<string, unknown>>,
    objects: readonly Manifest[],
  ) {
    this.internet = internet;
    this.host = host;
    internet.sites.set(host, this);
    this.cluster = new EmbeddedCluster({
      clock: internet.clock,
      random: seededRandom(internet.sites.size),
      events: 'none',
    });
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, ...objects]);
    this.configure(config);
    this.cluster.start();
  }

  configure(config: Readonly<Record<string, unknown>>): void {
    const whole = { clusterName: this.host, externalUrl: `https://${this.host}`, ...config };
    const metadata = { name: configMaps.config, namespace };
    this.cluster.apply([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [configTextKey]: stringify(whole) } } as Manifest,
    ]);
  }

  async start(): Promise<this> {
    const { internet } = this;
    const { clock } = internet;
    const random = seededRandom(11);
    this.startVerifier();
    this.api = await internet.settle(
      startApi({
        transport: this.cluster.transport(identity('svc-api')),
        clock,
        random,
        logger: silentLogger,
        namespace,
        secrets: { jwt: 'x'.repeat(40), internalApi: 'y'.repeat(40) },
        mailer: () => new MemoryInbox(),
        requestsPerMinute: 1_000_000,
        version: 'test',
        outbound: nobodyOutside,
        features: onlyFeatures({ externalWake: { verify: (request) => this.verifier.verify(request) } }),
        ...asShipped,
        inForce: (config) => {
          this.#config = config;
        },
      }),
    );
    await this.startController();
    return this;
  }

  async startController(): Promise<void> {
    const { internet } = this;
    const { clock } = internet;
    const random = seededRandom(11);
    this.controller = await internet.settle(
      startController({
        transport: this.cluster.transport(identity('svc-controller')),
        clock,
        random,
        logger: silentLogger,
        namespace,
        ...asShipped,
        frames: noApi,
        features: (base) =>
          this.features(
            base,
            new HttpHostingClusters({
              clock,
              random,
              web: internet,
              keys: this.keys,
              clusterName: () => this.#config?.clusterName ?? '',
            }),
          ),
      }),
    );
  }

  /** Workloads and the other clusters, with cards that are only noted; a test may want more. */
  protected features(_base: FeatureBase, hosts: HttpHostingClusters): ControllerFeatures {
    const notifier = {
      notify: async (notice: Notice) => void this.notices.push(notice),
      condition: (notice: Notice, holds: boolean) => holds && this.notices.push(notice),
    };
    return workloadsOnly({ notifier, hosts })();
  }

  /** As a restart of the api does: what it remembered is gone. */
  startVerifier(): void {
    const { clock } = this.internet;
    this.verifier = new ExternalWakeRequests({
      clock,
      logger: silentLogger,
      keys: this.keys,
      config: () => this.#config!,
    });
  }

  async stop(): Promise<void> {
    await this.internet.settle(this.controller.stop());
    await this.internet.settle(this.api.stop());
    this.cluster.stop();
  }

  /** `shop/cart: 2` for every Deployment. */
  levels(): Readonly<Record<string, number>> {
    const found = this.cluster.store.list('deployments.apps');
    return Object.fromEntries(
      found.map(({ metadata, spec }) => [
        `${metadata.namespace}/${metadata.name}`,
        (spec as { readonly replicas: number }).replicas,
      ]),
    );
  }

  state(key: string): unknown {
    const { data } = (this.cluster.store.get('configmaps', namespace, configMaps.state) ?? {}) as {
      readonly data?: Readonly<Record<string, string>>;
    };
    return JSON.parse(data?.[key] ?? 'null');
  }

  cards(): readonly string[] {
    return this.notices.map(({ title }) => title);
  }
}

function identity(name: string) {
  return { user: `system:serviceaccount:${namespace}:${name}`, groups: ['system:masters'] };
}

export function deployment(name: string, namespaceName: string, replicas: number): Manifest {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: namespaceName },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: `${name}:1` }] } },
    },
  } as Manifest;
}
