import { freePorts } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { Neighbour } from './neighbour.ts';
import { define } from './objects.ts';

/** Argo Rollouts' controller for one namespace, looking at every Rollout anew each second. */
export async function startRollouts(cluster: RealCluster, namespace: string): Promise<Neighbour> {
  const { program, definitions } = await provision('rollouts-controller');
  await define(cluster, definitions);
  const [health = 0, metrics = 0] = await freePorts(2);
  return Neighbour.start({
    name: 'rollouts-controller',
    program,
    env: {},
    args: [
      `--kubeconfig=${cluster.kubeconfig}`,
      `--namespace=${namespace}`,
      '--namespaced',
      '--leader-elect=false',
      '--rollout-resync=1',
      `--healthzPort=${health}`,
      `--metricsPort=${metrics}`,
    ],
    ready: `http://127.0.0.1:${health}/healthz`,
    metrics: { url: `http://127.0.0.1:${metrics}/metrics`, counter: /^rollout_reconcile_count\{/ },
  });
}
