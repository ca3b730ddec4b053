// The client, two reflectors and their projections, and nothing else: what the cache alone costs.
import { findAccess } from '../../src/adapters/kubernetes/access.ts';
import { HttpsTransport } from '../../src/adapters/kubernetes/https-transport.ts';
import { KubeClient } from '../../src/adapters/kubernetes/kube-client.ts';
import { projections } from '../../src/adapters/kubernetes/projections.ts';
import { Reflector } from '../../src/adapters/kubernetes/reflector.ts';
import { resources } from '../../src/adapters/kubernetes/resource-type.ts';
import { TokenBucket } from '../../src/adapters/kubernetes/token-bucket.ts';
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
  requestTimeoutMs: 30_000,
});
const project = projections();
const deployments = new Reflector({ client, clock, random, type: resources.deployments, project: project.deployment });
const pods = new Reflector({ client, clock, random, type: resources.pods, project: project.pod });
let changes = 0;
for (const reflector of [deployments, pods]) {
  reflector.onChange((change) => {
    if (change.type === 'modified') changes++;
  });
  reflector.start();
}

reportAtTheEnd(() => ({ deployments: deployments.objects.size, pods: pods.objects.size, changes }));
