import { openSharedCluster } from './shared-cluster.ts';

/** For vitest's `globalSetup`: one control plane for all test files of a run. */
export default async function setup(): Promise<() => Promise<void>> {
  const shared = await openSharedCluster();
  // Test workers inherit it, and so do the set-ups of the other projects in the same run.
  Object.assign(process.env, shared.env);
  return async () => {
    for (const name of Object.keys(shared.env)) delete process.env[name];
    await shared.stop();
  };
}
