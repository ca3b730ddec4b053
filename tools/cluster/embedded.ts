import { mkdir, rm, writeFile } from 'node:fs/promises';
import { ADMIN } from '../../embedded-cluster/api/embedded-api.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../../embedded-cluster/http/http-server.ts';
import { cryptographicRandom } from '../../src/platform/random.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import type { ControlPlane } from './control-plane.ts';
import { clusterFiles } from './layout.ts';
import { recordProcesses } from './leftovers.ts';

/** Serves the embedded cluster on loopback from this process, with the same files and the same interface as a real one. */
export async function startEmbedded(folder: string, port: number): Promise<ControlPlane> {
  const files = clusterFiles(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(files.logs, { recursive: true, mode: 0o700 });
  await mkdir(files.certificates);
  await recordProcesses(folder, []);
  const cluster = new EmbeddedCluster({ clock: systemClock, random: cryptographicRandom, nodeHeartbeatSeconds: 10 });
  cluster.start();
  const server = await serveHttp(cluster.api, { port });
  await writeFile(files.adminKubeconfig, server.kubeconfig(), { mode: 0o600 });
  await writeFile(files.servingCertificate, server.certificate ?? '');
  const connection = {
    dir: folder,
    url: server.url,
    caFile: files.servingCertificate,
    kubeconfig: files.adminKubeconfig,
    adminToken: cluster.api.tokens.issue(ADMIN).token,
    logs: files.logs,
  };
  await writeFile(files.connection, JSON.stringify(connection), { mode: 0o600 });
  const noProcess = async () => {
    throw new Error('the embedded cluster is one process: stop it as a whole');
  };
  return {
    ...connection,
    processes: async () => [],
    kill: noProcess,
    start: noProcess,
    restartApiserver: noProcess,
    stop: async () => {
      await server.close();
      cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
