import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopbackCertificate } from '../../../embedded-cluster/http/http-certificate.ts';
import { freePorts } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { Neighbour } from './neighbour.ts';
import { define } from './objects.ts';

/** KEDA's operator for one namespace. Its metrics adapter is left out: triggers of these tests ask for no metric. */
export async function startKeda(
  cluster: RealCluster,
  namespace: string,
): Promise<{ readonly operator: Neighbour; stop(): Promise<void> }> {
  const { program, definitions } = await provision('keda-operator');
  await define(cluster, definitions);
  const certificates = await mkdtemp(join(tmpdir(), 'svc-keda-certificates-'));
  const { key, cert } = loopbackCertificate();
  for (const [name, text] of Object.entries({ 'tls.key': key, 'tls.crt': cert, 'ca.crt': cert })) {
    await writeFile(join(certificates, name), text);
  }
  const [health = 0, metrics = 0, service = 0] = await freePorts(3);
  const operator = await Neighbour.start({
    name: 'keda-operator',
    program,
    env: { KUBECONFIG: cluster.kubeconfig, WATCH_NAMESPACE: namespace, POD_NAMESPACE: namespace },
    args: [
      `--health-probe-bind-address=127.0.0.1:${health}`,
      `--metrics-bind-address=127.0.0.1:${metrics}`,
      `--metrics-service-bind-address=127.0.0.1:${service}`,
      `--cert-dir=${certificates}`,
      '--enable-webhook-patching=false',
      '--enable-apiservice-patching=false',
    ],
    ready: `http://127.0.0.1:${health}/readyz`,
    metrics: {
      url: `http://127.0.0.1:${metrics}/metrics`,
      counter: /^controller_runtime_reconcile_total\{controller="scaledobject"/,
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
