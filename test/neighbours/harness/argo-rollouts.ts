import { freePorts } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { Neighbour } from './neighbour.ts';
import { define } from './objects.ts';

/** The controller of Argo Rollouts, for the Rollouts of this one namespace, all of which it looks at every second. */
export async function startArgoRollouts(cluster: RealCluster, namespace: string): Promise<Neighbour> {
  const { program, definitions } = await provision('argo-rollouts');
  await define(cluster, definitions);
  const [health = 0, metrics = 0] = await freePorts(2);
  return Neighbour.start({
    name: 'argo-rollouts',
    program,
    env: { POD_NAMESPACE: namespace },
    args: [
      `--kubeconfig=${cluster.kubeconfig}`,
      '--namespaced',
      `--namespace=${namespace}`,
      '--leader-elect=false',
      '--rollout-resync=1',
      `--healthzPort=${health}`,
      `--metricsPort=${metrics}`,
    ],
    ready: `http://127.0.0.1:${health}/healthz`,
    metrics: { url: `http://127.0.0.1:${metrics}/metrics`, counter: /^rollout_reconcile_count\{/ },
  });
}
