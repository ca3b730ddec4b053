// Simulated nodes for a real control plane: node main.ts --kubeconfig PATH [--nodes 5] [--events all|warnings]
import { parseArgs } from 'node:util';
import { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../../../src/adapters/kubernetes/client/token-bucket.ts';
import { kubeconfigAccess } from '../../../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../../../src/adapters/kubernetes/transport/https-transport.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { cryptographicRandom } from '../../../src/platform/random.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { keepNodes } from './node-keeper.ts';
import { PodRunner } from './pod-runner.ts';
import { ensureDefaultStorageClass } from './storage-class.ts';

const { values } = parseArgs({
  options: { kubeconfig: { type: 'string' }, nodes: { type: 'string' }, events: { type: 'string' } },
});
const count = Number(values.nodes ?? '5');
const events = values.events ?? 'warnings';
if (!values.kubeconfig || !Number.isInteger(count) || count < 1 || (events !== 'all' && events !== 'warnings')) {
  process.stderr.write('usage: main.ts --kubeconfig PATH [--nodes 5] [--events all|warnings]\n');
  process.exit(2);
}

const clock = systemClock;
const random = cryptographicRandom;
const logger = createLogger({ process: 'nodes' });
const access = await kubeconfigAccess({ env: process.env, clock, kubeconfig: values.kubeconfig });
const client = new KubeClient({
  transport: new HttpsTransport({ access, clock }),
  clock,
  random,
  limiter: new TokenBucket(clock, { qps: Number.POSITIVE_INFINITY, burst: 1 }),
  userAgent: 'svc-simulated-nodes',
  fieldManager: 'kubelet',
  logger,
  requestTimeoutMs: 30_000,
});

const runner = new PodRunner({ client, clock, random, logger, events });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stop.abort();
    runner.stop();
  });
}
runner.start();
await ensureDefaultStorageClass(client);
await keepNodes({ client, clock, logger, count }, stop.signal);
