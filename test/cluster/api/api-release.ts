import type { LightMyRequestResponse } from 'fastify';
import { MemoryInbox } from '../../../demo/memory-inbox.ts';
import type { CustomObject, ResourceType } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { HttpsTransport } from '../../../src/adapters/kubernetes/transport/https-transport.ts';
import { type RunningApi, startApi } from '../../../src/api/main.ts';
import { apiFeatures } from '../../../src/api/main-features.ts';
import { configTextKey } from '../../../src/config/config.ts';
import { pathOf, type RequestParts } from '../../../src/contract/client.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { cryptographicRandom } from '../../../src/platform/random.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { eventually, type Subject } from '../../contract/subject.ts';
import { nobodyOutside } from '../../support/api-features.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { type LogLine, RecordingLogger } from '../../support/recording-logger.ts';
import { SoftwarePasskey } from '../../support/software-passkey.ts';
import { serviceAccountIdentity } from '../harness/service-account.ts';
import { ChartRights, type Right } from '../release/chart-rights.ts';
import { CuttableLine } from './cuttable-line.ts';
import type { Refused, RequestName } from './requests.ts';
import { requests, team } from './requests.ts';

export const adminAddress = 'ada@example.com';

const reviews: ResourceType<CustomObject> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
};

const allWeek = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Everything on that reads the cluster. Awake at all hours: these tests run at any time. */
const standardConfig = {
  workingHours: { timezone: 'UTC', schedule: Object.fromEntries(allWeek.map((day) => [day, 'on'])) },
  dashboardApi: { enabled: true },
  databases: { orders: { provider: 'aws', type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
  externalWake: {
    enabled: true,
    localClusterName: 'test',
    clusters: [{ name: 'dependent', secretRef: { name: 'hmac', key: 'key' } }],
    quotas: { maxWakesPerHour: 10_000 },
  },
};

const labels = { app: 'cart' };
const cart = {
  metadata: { name: 'cart' },
  spec: {
    // By its owner: neither cluster then has to bring a pod up for anybody to know its state.
    replicas: 0,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example/main:1' }] } },
  },
};

const noAnswerInTime = /no answer within|no answer came|timed out after/;

type Data = Readonly<Record<string, string | null>>;

/**
 * The API in this process, reaching a cluster over HTTPS as the service account that the chart makes, with the rights
 * that the chart grants and over a line that can be cut.
 */
export class ApiRelease {
  readonly subject: Subject;
  readonly namespace: string;
  /** Where the one workload is. */
  readonly team: string;
  readonly line: CuttableLine;
  readonly inbox = new MemoryInbox();
  readonly log: LogLine[] = [];
  readonly #rights: ChartRights;
  readonly #transport: HttpsTransport;
  running!: RunningApi;
  token = '';

  private constructor(parts: {
    subject: Subject;
    namespace: string;
    team: string;
    line: CuttableLine;
    rights: ChartRights;
    transport: HttpsTransport;
  }) {
    this.subject = parts.subject;
    this.namespace = parts.namespace;
    this.team = parts.team;
    this.line = parts.line;
    this.#rights = parts.rights;
    this.#transport = parts.transport;
  }

  /** Everything but the process: `start` begins it. */
  static async install(subject: Subject, config: object = standardConfig): Promise<ApiRelease> {
    const namespace = await subject.namespace();
    const team = await subject.namespace();
    await subject.client.create(resources.deployments, team, cart);
    const rights = await ChartRights.grant(subject.client, namespace, {
      component: 'api',
      values: { config: { auth: { webauthn: { enabled: true } } } },
      policies: subject.name === 'real',
    });
    const account = await serviceAccountIdentity(subject.admin, namespace, 'svc-api');
    const line = await CuttableLine.to(subject.admin.access.server);
    const access = { ...account.access, server: line.url };
    const transport = new HttpsTransport({ access, clock: systemClock });
    const release = new ApiRelease({ subject, namespace, team, line, rights, transport });
    await release.setConfigMap(configMaps.config, {
      [configTextKey]: JSON.stringify({
        clusterName: 'test',
        externalUrl: 'https://svc.example.com',
        auth: { adminUsers: [adminAddress], webauthn: { enabled: true } },
        ...config,
      }),
    });
    return release;
  }

  get user(): string {
    return `system:serviceaccount:${this.namespace}:svc-api`;
  }

  async start(): Promise<void> {
    this.running = await startApi({
      transport: this.#transport,
      clock: systemClock,
      random: cryptographicRandom,
      logger: new RecordingLogger(this.log),
      namespace: this.namespace,
      ...asShipped,
      version: 'test',
      outbound: nobodyOutside,
      features(base) {
        const shipped = apiFeatures(base, {});
        const externalWake = { verify: async () => ({ ok: true as const, cluster: 'dependent' }) };
        return { ...shipped, features: { ...shipped.features, externalWake } };
      },
      secrets: { jwt: '0123456789abcdef0123456789abcdef', internalApi: 'the-controller' },
      mailer: () => this.inbox,
      requestsPerMinute: 1_000_000,
    });
    this.token = await this.#signIn();
  }

  async untilReady(): Promise<void> {
    await eventually(
      async () => this.running.ready(),
      (ready) => ready,
    );
  }

  async close(): Promise<void> {
    await this.running?.stop();
    this.#transport.close();
    await this.line.cut();
    await this.#rights.remove();
  }

  async call(id: EndpointId, parts: RequestParts = {}): Promise<LightMyRequestResponse> {
    return this.running.api.server.app.inject({
      method: endpoints[id].method,
      url: pathOf(id, parts),
      headers: { authorization: `Bearer ${this.token}` },
      ...(parts.body === undefined ? {} : { payload: parts.body as object }),
    });
  }

  /**
   * 200, or status, code and message of a refusal. Over a line that stands, no answer in time is this machine's doing and not
   * what a row is about: it is asked again.
   */
  async answer(name: RequestName): Promise<Refused | 200> {
    for (let more = 5; ; more--) {
      const answer = await this.#answerOnce(name);
      const isNone = answer !== 200 && noAnswerInTime.test(answer[2]);
      if (!isNone || !this.line.stands || more === 0) return answer;
    }
  }

  async #answerOnce(name: RequestName): Promise<Refused | 200> {
    const { id, parts = {} } = requests[name];
    const placed = JSON.parse(JSON.stringify(parts).replaceAll(team, this.team)) as RequestParts;
    const { statusCode, json } = await this.call(id, placed);
    if (statusCode === 200) return 200;
    const { code, message } = json();
    return [statusCode, code, message];
  }

  /** Adds a passkey for who is signed in. */
  async register(passkey = new SoftwarePasskey()): Promise<LightMyRequestResponse> {
    const { challengeId, options } = (await this.call('passkeyRegistrationOptions')).json();
    const response = passkey.register(options.challenge, 'https://svc.example.com', 'svc.example.com');
    return this.call('registerPasskey', { body: { challengeId, response } });
  }

  /**
   * Puts this state there by hand, and waits until the API has read it. It is known by its size, so another of another
   * size goes before it.
   */
  async setState(data: Readonly<Record<string, string>>): Promise<void> {
    const bytesOf = (state: Readonly<Record<string, string>>) =>
      Object.values(state).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    for (const state of [{ note: bytesOf(data) === 1 ? 'xx' : 'x' }, data]) {
      await this.setConfigMap(configMaps.state, state);
      const bytes = bytesOf(state);
      await eventually(
        async () => (await this.call('stateReport')).json().bytes,
        (read) => read === bytes,
      );
    }
  }

  /** What somebody with rights of their own puts there by hand: exactly these keys and no others. */
  async setConfigMap(name: string, data: Data): Promise<void> {
    await this.removeConfigMap(name);
    const labels = name.startsWith(configMaps.auditPrefix) ? { labels: { 'svc.io/audit': 'true' } } : {};
    const object = { metadata: { name, ...labels }, data: { ...data } as Record<string, string> };
    await this.subject.client.create(resources.configMaps, this.namespace, object);
  }

  async removeConfigMap(name: string): Promise<void> {
    await this.subject.client.delete(resources.configMaps, { namespace: this.namespace, name }).catch(() => {});
  }

  async stored(name: string): Promise<Readonly<Record<string, string>> | undefined> {
    try {
      return (await this.subject.client.get(resources.configMaps, { namespace: this.namespace, name })).data ?? {};
    } catch {
      return undefined;
    }
  }

  /** Takes verbs on that resource away from the API's account, and answers how to give them back. */
  async revoke(resource: string, ...verbs: readonly string[]): Promise<() => Promise<void>> {
    const rights = this.#rights.all().filter((right) => right.resource === resource && verbs.includes(right.verb));
    if (rights.length !== verbs.length)
      throw new Error(`the chart does not grant ${resource} ${verbs.join(', ')} once`);
    const [right, ...more] = rights as [Right, ...Right[]];
    const namespace = right.role.kind === 'Role' ? this.namespace : '';
    const verb = verbs.at(-1);
    const until = (allowed: boolean) =>
      eventually(
        async () => {
          // Some verbs are granted for the objects that they are meant for, the state among them.
          const named = resource === 'configmaps' && verb === 'patch' ? { name: configMaps.state } : {};
          const resourceAttributes = { group: right.group, resource, verb, namespace, ...named };
          const spec = { user: this.user, resourceAttributes };
          return (await this.subject.client.create(reviews, undefined, { spec } as CustomObject)).status?.['allowed'];
        },
        (answer) => answer === allowed,
      );
    await this.#rights.revoke(right, ...more);
    await until(false);
    return async () => {
      await this.#rights.restore(right);
      await until(true);
    };
  }

  async #signIn(): Promise<string> {
    const body = { email: adminAddress };
    await this.call('requestOtp', { body });
    const otp = /\b\d{8}\b/.exec(this.inbox.last(adminAddress)?.text ?? '')?.[0] ?? '';
    return (await this.call('verifyOtp', { body: { ...body, otp } })).json().token;
  }
}
