import { ClusterAdmissionFacts } from '../adapters/cluster/admission-facts.ts';
import { AuditConfigMaps } from '../adapters/cluster/audit-config-maps.ts';
import { KubernetesClusterView } from '../adapters/cluster/cluster-view.ts';
import { ConfigMapStateStore } from '../adapters/cluster/config-map-state-store.ts';
import { ConfigMapWatch } from '../adapters/cluster/config-map-watch.ts';
import { KubeClient } from '../adapters/kubernetes/client/kube-client.ts';
import { resources } from '../adapters/kubernetes/client/resource-type.ts';
import { TokenBucket } from '../adapters/kubernetes/client/token-bucket.ts';
import { projections } from '../adapters/kubernetes/projection/projections.ts';
import { createApi } from '../api/api.ts';
import { noFeatures } from '../api/features.ts';
import type { Config } from '../config/config.ts';
import { createClient } from '../contract/contract.ts';
import { parseAddress } from '../domain/address/address.ts';
import { communityLicense, communityPublicKey } from '../domain/license/community.ts';
import { configMaps } from '../domain/names.ts';
import { ConfigSource } from '../platform/config-source.ts';
import { verifyLicenseSignature } from '../platform/license-keys.ts';
import { silentLogger as logger } from '../platform/silent-logger.ts';
import type { Clock } from '../ports/clock.ts';
import { sleep } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { Transport } from '../ports/transport.ts';
import { CommandFailed, type Connection, exitCodes } from './command.ts';
import { stateAccess } from './state-access.ts';

export interface ClusterConnectionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly namespace: string;
  readonly where: string;
}

const fieldManager = 'svc-cli';

/**
 * For those who may reach the cluster itself: the API's own code, in this process, with the rights of the kubeconfig. So
 * every command works, refuses and records as it does over the network, and the cluster decides who may.
 */
export async function connectToCluster(options: ClusterConnectionOptions): Promise<Connection> {
  const { transport, clock, random, namespace } = options;
  const limiter = new TokenBucket(clock, { qps: 50, burst: 100 });
  const requestTimeoutMs = 30_000;
  const client = new KubeClient({
    transport,
    clock,
    random,
    limiter,
    userAgent: fieldManager,
    fieldManager,
    requestTimeoutMs,
  });
  await reach(client, options);
  const user = await userAddress(client);
  const watch = (name: string) => new ConfigMapWatch({ client, namespace, name, clock, random, logger });
  const configWatch = await watch(configMaps.config).start();
  const source = new ConfigSource(configWatch.current()?.data, logger);
  const licenseWatch = await watch(configMaps.license).start();
  const state = new ConfigMapStateStore(client, { namespace, name: configMaps.state });
  const view = new KubernetesClusterView({ client, projections: projections(), clock, random, logger });
  const audit = new AuditConfigMaps(client, namespace);
  const config = withAdmin(source.current(), user);
  const secret = () => Buffer.from(random.bytes(48)).toString('base64');
  const api = createApi({
    clock,
    random,
    logger,
    view,
    state,
    audit: { texts: async () => (await audit.files()).map(({ text }) => text) },
    passkeys: new ConfigMapStateStore(client, { namespace, name: configMaps.passkeys }),
    mailer: { send: async () => {} },
    admission: new ClusterAdmissionFacts(client, logger),
    outbound: { resolve: nothingOutside, get: nothingOutside },
    features: noFeatures,
    ownNamespace: namespace,
    version: 'command line',
    config: () => config,
    configRefusal: () => undefined,
    license: {
      source: () => {
        const text = licenseWatch.current()?.data['license'];
        return text === undefined ? { found: 'nothing' } : { found: 'text', text };
      },
      authority: { publicKeys: [communityPublicKey], builtIn: communityLicense, verify: verifyLicenseSignature },
    },
    holidays: () => [],
    branding: () => ({}),
    secrets: { jwt: secret(), internalApi: secret() },
  });
  await view.start();
  while (!view.synced()) await sleep(clock, 20);
  const { app } = api.server;
  await app.ready();
  const parsed = parseAddress(user);
  const token = parsed.ok ? api.signIn.startSession(parsed.address).token : undefined;
  return {
    client: createClient({ baseUrl: '', fetch: injected(app), token: () => token }),
    where: options.where,
    state: stateAccess({ state, view, clock }),
    async close() {
      await app.close();
      view.stop();
      for (const one of [configWatch, licenseWatch]) one.stop();
    },
  };
}

const reachMs = 10_000;

/** The watches below try for ever, as a process should; a command says after a while that nobody answers. */
async function reach(client: KubeClient, { clock, namespace, where }: ClusterConnectionOptions): Promise<void> {
  const aborter = new AbortController();
  const cancel = clock.after(reachMs, () => aborter.abort(new Error(`no answer within ${reachMs / 1000} seconds`)));
  try {
    await client.get(resources.configMaps, { namespace, name: configMaps.config }, { signal: aborter.signal });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailed(
      exitCodes.error,
      `The configuration of the service, ConfigMap ${configMaps.config} in namespace ${namespace} of ${where}, cannot be read: ${reason}`,
    );
  } finally {
    cancel();
  }
}

/** The cluster's word for who asks, made into an address, since the audit log names people by theirs. */
async function userAddress(client: KubeClient): Promise<string> {
  const type = {
    group: 'authentication.k8s.io',
    version: 'v1',
    plural: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
    namespaced: false,
  } as const;
  let name = 'kubeconfig';
  try {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const review = (await client.create<object>(type, undefined, body)) as {
      status?: { userInfo?: { username?: string } };
    };
    name = review.status?.userInfo?.username ?? name;
  } catch {
    // A cluster that does not answer this still says who may do what.
  }
  if (parseAddress(name).ok) return name;
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${plain.slice(0, 60) || 'kubeconfig'}@kubeconfig.local`;
}

/** The kubeconfig is the sign-in here: whoever could write the state anyhow is an admin. */
function withAdmin(config: Config, user: string): Config {
  const auth = { ...config.auth, adminUsers: [...config.auth.adminUsers, user], allowedEmailDomains: [] };
  return { ...config, auth };
}

async function nothingOutside(): Promise<never> {
  throw new Error('The command line asks nobody outside the cluster.');
}

function injected(app: ReturnType<typeof createApi>['server']['app']): typeof fetch {
  return (async (url: string, init: RequestInit = {}) => {
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url,
      headers: init.headers as Record<string, string>,
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) headers.set(name, String(value));
    return new Response(answer.statusCode === 204 ? null : answer.payload, { status: answer.statusCode, headers });
  }) as typeof fetch;
}
