import type { LightMyRequestResponse } from 'fastify';
import { MemoryInbox } from '../../../demo/memory-inbox.ts';
import type { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { type RunningApi, startApi } from '../../../src/api/main.ts';
import { apiFeatures } from '../../../src/api/main-features.ts';
import { pathOf, type RequestParts } from '../../../src/contract/client.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { Random } from '../../../src/ports/random.ts';
import type { Transport } from '../../../src/ports/transport.ts';
import type { PartSizes } from '../../../src/state/parts/state-part.ts';
import { nobodyOutside } from '../../support/api-features.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { type FaultPlan, FaultyTransport, type Latency } from './faulty-transport.ts';
import { Life } from './life.ts';
import { releaseNamespace, sizesOf } from './shipped-controller.ts';

export const admin = 'ann@example.com';
const hour = 3_600_000;

export interface ApiProcessOptions {
  readonly transport: Transport;
  readonly faults: FaultPlan;
  readonly latency: Latency;
  readonly clock: VirtualClock;
  readonly watchClock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly partSizes: PartSizes | undefined;
  /** It ends, as the cluster was restored from a backup. */
  readonly onRestored: () => void;
}

export interface Answer {
  /** 0: none came. */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The api as it ships, asked by an admin who signs in by mail, and by other clusters. */
export class ShippedApi {
  readonly #life: Life;
  readonly #clock: VirtualClock;
  readonly #inbox = new MemoryInbox({ kept: 3 });
  #running: RunningApi | undefined;
  #token = '';
  #signedInAt = Number.NEGATIVE_INFINITY;

  constructor(options: ApiProcessOptions) {
    const { transport, faults, latency, clock, random, logger } = options;
    this.#clock = clock;
    this.#life = new Life(clock);
    startApi({
      ...asShipped,
      transport: new FaultyTransport({ inner: transport, clock, plan: faults, life: this.#life, latency }),
      clock: this.#life.clock,
      watchClock: this.#life.over(options.watchClock),
      random,
      logger,
      namespace: releaseNamespace,
      ...sizesOf(options.partSizes),
      restored: options.onRestored,
      secrets: { jwt: 'a'.repeat(40), internalApi: 'b'.repeat(40) },
      mailer: () => this.#inbox,
      requestsPerMinute: 1_000_000,
      version: 'simulation',
      outbound: nobodyOutside,
      features(base) {
        const shipped = apiFeatures(base, {});
        // Signatures have tests of their own; here every request of another cluster is well signed.
        const externalWake = { verify: async () => ({ ok: true, cluster: 'hub' }) as const };
        return { ...shipped, features: { ...shipped.features, externalWake } };
      },
    }).then((running) => {
      this.#running = running;
    });
  }

  kill(): void {
    this.#life.end();
  }

  /** As an admin; time passes until the answer is there, or nobody waits for it any more. */
  async asAdmin(id: EndpointId, parts: RequestParts = {}): Promise<Answer> {
    if (this.#clock.now() - this.#signedInAt > 12 * hour || this.#clock.now() < this.#signedInAt) await this.#signIn();
    return this.#ask(id, parts, this.#token);
  }

  asCluster(id: EndpointId, parts: RequestParts = {}): Promise<Answer> {
    return this.#ask(id, parts);
  }

  async #signIn(): Promise<void> {
    await this.#ask('requestOtp', { body: { email: admin } });
    const otp = /\b\d{8}\b/.exec(this.#inbox.last(admin)?.text ?? '')?.[0] ?? '';
    const { body } = await this.#ask('verifyOtp', { body: { email: admin, otp } });
    this.#token = String(body['token'] ?? '');
    if (this.#token !== '') this.#signedInAt = this.#clock.now();
  }

  async #ask(id: EndpointId, parts: RequestParts, token?: string): Promise<Answer> {
    const app = this.#running?.api.server.app;
    if (app === undefined) return { status: 0, body: {} };
    let answer: LightMyRequestResponse | undefined;
    void app
      .inject({
        method: endpoints[id].method,
        url: pathOf(id, parts),
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...parts.headers },
        ...(parts.body === undefined ? {} : { payload: parts.body as object }),
      })
      .then((response) => {
        answer = response as LightMyRequestResponse;
      });
    for (let turn = 0; turn < 20 && answer === undefined; turn++) await this.#clock.advance(0);
    const until = this.#clock.monotonic() + 60_000;
    while (answer === undefined && this.#clock.monotonic() < until) await this.#clock.advance(5);
    if (answer === undefined) return { status: 0, body: {} };
    return { status: answer.statusCode, body: answer.body === '' ? {} : (answer.json() as Record<string, unknown>) };
  }
}
