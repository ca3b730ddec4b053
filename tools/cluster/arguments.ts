import type { ClusterFiles } from './layout.ts';

export interface Ports {
  readonly etcdClient: number;
  readonly etcdPeer: number;
  readonly apiserver: number;
}

const loopback = '127.0.0.1';

export function apiserverUrl(ports: Ports): string {
  return `https://${loopback}:${ports.apiserver}`;
}

export function etcdArguments(files: ClusterFiles, ports: Ports): string[] {
  const client = `http://${loopback}:${ports.etcdClient}`;
  const peer = `http://${loopback}:${ports.etcdPeer}`;
  return [
    '--name=etcd',
    `--data-dir=${files.etcdData}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=etcd=${peer}`,
    // The data is thrown away with the folder; waiting for the disk would only slow the tests.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

export function apiserverArguments(files: ClusterFiles, ports: Ports, controllers: boolean): string[] {
  return [
    `--etcd-servers=http://${loopback}:${ports.etcdClient}`,
    `--bind-address=${loopback}`,
    `--advertise-address=${loopback}`,
    `--secure-port=${ports.apiserver}`,
    // It signs its own serving certificate here, for 127.0.0.1 and localhost, and keeps it over a restart.
    `--cert-dir=${files.certificates}`,
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    // There is no second apiserver and nothing listens on a loopback endpoint address inside the cluster.
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
    '--event-ttl=1h',
    '--profiling=false',
    // Nobody creates the accounts that this plugin asks for when no controllers run.
    ...(controllers ? [] : ['--disable-admission-plugins=ServiceAccount']),
  ];
}

export function controllerManagerArguments(files: ClusterFiles): string[] {
  return [
    `--kubeconfig=${files.controllerManagerKubeconfig}`,
    // Under RBAC each controller acts as its own account; without this none of them may do anything.
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.servingCertificate}`,
    '--leader-elect=false',
    '--secure-port=0',
    // At the default of 20 a second the controllers, not our code, would set the pace of a large wake.
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
    '--concurrent-deployment-syncs=10',
    '--concurrent-replicaset-syncs=10',
    '--concurrent-statefulset-syncs=10',
    // A busy machine may renew the simulated nodes' leases late; evictions would spoil a test that is not about them.
    '--node-monitor-grace-period=5m',
    '--terminated-pod-gc-threshold=200',
    // Claims are bound to folders on this machine, so that StatefulSets with volumes start.
    '--enable-hostpath-provisioner=true',
    '--profiling=false',
  ];
}

export function schedulerArguments(files: ClusterFiles): string[] {
  return [`--config=${files.schedulerConfiguration}`, '--secure-port=0'];
}

export function schedulerConfiguration(files: ClusterFiles): string {
  return JSON.stringify({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    clientConnection: { kubeconfig: files.schedulerKubeconfig, qps: 1000, burst: 2000 },
    leaderElection: { leaderElect: false },
    // A pod that could not be placed is tried again soon after room appears.
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 2,
  });
}
