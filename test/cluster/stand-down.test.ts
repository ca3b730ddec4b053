import { afterAll, beforeAll, describe, it } from 'vitest';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { Release } from './release/release.ts';
import { endings, rows, rules, type Scenario } from './scenarios/stand-down.ts';

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
