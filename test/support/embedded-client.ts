import { EmbeddedApi } from '../../embedded-cluster/api/embedded-api.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { MemoryStore } from '../../embedded-cluster/store/memory-store.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { TokenBucket } from '../../src/adapters/kubernetes/client/token-bucket.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';

/** The real client on an apiserver in this process, without controllers: what is written stays as it was written. */
export async function embeddedClient(namespace = 'svc') {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 12));
  const random = seededRandom(1);
  const store = new MemoryStore(clock, random);
  const api = new EmbeddedApi({ store, clock, random });
  const client = new KubeClient({
    transport: api.transport(),
    clock,
    random,
    limiter: new TokenBucket(clock, { qps: Number.POSITIVE_INFINITY, burst: 1 }),
    userAgent: 'test',
    fieldManager: 'svc-controller',
    logger: silentLogger,
    requestTimeoutMs: 1_000,
  });
  await client.create(resources.namespaces, undefined, { metadata: { name: namespace } });
  return { clock, random, store, api, client };
}
