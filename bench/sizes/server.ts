// An embedded cluster over HTTPS with so many Deployments, each with names of 63 characters, that counts what is asked of it.

import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../../embedded-cluster/http/http-server.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { configTextKey } from '../../src/config/config.ts';
import { annotations, configMaps } from '../../src/domain/names.ts';
import { systemClock as clock } from '../../src/platform/system-clock.ts';

const workloads = Number(process.argv[2]);
const replicas = 1;
const release = 'svc';
const namespaces = Math.max(1, Math.ceil(workloads / 500));
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Names as long as names may be. */
const longName = (prefix: string, index: number) => `${prefix}-${index}-`.padEnd(63, 'x');

const cluster = new EmbeddedCluster({
  clock,
  random: seededRandom(1),
  events: 'none',
  historyLimit: 20_000,
  nodes: [
    {
      name: 'large',
      min: 4,
      max: 4,
      cpu: '1000000',
      memory: '1000000Gi',
      pods: 1_000_000,
      addAfterSeconds: 60,
      removeAfterSeconds: 600,
    },
  ],
});
const counts = { requests: 0, stateWrites: 0, stateBytes: 0, patches: 0 };
let goal: 'hibernated' | 'awake' | undefined;

cluster.api.faults.onRequest(({ user }) => {
  if (user.includes('bench')) counts.requests++;
});
cluster.api.faults.onWrite(({ resource, name, after, body, user }) => {
  if (!user.includes('bench')) return;
  if (resource === 'deployments.apps') counts.patches++;
  if (resource !== 'configmaps' || !name.startsWith(configMaps.state)) return;
  counts.stateWrites++;
  counts.stateBytes += body.length;
  const data = (after['data'] ?? {}) as Record<string, string>;
  if (name === configMaps.state) noteState(data);
});

/** The controller writes where it stands into the state. */
function noteState(data: Readonly<Record<string, string>>): void {
  const { phase } = JSON.parse(data['phase'] ?? '{}') as { phase?: string };
  const running = data['transition'] !== undefined || (data['continued'] ?? '').includes('"transition"');
  if (running || phase !== goal) return;
  // A state that begins says where the cluster is heading before anything is done.
  const { up, down } = levels();
  if ((goal === 'awake' ? up : down) !== workloads) return;
  goal = undefined;
  const parts = cluster.store.list('configmaps').filter(({ metadata }) => /^svc-state-\d+$/.test(metadata.name));
  process.send?.({ reached: { ...counts, parts: parts.length, ...levels() } });
}

function levels() {
  const all = cluster.store.list('deployments.apps');
  const at = (count: number) => all.filter(({ spec }) => (spec as { replicas: number }).replicas === count).length;
  const marked = all.filter(({ metadata }) => metadata.annotations?.[annotations.hibernatedReplicas] !== undefined);
  return { up: at(replicas), down: at(0), marked: marked.length };
}

function order(direction: 'hibernate' | 'wake'): void {
  const schedule = Object.fromEntries(days.map((day) => [day, direction === 'wake' ? 'on' : 'off']));
  const config = {
    clusterName: 'bench',
    externalUrl: 'https://svc.example.com',
    workingHours: { schedule },
    // The question is what a size costs, not how long the default limits stretch it.
    controller: { kubernetesQPS: 10_000, kubernetesBurst: 20_000 },
  };
  const metadata = { name: configMaps.config, namespace: release };
  cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [configTextKey]: JSON.stringify(config) } }]);
}

/** What asks for a pass and for nothing else. */
function touchOne(): void {
  const one = cluster.store.list('deployments.apps')[0]!;
  const touched = { ...one.metadata.annotations, 'example.com/touched': String(clock.now()) };
  cluster.store.update('deployments.apps', { ...one, metadata: { ...one.metadata, annotations: touched } });
}

cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: release } }]);
order('wake');
cluster.start();
for (let index = 0; index < workloads; index++) {
  const labels = { app: `a${index}` };
  cluster.apply([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: longName('workload', index), namespace: longName('team', index % namespaces) },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
        },
      },
    },
  ]);
  // The controllers of the cluster keep up, instead of finding everything at once.
  if (index % 200 === 199) await new Promise((resolve) => setTimeout(resolve, 0));
}
const server = await serveHttp(cluster.api);
const token = cluster.api.tokens.issue({ user: 'bench', groups: ['system:masters'] }).token;
process.on('message', (message: 'hibernate' | 'wake' | 'rest') => {
  Object.assign(counts, { requests: 0, stateWrites: 0, stateBytes: 0, patches: 0 });
  if (message === 'rest') {
    touchOne();
    setTimeout(() => process.send?.({ rested: { ...counts } }), 5_000);
    return;
  }
  goal = message === 'wake' ? 'awake' : 'hibernated';
  order(message);
});

/** All pods run. */
const ready = setInterval(() => {
  const up = cluster.store
    .list('deployments.apps')
    .filter(({ status }) => (status as { readyReplicas?: number } | undefined)?.readyReplicas === replicas).length;
  if (up < workloads) return;
  clearInterval(ready);
  process.send?.({ ready: { port: Number(new URL(server.url).port), ca: server.certificate, token } });
}, 500);
