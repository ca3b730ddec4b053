import { LedgerInsights } from '../../adapters/insights/ledger-insights.ts';
import type { KubeClient } from '../../adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../adapters/kubernetes/client/resource-type.ts';
import { createApi } from '../../api/api.ts';
import { MailQueue } from '../../api/mail/mail-queue.ts';
import { asAnswer } from '../../api/reports/features.ts';
import { createClient } from '../../contract/contract.ts';
import { parseAddress } from '../../domain/address/address.ts';
import { configMaps } from '../../domain/names.ts';
import { standardFigures } from '../../domain/wake/verdict/figures.ts';
import { silentLogger as logger } from '../../platform/silent-logger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { Transport } from '../../ports/transport.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { connectClient } from '../../service/connect-client.ts';
import { shippedAuthority } from '../../service/license-source.ts';
import { connectService } from '../../service/service.ts';
import { partSizes } from '../../state/parts/state-part.ts';
import { controllerPresence } from '../presence/controller-presence.ts';
import { CommandFailed, type Connection, exitCodes } from '../terminal/command.ts';
import { stateAccess } from './state-access.ts';

export interface ClusterConnectionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly namespace: string;
  readonly where: string;
  /** For what is worth knowing beside the answer of a command. */
  warn(text: string): void;
}

const fieldManager = 'svc-cli';
const requestTimeoutMs = 30_000;
const rate = { qps: 50, burst: 100 };

/**
 * For those who may reach the cluster itself: the API's own code, in this process, with the rights of the kubeconfig. So
 * every command works, refuses and records as it does over the network, and the cluster decides who may.
 */
export async function connectToCluster(options: ClusterConnectionOptions): Promise<Connection> {
  const { transport, clock, random, namespace } = options;
  const labelsOfConfig = await reach(options);
  const service = await connectService({
    transport,
    clock,
    watchClock: clock,
    random,
    logger,
    namespace,
    account: fieldManager,
    partSizes,
    collectsParts: true,
    requestTimeoutMs,
    authority: shippedAuthority,
    figures: standardFigures,
    refusedAtStart: 'goes on with what can be read',
    rate: () => rate,
    inForce() {},
    // It reads what there is when it begins, and ends soon.
    restored() {},
  });
  const refused = service.configRefusal();
  if (refused !== undefined) options.warn(`${refused}\n${goesOn}\n`);
  const user = await userAddress(service.client);
  const insights = new LedgerInsights(service.insights, service.config);
  const secret = () => Buffer.from(random.bytes(48)).toString('base64');
  const compiled = withAdmin(service.compiled, user);
  const api = createApi({
    ...service,
    compiled,
    config: () => compiled().config,
    mails: new MailQueue({ send: async () => Promise.reject(new Error('The command line sends no mail.')) }, logger),
    outbound: { resolve: nothingOutside, get: nothingOutside },
    features: {
      insights: async () => asAnswer(await insights.read()),
      costs: { off: 'The api keeps the costs: ask it with --server.' },
      testNotification: { off: 'The api sends test notifications: ask it with --server.' },
      externalWake: { off: 'Clusters ask the api, not the command line.' },
    },
    version: 'command line',
    secrets: { jwt: secret(), internalApi: secret() },
  });
  const filled = service.fill();
  await Promise.all([filled.inputs, filled.cluster]);
  const { app } = api.server;
  await app.ready();
  const parsed = parseAddress(user);
  const token = parsed.ok ? api.signIn.startSession(parsed.address).token : undefined;
  return {
    client: createClient({ baseUrl: '', fetch: injected(app), token: () => token }),
    where: options.where,
    state: stateAccess(service),
    controller: () => controllerPresence(service.view, namespace, labelsOfConfig),
    async close() {
      await app.close();
      service.stop();
    },
  };
}

const goesOn =
  'The service goes on with its last good configuration; this command takes what can be read of the new one, and defaults for the rest.';

const reachMs = 10_000;

interface Labelled {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

/** The watches below try for ever, as a process should; a command says after a while that nobody answers. Returns the labels of `svc-config`. */
async function reach(options: ClusterConnectionOptions): Promise<Readonly<Record<string, string>>> {
  const { transport, clock, random, namespace, where } = options;
  const { client } = connectClient({ transport, clock, random, logger, account: fieldManager, requestTimeoutMs }, rate);
  const aborter = new AbortController();
  const cancel = clock.after(reachMs, () => aborter.abort(new Error(`no answer within ${reachMs / 1000} seconds`)));
  try {
    const ref = { namespace, name: configMaps.config };
    const found = await client.get<Labelled>(resources.configMaps, ref, { signal: aborter.signal });
    return found.metadata?.labels ?? {};
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
function withAdmin(inForce: () => CompiledConfig, user: string): () => CompiledConfig {
  let last: { readonly of: CompiledConfig; readonly compiled: CompiledConfig } | undefined;
  return () => {
    const of = inForce();
    if (last?.of !== of) {
      const { auth } = of.config;
      const own = { ...auth, adminUsers: [...auth.adminUsers, user], allowedEmailDomains: [] };
      last = { of, compiled: { ...of, config: { ...of.config, auth: own } } };
    }
    return last.compiled;
  };
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
