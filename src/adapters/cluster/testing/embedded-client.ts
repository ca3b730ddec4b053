import { EmbeddedApi } from '../../../embedded/api/embedded-api.ts';
import { MemoryStore } from '../../../embedded/store/memory-store.ts';
import { seededRandom } from '../../../platform/random.ts';
import { VirtualClock } from '../../../platform/virtual-clock.ts';
import { KubeClient } from '../../kubernetes/kube-client.ts';
import { resources } from '../../kubernetes/resource-type.ts';
import { TokenBucket } from '../../kubernetes/token-bucket.ts';

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
    requestTimeoutMs: 1_000,
  });
  await client.create(resources.namespaces, undefined, { metadata: { name: namespace } });
  return { clock, random, store, api, client };
}
