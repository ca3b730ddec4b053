import { startControlPlane } from '../../../tools/cluster/control-plane.ts';
import { serveControl } from '../../../tools/cluster/control-socket.ts';

/** Names the folder of a control plane that another process owns; set for every test process of a run. */
export const sharedClusterVariable = 'SVC_TEST_CLUSTER';
export const testNodes = 5;

export interface SharedCluster {
  /** For the processes that run the tests. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the one control plane of a run, unless there is one already or the user named a cluster. */
export async function openSharedCluster(
  given: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SharedCluster> {
  if (given[sharedClusterVariable] || given['TEST_KUBECONFIG']) return { env: {}, stop: async () => {} };
  const plane = await startControlPlane({ nodes: testNodes });
  const server = await serveControl(plane);
  return {
    env: { [sharedClusterVariable]: plane.dir },
    stop: async () => {
      server.close();
      await plane.stop();
    },
  };
}
