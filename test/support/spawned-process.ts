import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../../embedded-cluster/http/http-server.ts';
import { configTextKey } from '../../src/config/config.ts';
import { configMaps } from '../../src/domain/names.ts';
import { cryptographicRandom } from '../../src/platform/random.ts';
import { systemClock } from '../../src/platform/system-clock.ts';

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

export interface SpawnedProcess {
  /** Everything that it wrote, to either stream. */
  readonly output: () => string;
  readonly exited: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<number | null>;
  /** Waits until its output matches. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** An embedded cluster over HTTPS, and our real processes started against it as the chart would start them. */
export class SpawnWorld {
  readonly cluster: EmbeddedCluster;
  readonly folder: string;
  readonly #server: Awaited<ReturnType<typeof serveHttp>>;

  private constructor(cluster: EmbeddedCluster, server: Awaited<ReturnType<typeof serveHttp>>) {
    this.cluster = cluster;
    this.#server = server;
    this.folder = mkdtempSync(join(tmpdir(), 'svc-spawned-'));
    writeFileSync(join(this.folder, 'kubeconfig'), server.kubeconfig(), { mode: 0o600 });
  }

  static async start(): Promise<SpawnWorld> {
    const cluster = new EmbeddedCluster({ clock: systemClock, random: cryptographicRandom });
    cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'svc' } }]);
    cluster.start();
    return new SpawnWorld(cluster, await serveHttp(cluster.api));
  }

  configure(config: object): void {
    const data = {
      [configTextKey]: stringify({ clusterName: 'test', externalUrl: 'https://svc.example.com', ...config }),
    };
    const metadata = { name: configMaps.config, namespace: 'svc' };
    this.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]);
  }

  spawn(main: string, env: Readonly<Record<string, string>>, nodeArguments: readonly string[] = []): SpawnedProcess {
    const child = spawn(process.execPath, [...nodeArguments, source(main)], {
      env: {
        PATH: process.env['PATH'] ?? '',
        KUBECONFIG: join(this.folder, 'kubeconfig'),
        POD_NAMESPACE: 'svc',
        PORT: '0',
        HEALTH_PORT: '0',
        METRICS_PORT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const listeners = new Set<() => void>();
    const hear = (piece: Buffer) => {
      output += piece;
      for (const listener of listeners) listener();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
    return {
      output: () => output,
      exited,
      signal: (name) => void child.kill(name),
      stop() {
        child.kill('SIGTERM');
        return exited;
      },
      says: (pattern) =>
        new Promise((resolve, reject) => {
          const look = () => {
            const found = pattern.exec(output);
            if (found !== null) resolve(found);
          };
          listeners.add(look);
          void exited.then((code) => reject(new Error(`it ended with ${code}: ${output}`)));
          look();
        }),
    };
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.cluster.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
