import { silentLogger as logger } from '../../src/platform/silent-logger.ts';
// The client, two reflectors and their projections, and nothing else: what the cache alone costs.

import { Reflector } from '../../src/adapters/kubernetes/cache/reflector.ts';
import { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { TokenBucket } from '../../src/adapters/kubernetes/client/token-bucket.ts';
import { projections } from '../../src/adapters/kubernetes/projection/projections.ts';
import { findAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../../src/adapters/kubernetes/transport/https-transport.ts';
import { kindTable } from '../../src/domain/kinds/kind-table.ts';
import { cryptographicRandom as random } from '../../src/platform/random.ts';
import { systemClock as clock } from '../../src/platform/system-clock.ts';
import { reportAtTheEnd } from './report.ts';

const access = await findAccess({ env: process.env, clock });
const client = new KubeClient({
  transport: new HttpsTransport({ access, clock }),
  clock,
  random,
  limiter: new TokenBucket(clock, { qps: 150, burst: 200 }),
  userAgent: 'svc-bench',
  fieldManager: 'svc-bench',
  logger,
  requestTimeoutMs: 30_000,
});
const project = projections(() => kindTable([]));
const deployments = new Reflector({
  answered: undefined,
  client,
  clock,
  random,
  logger,
  type: resources.deployments,
  project: project.workload.of('Deployment'),
});
const pods = new Reflector({
  client,
  clock,
  random,
  logger,
  type: resources.pods,
  project: project.pod,
  answered: undefined,
});
let changes = 0;
for (const reflector of [deployments, pods]) {
  reflector.onChange((change) => {
    if (change.type === 'modified') changes++;
  });
  reflector.start();
}

reportAtTheEnd(() => ({ deployments: deployments.objects.size, pods: pods.objects.size, changes }));
