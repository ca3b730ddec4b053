import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every control plane of this user has a folder below this one, so that leftovers can be found. */
export function clustersFolder(): string {
  return join(tmpdir(), `svc-cluster-${process.getuid?.() ?? 'user'}`);
}

/** The files of one control plane. The folder is throw-away: nothing in it outlives `stop`. */
export interface ClusterFiles {
  readonly folder: string;
  /** Who owns the folder and which processes were started for it. */
  readonly processes: string;
  /** Written last, when the cluster can be used: how to reach it. */
  readonly connection: string;
  readonly controlSocket: string;
  readonly adminKubeconfig: string;
  readonly controllerManagerKubeconfig: string;
  readonly schedulerKubeconfig: string;
  readonly schedulerConfiguration: string;
  readonly tokens: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly certificates: string;
  readonly servingCertificate: string;
  readonly etcdData: string;
  readonly logs: string;
}

export function clusterFiles(folder: string): ClusterFiles {
  const certificates = join(folder, 'certificates');
  return {
    folder,
    processes: join(folder, 'processes.json'),
    connection: join(folder, 'cluster.json'),
    controlSocket: join(folder, 'control.sock'),
    adminKubeconfig: join(folder, 'kubeconfig'),
    controllerManagerKubeconfig: join(folder, 'controller-manager.kubeconfig'),
    schedulerKubeconfig: join(folder, 'scheduler.kubeconfig'),
    schedulerConfiguration: join(folder, 'scheduler.json'),
    tokens: join(folder, 'tokens.csv'),
    serviceAccountKey: join(folder, 'service-account.key'),
    serviceAccountPublicKey: join(folder, 'service-account.pub'),
    certificates,
    servingCertificate: join(certificates, 'apiserver.crt'),
    etcdData: join(folder, 'etcd'),
    logs: join(folder, 'logs'),
  };
}
