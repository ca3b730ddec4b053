import { delimiter } from 'node:path';
import { type ControlPlane, startControlPlane } from '../../../tools/cluster/control-plane.ts';
import { serveControl } from '../../../tools/cluster/control-socket.ts';

/** Names the folders of control planes that another process owns; set for every test process of a run. */
const sharedClustersVariable = 'SVC_TEST_CLUSTERS';
export const testNodes = 5;
/** Two test files run at a time, each on a cluster of its own: a controller under test must not meet another's workloads. */
export const clustersOfARun = 2;

type Environment = Readonly<Record<string, string | undefined>>;

export interface SharedClusters {
  /** For the processes that run the tests. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the control planes of a run, unless there are some already or the user named a cluster. */
export async function openSharedClusters(given: Environment = process.env): Promise<SharedClusters> {
  if (given[sharedClustersVariable] || given['TEST_KUBECONFIG']) return { env: {}, stop: async () => {} };
  const planes: ControlPlane[] = [];
  for (let i = 0; i < clustersOfARun; i++) planes.push(await startControlPlane({ nodes: testNodes }));
  const servers = await Promise.all(planes.map((plane) => serveControl(plane)));
  return {
    env: { [sharedClustersVariable]: planes.map(({ dir }) => dir).join(delimiter) },
    stop: async () => {
      for (const server of servers) server.close();
      await Promise.all(planes.map((plane) => plane.stop()));
    },
  };
}

/** The folder of the control plane that belongs to this process; undefined when none is shared. */
export function sharedClusterOf(env: Environment): string | undefined {
  const folders = env[sharedClustersVariable]?.split(delimiter) ?? [];
  // No two files that run at the same time have the same number.
  const place = Number(env['VITEST_POOL_ID'] ?? 1) - 1;
  return folders[place % folders.length];
}
