// The whole controller on the cluster of the benchmark, in dry run, with the pods watched as they are during a wake.
import { findAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../../src/adapters/kubernetes/transport/https-transport.ts';
import { startController } from '../../src/controller/main.ts';
import { isScalable } from '../../src/domain/workload.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cryptographicRandom as random } from '../../src/platform/random.ts';
import { systemClock as clock } from '../../src/platform/system-clock.ts';
import { asShipped, noApi } from '../../test/support/as-shipped.ts';
import { workloadsOnly } from '../../test/support/controller-features.ts';
import { reportAtTheEnd } from './report.ts';

const access = await findAccess({ env: process.env, clock });
const { ports } = await startController({
  transport: new HttpsTransport({ access, clock }),
  clock,
  random,
  logger: createLogger({ process: 'controller', level: 'warn' }),
  namespace: access.namespace,
  ...asShipped,
  frames: noApi,
  features: workloadsOnly(),
});
const { view } = ports;
const watchPods = view.watchPods.bind(view);
// No wake runs, so a pass would end the watch at once.
Object.assign(view, { watchPods: async () => {} });
void watchPods(true);

reportAtTheEnd(() => {
  const workloads = view.workloads().filter(isScalable);
  const pods = workloads.reduce((sum, workload) => sum + view.pods(workload).length, 0);
  return { deployments: workloads.length, pods };
});
