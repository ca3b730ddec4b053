import { afterAll, beforeAll, expect, it } from 'vitest';
import { realCluster, type RealCluster } from '../harness/real-cluster.ts';
import { controllerBundle, type ControllerBundle } from '../release/controller-bundle.ts';
import { Release } from '../release/release.ts';
import { auditOf, eventsOf, hours, levels, stateOf, untilAwake, untilHibernated } from '../scenarios/acts.ts';
import { createWorkloads } from '../scenarios/workload-manifests.ts';
let cluster: RealCluster; let bundle: ControllerBundle;
beforeAll(async () => { cluster = await realCluster(); bundle = await controllerBundle(); });
afterAll(async () => { await bundle?.remove(); await cluster?.close(); });
it('works', async () => {
  const t = performance.now(); const tick = (w: string) => console.log(w, Math.round(performance.now() - t));
  const release = await Release.install(cluster, { bundle: bundle.file, patienceMs: 30000 });
  tick('installed');
  try {
  await createWorkloads(release.client, release.namespace, [{ name: 'web', replicas: 3 }, { kind: 'StatefulSet', name: 'db', replicas: 2 }, { kind: 'CronJob', name: 'job' }, { kind: 'CronJob', name: 'own', suspended: true }]);
  await release.start(); tick('started');
  await release.until('up', async () => release.logs.some((l) => l.msg === 'Controller started')); tick('up');
  await release.configure(hours('off'));
  await untilHibernated(release); tick('hib');
  console.log(await levels(release), (await stateOf(release)).data, release.gate.writes.map((w) => w.method + ' ' + w.path.slice(0, 100)));
  await release.configure(hours('on'));
  await untilAwake(release); tick('awake');
  console.log(await levels(release), await auditOf(release), await eventsOf(release));
  } finally { console.log(release.logs.map((l) => JSON.stringify(l)).join('\n')); await release.close(); tick('closed'); }
});
