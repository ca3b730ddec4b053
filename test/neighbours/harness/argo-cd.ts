import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { Neighbour } from './neighbour.ts';
import { create, define } from './objects.ts';
import { startRedis } from './redis.ts';

/** Argo CD's application controller, which heals, and its repo server, which reads the repository; with the redis between them. */
export interface ArgoCd {
  readonly controller: Neighbour;
  readonly repository: Neighbour;
  stop(): Promise<void>;
}

const partOf = { 'app.kubernetes.io/part-of': 'argocd' };

/** For the Applications of this one namespace, at which it looks every two seconds. */
export async function startArgoCd(cluster: RealCluster, namespace: string): Promise<ArgoCd> {
  const { program, definitions } = await provision('argo-cd');
  await define(cluster, definitions);
  await configure(cluster, namespace);
  const folder = await mkdtemp(join(tmpdir(), 'svc-argo-cd-'));
  const [repositoryPort = 0, repositoryMetrics = 0, controllerMetrics = 0] = await freePorts(3);
  const redis = await startRedis();
  const env = {
    KUBECONFIG: cluster.kubeconfig,
    // The Application's own cluster is the one of the kubeconfig.
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_TLS_DATA_PATH: folder,
    ARGOCD_SSH_DATA_PATH: folder,
    ARGOCD_PLUGINSOCKFILEPATH: folder,
    ARGOCD_ASK_PASS_SOCK: join(folder, 'ask-pass.sock'),
    TMPDIR: folder,
  };
  const repository = await Neighbour.start({
    name: 'argocd-repo-server',
    program,
    env: { ...env, ARGOCD_BINARY_NAME: 'argocd-repo-server' },
    args: [
      '--address=127.0.0.1',
      `--port=${repositoryPort}`,
      '--metrics-address=127.0.0.1',
      `--metrics-port=${repositoryMetrics}`,
      `--redis=${redis.address}`,
      '--disable-tls',
      '--revision-cache-expiration=1s',
    ],
    ready: `http://127.0.0.1:${repositoryMetrics}/healthz?full=true`,
  });
  const controller = await Neighbour.start({
    name: 'argocd-application-controller',
    program,
    env: { ...env, ARGOCD_BINARY_NAME: 'argocd-application-controller' },
    args: [
      `--namespace=${namespace}`,
      `--repo-server=127.0.0.1:${repositoryPort}`,
      '--repo-server-plaintext',
      `--redis=${redis.address}`,
      `--metrics-port=${controllerMetrics}`,
      '--app-resync=2',
      '--app-resync-jitter=0',
      '--self-heal-backoff-cap-seconds=2',
    ],
    ready: `http://127.0.0.1:${controllerMetrics}/healthz`,
    metrics: { url: `http://127.0.0.1:${controllerMetrics}/metrics`, counter: /^argocd_app_reconcile_count/ },
  });
  return {
    controller,
    repository,
    stop: async () => {
      await Promise.all([controller.stop(), repository.stop(), redis.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What its installation brings: settings, a key for its sessions, and the project of every Application. */
async function configure(cluster: RealCluster, namespace: string): Promise<void> {
  const core = `api/v1/namespaces/${namespace}`;
  for (const name of ['argocd-cm', 'argocd-rbac-cm', 'argocd-cmd-params-cm']) {
    await create(cluster, `${core}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: partOf },
    });
  }
  await create(cluster, `${core}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret', namespace, labels: partOf },
    stringData: { 'server.secretkey': 'made-for-a-test' },
  });
  await create(cluster, `apis/argoproj.io/v1alpha1/namespaces/${namespace}/appprojects`, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ namespace: '*', server: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  });
}
