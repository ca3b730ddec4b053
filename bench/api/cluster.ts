// Child process: an embedded cluster over HTTPS with so many workloads, and a folder that is a service account on it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../../embedded-cluster/http/http-server.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { configTextKey } from '../../src/config/config.ts';
import { configMaps } from '../../src/domain/names.ts';
import { systemClock } from '../../src/platform/system-clock.ts';

const [folder = '', workloads = '5000'] = process.argv.slice(2);
const namespace = 'svc';
const cluster = new EmbeddedCluster({ clock: systemClock, random: seededRandom(1) });

const manifest = (value: object) => value as Manifest;
const config = {
  clusterName: 'bench',
  externalUrl: 'https://svc.example.com',
  auth: { adminUsers: ['ada@example.com'] },
};
cluster.apply([
  manifest({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
  manifest({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configMaps.config, namespace },
    data: { [configTextKey]: JSON.stringify(config) },
  }),
]);
for (let index = 0; index < Number(workloads); index++) {
  const name = `app-${index}`;
  const labels = { app: name, team: `team-${index % 40}` };
  cluster.apply([
    manifest({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: `ns-${index % 100}`, labels },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
      },
    }),
  ]);
}
const server = await serveHttp(cluster.api);
const kubeconfig = JSON.parse(server.kubeconfig(undefined, namespace));
writeFileSync(join(folder, 'token'), kubeconfig.users[0].user.token);
writeFileSync(join(folder, 'ca.crt'), server.certificate ?? '');
writeFileSync(join(folder, 'namespace'), namespace);
process.send?.({ port: new URL(server.url).port });
process.on('disconnect', () => process.exit(0));
