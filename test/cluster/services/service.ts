import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryInbox } from '../../../demo/memory-inbox.ts';
import { keyIdOf, signRequest } from '../../../src/adapters/http-signatures/sign-request.ts';
import { internalFrames } from '../../../src/adapters/internal-frames/internal-frames.ts';
import { isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { type RunningApi, startApi } from '../../../src/api/main.ts';
import { apiFeatures } from '../../../src/api/main-features.ts';
import { configTextKey } from '../../../src/config/config.ts';
import { type RunningController, startController } from '../../../src/controller/main.ts';
import { controllerFeatures } from '../../../src/controller/main-features.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { cryptographicRandom as random } from '../../../src/platform/random.ts';
import { systemClock as clock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { freePort } from '../../../tools/cluster/free-ports.ts';
import { nobodyOutside } from '../../support/api-features.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { type LogLine, RecordingLogger } from '../../support/recording-logger.ts';
import type { RealCluster } from '../harness/real-cluster.ts';
import { ChartRights } from '../release/chart-rights.ts';
import { workloadTypes } from '../scenarios/workload-manifests.ts';

type Config = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const admin = 'ada@example.com';
const internalSecret = 'internal-secret-for-tests-0123456789';

/**
 * One whole service in a release namespace of its own: controller and api as their `main.ts` wires them, each with the
 * account and the rights that the chart gives it, reached by others over HTTP alone.
 */
export class Service {
  readonly name: string;
  readonly cluster: RealCluster;
  readonly releaseNamespace: string;
  /** Namespaces of the workloads that it manages, by what they are for. */
  readonly namespaces: Readonly<Record<'open' | 'shut', string>>;
  readonly url: string;
  readonly log: LogLine[] = [];
  readonly #keys: string;
  readonly #rights: readonly ChartRights[];
  readonly #inbox = new MemoryInbox();
  #config: Config;
  #api: RunningApi | undefined;
  #controller: RunningController | undefined;
  #token = '';

  private constructor(parts: {
    name: string;
    cluster: RealCluster;
    releaseNamespace: string;
    namespaces: Service['namespaces'];
    url: string;
    keys: string;
    rights: readonly ChartRights[];
  }) {
    this.name = parts.name;
    this.cluster = parts.cluster;
    this.releaseNamespace = parts.releaseNamespace;
    this.namespaces = parts.namespaces;
    this.url = parts.url;
    this.#keys = parts.keys;
    this.#rights = parts.rights;
    this.#config = {
      clusterName: this.name,
      externalUrl: this.url,
      allowInsecureExternalUrl: true,
      auth: { adminUsers: [admin] },
    };
  }

  /** Everything but the processes: `start` begins them. */
  static async install(cluster: RealCluster, name: string): Promise<Service> {
    const { client } = cluster.admin;
    const releaseNamespace = await cluster.namespace(`svc-${name}`);
    const namespaces = { open: await cluster.namespace(`${name}-open`), shut: await cluster.namespace(`${name}-shut`) };
    const rights = [
      await ChartRights.grant(client, releaseNamespace),
      await ChartRights.grant(client, releaseNamespace, { component: 'api', policies: false }),
    ];
    const keys = await mkdtemp(join(tmpdir(), 'svc-keys-'));
    const url = `http://127.0.0.1:${await freePort()}`;
    return new Service({ name, cluster, releaseNamespace, namespaces, url, keys, rights });
  }

  /** As the chart mounts it: the key with which the two sign, under this name on this side. */
  async mountKey(secret: string, key: string, text: string): Promise<void> {
    await mkdir(join(this.#keys, secret), { recursive: true });
    await writeFile(join(this.#keys, secret, key), text, { mode: 0o600 });
  }

  /** Changes these values of the configuration; the others stay. */
  async configure(parts: Config): Promise<void> {
    this.#config = { ...this.#config, ...parts };
    const ref = { namespace: this.releaseNamespace, name: configMaps.config };
    const data = { [configTextKey]: JSON.stringify(this.#config) };
    try {
      await this.cluster.admin.client.patch(resources.configMaps, ref, { type: 'merge', body: { data } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const metadata = { name: ref.name };
      await this.cluster.admin.client.create(resources.configMaps, ref.namespace, { metadata, data });
    }
  }

  async start(): Promise<void> {
    await this.startApi();
    await this.startController();
    await this.until('it is ready', async () => this.#api?.ready() && this.#controller?.ready());
    this.#token = await this.#signIn();
  }

  async startApi(): Promise<void> {
    const account = await this.cluster.serviceAccount(this.releaseNamespace, 'svc-api');
    this.#api = await startApi({
      transport: account.transport,
      clock,
      random,
      logger: new RecordingLogger(this.log, { process: 'api' }),
      namespace: this.releaseNamespace,
      ...asShipped,
      version: 'test',
      outbound: nobodyOutside,
      features: (base) => apiFeatures(base, { KEYS_FOLDER: this.#keys }),
      secrets: { jwt: randomBytes(32).toString('base64'), internalApi: internalSecret },
      port: Number(new URL(this.url).port),
      mailer: () => this.#inbox,
      requestsPerMinute: 1_000_000,
    });
  }

  async startController(): Promise<void> {
    const account = await this.cluster.serviceAccount(this.releaseNamespace, 'svc-controller');
    const logger = new RecordingLogger(this.log, { process: 'controller' });
    this.#controller = await startController({
      transport: account.transport,
      clock,
      random,
      logger,
      namespace: this.releaseNamespace,
      ...asShipped,
      frames: internalFrames({ API_URL: this.url, INTERNAL_API_SECRET: internalSecret }, logger),
      features: (base) => controllerFeatures(base, { env: { KEYS_FOLDER: this.#keys }, mailer: () => this.#inbox }),
    });
  }

  async stopApi(): Promise<void> {
    await this.#api?.stop();
    this.#api = undefined;
  }

  async stopController(): Promise<void> {
    await this.#controller?.stop();
    this.#controller = undefined;
  }

  /** An admin's request, over HTTP. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    return send(`${this.url}/api/v1${path}`, method, { authorization: `Bearer ${this.#token}` }, body);
  }

  /** A request of another cluster, signed with the key that it shares with this one. */
  ask(cluster: string, key: string, body: object, method: 'POST' | 'DELETE' = 'POST'): Promise<Answer> {
    const url = `${this.url}/api/v1/external-wake`;
    const text = method === 'POST' ? JSON.stringify(body) : '';
    const signature = signRequest({
      method,
      url,
      body: Buffer.from(text),
      keyId: keyIdOf(cluster),
      key: Buffer.from(key, 'base64'),
      created: Math.floor(clock.now() / 1000),
      nonce: randomBytes(18).toString('base64url'),
      purpose: 'svc-external-wake',
    });
    return send(url, method, { ...signature }, method === 'POST' ? body : undefined);
  }

  /** `open/db: 2` for every Deployment that is its to scale. */
  async levels(): Promise<Readonly<Record<string, number>>> {
    const found: [string, number][] = [];
    for (const [use, namespace] of Object.entries(this.namespaces)) {
      const { items } = await this.cluster.admin.client.list(resources.deployments, { namespace });
      for (const { metadata, spec } of items) found.push([`${use}/${metadata?.name}`, spec?.replicas ?? 1]);
    }
    return Object.fromEntries(found.toSorted());
  }

  /** A key of its `svc-state`, or undefined while it is not there. */
  async state<T>(key: string): Promise<T | undefined> {
    const ref = { namespace: this.releaseNamespace, name: configMaps.state };
    const found = await this.cluster.admin.client.get(resources.configMaps, ref).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const text = found?.data?.[key];
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  /** Titles of the audit log, oldest first. */
  async audit(): Promise<readonly string[]> {
    const { body } = await this.call('GET', '/audit?limit=200');
    return (body['entries'] as { title: string }[]).map(({ title }) => title).toReversed();
  }

  async until<T>(what: string, look: () => Promise<T | undefined | false>, timeoutMs = 60_000): Promise<T> {
    const deadline = clock.monotonic() + timeoutMs;
    for (;;) {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      if (clock.monotonic() > deadline) throw new Error(`It did not happen that ${what}. ${this.#lastWords()}`);
      await sleep(clock, 100);
    }
  }

  async close(): Promise<void> {
    await this.stopController();
    await this.stopApi();
    for (const namespace of Object.values(this.namespaces)) {
      for (const type of Object.values(workloadTypes)) {
        const { items } = await this.cluster.admin.client.list(type, { namespace });
        for (const { metadata } of items) {
          await this.cluster.admin.client.delete(type, { namespace, name: metadata?.name ?? '' }).catch(() => {});
        }
      }
    }
    for (const rights of this.#rights) await rights.remove();
    await rm(this.#keys, { recursive: true, force: true });
  }

  async #signIn(): Promise<string> {
    await this.call('POST', '/auth/request-otp', { email: admin });
    const code = await this.until('the code has come', async () => {
      return /\b\d{8}\b/.exec(this.#inbox.last(admin)?.text ?? '')?.[0];
    });
    const { body } = await this.call('POST', '/auth/verify-otp', { email: admin, otp: code });
    return String(body['token']);
  }

  #lastWords(): string {
    return `Service ${this.name} said last:\n${this.log
      .slice(-12)
      .map((line) => JSON.stringify(line))
      .join('\n')}`;
  }
}

async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: object | undefined,
): Promise<Answer> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers: { ...headers, ...type }, ...json });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
}
