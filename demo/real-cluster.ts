import { parse, stringify } from 'yaml';
import { isNotFound } from '../src/adapters/kubernetes/client/errors.ts';
import { KubeClient } from '../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../src/adapters/kubernetes/client/resource-type.ts';
import { TokenBucket } from '../src/adapters/kubernetes/client/token-bucket.ts';
import { findAccess } from '../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../src/adapters/kubernetes/transport/https-transport.ts';
import { configTextKey } from '../src/config/config.ts';
import { configMaps } from '../src/domain/names.ts';
import { cryptographicRandom } from '../src/platform/random.ts';
import { silentLogger } from '../src/platform/silent-logger.ts';
import { systemClock } from '../src/platform/system-clock.ts';
import type { Transport, TransportRequest } from '../src/ports/transport.ts';

type Settings = Readonly<Record<string, unknown>>;

/**
 * A cluster of the user's own. The configuration is answered in front of the cluster and not written into it, so that
 * looking at a cluster leaves nothing behind; `configOf` makes it of that of the release, if there is one.
 */
export async function realCluster(
  kubeconfig: string,
  namespace: string,
  configOf: (installed: Settings | undefined) => Settings,
): Promise<Transport> {
  const clock = systemClock;
  const access = await findAccess({ env: process.env, clock, kubeconfig });
  const transport = new HttpsTransport({ access, clock });
  const limiter = new TokenBucket(clock, { qps: 20, burst: 20 });
  const client = new KubeClient({
    transport,
    clock,
    random: cryptographicRandom,
    limiter,
    userAgent: 'svc-demo',
    fieldManager: 'svc-demo',
    logger: silentLogger,
    requestTimeoutMs: 10_000,
  });
  const found = await client
    .get<{ readonly data?: Readonly<Record<string, string>> }>(resources.configMaps, {
      namespace,
      name: configMaps.config,
    })
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  const text = found?.data?.[configTextKey];
  const installed = text === undefined ? undefined : (parse(text) as Settings);
  return withConfig(transport, namespace, stringify(configOf(installed)));
}

/** Answers what is asked about `svc-config` itself, and passes everything else on. */
function withConfig(transport: Transport, namespace: string, configText: string): Transport {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configMaps.config, namespace, uid: 'svc-demo', resourceVersion: '1' },
    data: { [configTextKey]: configText },
  };
  const about = encodeURIComponent(`metadata.name=${configMaps.config}`);
  return {
    async send(request: TransportRequest) {
      if (!request.path.includes(`fieldSelector=${about}`)) return transport.send(request);
      const bookmark = {
        type: 'BOOKMARK',
        object: {
          ...configMap,
          data: {},
          metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } },
        },
      };
      const initial = request.path.includes('sendInitialEvents=true')
        ? `${JSON.stringify({ type: 'ADDED', object: configMap })}\n${JSON.stringify(bookmark)}\n`
        : '';
      const list = JSON.stringify({
        kind: 'ConfigMapList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '1' },
        items: [configMap],
      });
      const body = request.path.includes('watch=true') ? openEnded(initial, request.signal) : once(list);
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** A watch on which nothing more happens, until it is given up. */
async function* openEnded(text: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  if (text !== '') yield text;
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
