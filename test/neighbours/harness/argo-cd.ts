import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { Neighbour } from './neighbour.ts';
import { create, define } from './objects.ts';

/** Argo CD's application controller, with the repo-server and the redis that it needs. */
export interface ArgoCd {
  readonly controller: Neighbour;
  readonly repositories: Neighbour;
  stop(): Promise<void>;
}

const partOf = { labels: { 'app.kubernetes.io/part-of': 'argocd' } };

/** Its own namespace has its settings, projects and Applications; every Application is looked at anew each second. */
export async function startArgoCd(cluster: RealCluster, namespace: string): Promise<ArgoCd> {
  const [{ program, definitions }, redisServer] = await Promise.all([provision('argocd'), provision('redis')]);
  await define(cluster, definitions);
  const core = (plural: string) => `api/v1/namespaces/${namespace}/${plural}`;
  for (const name of [
    'argocd-cm',
    'argocd-rbac-cm',
    'argocd-gpg-keys-cm',
    'argocd-ssh-known-hosts-cm',
    'argocd-tls-certs-cm',
  ]) {
    await create(cluster, core('configmaps'), { metadata: { name, ...partOf } });
  }
  const stringData = { 'server.secretkey': 'secret-key-for-tests' };
  await create(cluster, core('secrets'), { metadata: { name: 'argocd-secret', ...partOf }, stringData });
  const everywhere = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
  await create(cluster, `apis/argoproj.io/v1alpha1/namespaces/${namespace}/appprojects`, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default' },
    spec: { ...everywhere, clusterResourceWhitelist: [{ group: '*', kind: '*' }] },
  });

  const folder = await mkdtemp(join(tmpdir(), 'svc-argocd-'));
  const [redisPort = 0, repoPort = 0, repoMetrics = 0, metrics = 0] = await freePorts(4);
  const redis = await Neighbour.start({
    name: 'redis',
    program: redisServer,
    env: {},
    args: ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    ready: { port: redisPort },
  });
  const env = { KUBECONFIG: cluster.kubeconfig, ARGOCD_GPG_ENABLED: 'false', TMPDIR: folder, HOME: folder };
  const repositories = await Neighbour.start({
    name: 'argocd-repo-server',
    program,
    env: { ...env, ARGOCD_BINARY_NAME: 'argocd-repo-server' },
    args: [
      `--namespace=${namespace}`,
      '--address=127.0.0.1',
      `--port=${repoPort}`,
      '--metrics-address=127.0.0.1',
      `--metrics-port=${repoMetrics}`,
      `--redis=127.0.0.1:${redisPort}`,
      '--disable-tls',
      // What a branch points to is asked anew each time, and not kept for minutes.
      '--revision-cache-expiration=1s',
    ],
    ready: `http://127.0.0.1:${repoMetrics}/metrics`,
  });
  const controller = await Neighbour.start({
    name: 'argocd-application-controller',
    program,
    env: { ...env, ARGOCD_BINARY_NAME: 'argocd-application-controller' },
    args: [
      `--namespace=${namespace}`,
      `--repo-server=127.0.0.1:${repoPort}`,
      '--repo-server-plaintext',
      `--redis=127.0.0.1:${redisPort}`,
      `--metrics-port=${metrics}`,
      '--app-resync=1',
      '--app-resync-jitter=0',
      '--self-heal-timeout-seconds=1',
    ],
    ready: `http://127.0.0.1:${metrics}/healthz`,
    metrics: { url: `http://127.0.0.1:${metrics}/metrics`, counter: /^argocd_app_reconcile_count\{/ },
  });
  return {
    controller,
    repositories,
    stop: async () => {
      await Promise.all([controller, repositories, redis].map((one) => one.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
