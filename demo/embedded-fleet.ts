import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { EmbeddedCluster } from '../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../embedded-cluster/http/http-server.ts';
import { seededRandom } from '../embedded-cluster/seeded-random.ts';
import { configTextKey } from '../src/config/config.ts';
import { configMaps } from '../src/domain/names.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Transport } from '../src/ports/transport.ts';
import { demoConfig } from './fleet/demo-config.ts';
import { demoObjects } from './fleet/demo-objects.ts';

export const releaseNamespace = 'svc';

export interface Fleet {
  transport(account: string): Transport;
  /** For kubectl, from a second terminal. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** The embedded cluster with the demo's workloads and the service's own configuration, in this process and over HTTP. */
export async function startFleet(
  clock: Clock,
  seed: number,
  overrides: Readonly<Record<string, unknown>>,
  configMapsAtFirst: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Promise<Fleet> {
  const cluster = new EmbeddedCluster({ clock, random: seededRandom(seed), nodeHeartbeatSeconds: 40 });
  cluster.apply(demoObjects(seed));
  cluster.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: configMaps.config, namespace: releaseNamespace },
      data: { [configTextKey]: stringify({ ...demoConfig(), ...overrides }) },
    },
    ...Object.entries(configMapsAtFirst).map(([name, data]) => {
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: releaseNamespace }, data };
    }),
  ]);
  cluster.start();
  const server = await serveHttp(cluster.api);
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });
  return {
    transport: (account) =>
      cluster.transport({ user: `system:serviceaccount:${releaseNamespace}:${account}`, groups: ['system:masters'] }),
    kubeconfig,
    async stop() {
      cluster.stop();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
