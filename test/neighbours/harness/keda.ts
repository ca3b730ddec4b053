import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { Neighbour } from './neighbour.ts';
import { define } from './objects.ts';

export interface Keda {
  readonly operator: Neighbour;
  stop(): Promise<void>;
}

/**
 * KEDA's operator for this one namespace. Its metrics server and its webhooks are left out: from zero, to zero and to the least count
 * the operator scales by itself.
 */
export async function startKeda(cluster: RealCluster, namespace: string): Promise<Keda> {
  const { program, definitions } = await provision('keda');
  await define(cluster, definitions);
  const certificates = await mkdtemp(join(tmpdir(), 'svc-keda-certificates-'));
  const { cert, key } = selfSigned(['127.0.0.1']);
  // For the metrics server, without which nobody asks; the operator does not start without.
  for (const [name, text] of [
    ['ca.crt', cert],
    ['tls.crt', cert],
    ['tls.key', key],
  ] as const)
    await writeFile(join(certificates, name), text);
  const [health = 0, metrics = 0, service = 0] = await freePorts(3);
  const operator = await Neighbour.start({
    name: 'keda',
    program,
    env: {
      KUBECONFIG: cluster.kubeconfig,
      WATCH_NAMESPACE: namespace,
      POD_NAMESPACE: namespace,
      KEDA_CLUSTER_OBJECT_NAMESPACE: namespace,
    },
    args: [
      `--health-probe-bind-address=127.0.0.1:${health}`,
      `--metrics-bind-address=127.0.0.1:${metrics}`,
      `--metrics-service-bind-address=127.0.0.1:${service}`,
      `--cert-dir=${certificates}`,
      '--enable-cert-rotation=false',
      '--leader-elect=false',
    ],
    ready: `http://127.0.0.1:${health}/readyz`,
    metrics: {
      url: `http://127.0.0.1:${metrics}/metrics`,
      counter: /^controller_runtime_reconcile_total\{controller="scaled(object|job)"/,
    },
  });
  return {
    operator,
    stop: async () => {
      await operator.stop();
      await rm(certificates, { recursive: true, force: true });
    },
  };
}
