import { afterAll, beforeAll, describe, it } from 'vitest';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { Release } from './release/release.ts';
import { endings } from './scenarios/stand-down-endings.ts';
import { rows } from './scenarios/stand-down-rows.ts';
import { rules } from './scenarios/stand-down-rules.ts';
import type { Scenario } from './scenarios/stand-down-steps.ts';

let cluster: RealCluster;
let bundle: ControllerBundle;
beforeAll(async () => {
  [cluster, bundle] = await Promise.all([realCluster(), controllerBundle()]);
});
afterAll(async () => {
  await bundle?.remove();
  await cluster?.close();
});

async function onARealCluster({ play }: Scenario): Promise<void> {
  const release = await Release.install(cluster, { bundle: bundle.file });
  try {
    await play(release);
  } finally {
    await release.close();
  }
}

describe('the transitions of a stand-down', () => {
  it.each(rows)('$name', onARealCluster);
});

describe('a handback', () => {
  it.each(rules)('$name', onARealCluster);
});

describe('when the last cause ends', () => {
  it.each(endings)('$name', onARealCluster);
});
