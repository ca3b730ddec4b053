import { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../../../src/adapters/kubernetes/client/token-bucket.ts';
import type { ClusterAccess } from '../../../src/adapters/kubernetes/transport/credential.ts';
import { fixedCredential } from '../../../src/adapters/kubernetes/transport/credential.ts';
import { HttpsTransport } from '../../../src/adapters/kubernetes/transport/https-transport.ts';
import { cryptographicRandom } from '../../../src/platform/random.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import type { Transport } from '../../../src/ports/transport.ts';

/** One identity's way into the cluster. */
export interface Identity {
  readonly access: ClusterAccess;
  readonly transport: Transport;
  /** Without a rate limit of its own. */
  readonly client: KubeClient;
}

export function identity(access: ClusterAccess): Identity {
  const clock = systemClock;
  const transport = new HttpsTransport({ access, clock });
  const client = new KubeClient({
    transport,
    clock,
    random: cryptographicRandom,
    limiter: new TokenBucket(clock, { qps: Number.POSITIVE_INFINITY, burst: 1 }),
    userAgent: 'svc-tests',
    fieldManager: 'svc-tests',
    logger: silentLogger,
    requestTimeoutMs: 30_000,
  });
  return { access, transport, client };
}

export function withToken(access: ClusterAccess, token: string, namespace: string): ClusterAccess {
  return { ...access, credential: fixedCredential({ token }), namespace };
}
