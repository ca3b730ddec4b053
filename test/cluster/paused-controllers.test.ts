import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { type PausePoint, pausedThroughHandback } from './crashes/pauses.ts';
import { thirtyWorkloads, tieredConfig } from './crashes/thirty-workloads.ts';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { Release } from './release/release.ts';
import { createWorkloads } from './scenarios/workload-manifests.ts';

// `PAUSES=50 npx vitest run --project cluster test/cluster/paused-controllers.test.ts` looks at 50 points, a minute after each.
const asked = Number(process.env['PAUSES'] ?? 0);
const pauses = asked || 6;
const laterMs = asked > 0 ? 60_000 : 8_000;
const releases = Math.min(pauses, asked > 0 ? 10 : 3);
/** What a hibernation lowers of the thirty. */
const lowered = 28;

let cluster: RealCluster;
let bundle: ControllerBundle;
const lanes: Release[] = [];

beforeAll(async () => {
  [cluster, bundle] = await Promise.all([realCluster(), controllerBundle()]);
  for (let lane = 0; lane < releases; lane++) {
    lanes.push(await Release.install(cluster, { bundle: bundle.file, timeoutMs: 240_000 }));
  }
  const { items } = await cluster.admin.client.list(resources.namespaces);
  const all = items.map(({ metadata }) => metadata?.name ?? '');
  await Promise.all(
    lanes.map(async (release) => {
      await createWorkloads(release.client, release.namespace, thirtyWorkloads);
      const others = all.filter((name) => name !== release.namespace).map((exact) => ({ exact }));
      const targeting = { namespaces: { exclude: others } };
      await release.configure({ ...tieredConfig(release.namespace), targeting });
    }),
  );
});
afterAll(async () => {
  for (const release of lanes) await release.close();
  await bundle?.remove();
  await cluster?.close();
});

/** All over the hibernation, in an order that looks like none, and the same in every run. */
const points = Array.from({ length: pauses }, (_, index): PausePoint => {
  const lowering = 1 + ((index * 11 + Math.floor(index / lowered) * 5) % lowered);
  return { lowering, write: index % 2 === 0 ? 'landed' : 'on-its-way' };
});

describe('a controller that was paused in a hibernation and goes on after a handback', () => {
  it(`leaves nothing at zero, wherever it was paused (${pauses} points)`, { timeout: 3_600_000 }, async () => {
    const left = points.entries();
    const found: unknown[] = [];
    await Promise.all(
      lanes.map(async (release) => {
        for (const [index, point] of left) {
          const misplaced = await pausedThroughHandback(release, point, laterMs);
          if (Object.keys(misplaced).length > 0) found.push({ index, ...point, misplaced });
        }
      }),
    );
    expect(found).toEqual([]);
  });
});
