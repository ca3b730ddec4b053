import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { kubeconfigAccess } from '../../../src/adapters/kubernetes/transport/access.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { type ControlPlane, startControlPlane } from '../../../tools/cluster/control-plane.ts';
import { attachControlPlane } from '../../../tools/cluster/control-socket.ts';
import { type Identity, identity } from './cluster-clients.ts';
import { startForeignNodes } from './foreign-nodes.ts';
import { type ServiceAccountIdentity, serviceAccountIdentity } from './service-account.ts';
import { sharedClusterOf, testNodes } from './shared-cluster.ts';

/** A real cluster for one test file. */
export interface RealCluster {
  readonly kubeconfig: string;
  readonly admin: Identity;
  /** Its processes, to kill and restart; throws on a cluster whose processes are not ours. */
  plane(): ControlPlane;
  /** Creates an empty namespace with a name of its own; `close` deletes it. */
  namespace(prefix?: string, labels?: Readonly<Record<string, string>>): Promise<string>;
  /** A token of an existing account. */
  serviceAccount(namespace: string, name: string, expirationSeconds?: number): Promise<ServiceAccountIdentity>;
  /** Deletes the namespaces, and stops what this file started. */
  close(): Promise<void>;
}

interface Source {
  readonly kubeconfig: string;
  readonly plane?: ControlPlane;
  release(): Promise<void>;
}

export interface RealClusterOptions {
  /** The test kills or restarts processes, so a cluster that TEST_KUBECONFIG names will not do. */
  readonly restartable?: boolean;
}

export async function realCluster(options: RealClusterOptions = {}): Promise<RealCluster> {
  const source = await findSource(process.env, options.restartable ?? false);
  const { kubeconfig } = source;
  const admin = identity(await kubeconfigAccess({ env: process.env, clock: systemClock, kubeconfig }));
  const namespaces: string[] = [];
  const folders: string[] = [];
  return {
    kubeconfig,
    admin,
    plane: () => {
      if (source.plane !== undefined) return source.plane;
      throw new Error(
        'the processes of the cluster that TEST_KUBECONFIG names are not ours: ask for a restartable cluster',
      );
    },
    namespace: async (prefix = 'test', labels = {}) => {
      const name = `${prefix}-${randomBytes(4).toString('hex')}`;
      await admin.client.create(resources.namespaces, undefined, { metadata: { name, labels } });
      namespaces.push(name);
      return name;
    },
    serviceAccount: async (namespace, name, expirationSeconds) => {
      const account = await serviceAccountIdentity(admin, namespace, name, expirationSeconds);
      folders.push(account.folder);
      return account;
    },
    close: async () => {
      for (const name of namespaces) await deleteNamespace(admin, name);
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
      await source.release();
    },
  };
}

async function findSource(env: Readonly<Record<string, string | undefined>>, restartable: boolean): Promise<Source> {
  const shared = sharedClusterOf(env);
  if (shared !== undefined) {
    const plane = await attachControlPlane(shared);
    return { kubeconfig: plane.kubeconfig, plane, release: async () => {} };
  }
  const kubeconfig = env['TEST_KUBECONFIG'];
  if (kubeconfig && !restartable) return { kubeconfig, release: await startForeignNodes(kubeconfig, testNodes) };
  const plane = await startControlPlane({ nodes: testNodes });
  return { kubeconfig: plane.kubeconfig, plane, release: () => plane.stop() };
}

/** Asks for the deletion and does not wait for it: nobody uses the name again. */
async function deleteNamespace(admin: Identity, name: string): Promise<void> {
  await admin.client.delete(resources.namespaces, { name }).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
}
