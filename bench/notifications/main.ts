// A wake with and without a thousand events for a mail server that is dead, in real time: `npm run bench -- notifications`.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../../embedded-cluster/http/http-server.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { serviceAccountFolderVariable } from '../../src/adapters/kubernetes/transport/in-cluster.ts';
import { configTextKey } from '../../src/config/config.ts';
import { configMaps } from '../../src/domain/names.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { message, pause } from '../memory/measured-process.ts';
import { type DeadMailServer, type Death, deadMailServer, deaths } from './dead-mail-server.ts';
import { type Asked, type Pair, report, type Setting, type Wake } from './figures.ts';
import { sampleResident } from './resident.ts';

const namespace = 'svc';
const recipients = ['a@example.org', 'b@example.org'];
/** As in production the rate limit decides how long a wake takes: four seconds here, in which one in a hundred is seen. */
const limits = { kubernetesQPS: 60, kubernetesBurst: 60 };
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

export async function run(args: readonly string[]): Promise<{ figure: string; pass: boolean }> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      workloads: { type: 'string', default: '300' },
      events: { type: 'string', default: '1000' },
      pairs: { type: 'string', default: '9' },
    },
  });
  const setting: Setting = {
    workloads: wholeNumber('workloads', values.workloads),
    events: wholeNumber('events', values.events),
    destinations: recipients.length,
    bufferSize: 20,
  };
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-notifications-'));
  const bench = await Bench.start(folder, setting);
  try {
    const pairs: Pair[] = [];
    // The first mail of a process loads the mail library, and nothing has been compiled yet.
    const { quiet, burst } = await bench.pair('silent', true);
    const colder = ((burst.raisedMs / quiet.raisedMs - 1) * 100).toFixed(2);
    console.log(
      `the first burst of the process, not counted: ${colder} %, telling took ${burst.burstMs.toFixed(0)} ms`,
    );
    for (let index = 0; index < wholeNumber('pairs', values.pairs); index++) {
      pairs.push(await bench.pair(deaths[index % deaths.length]!, index % 2 === 0));
    }
    return report(pairs, setting);
  } finally {
    await bench.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Bench {
  readonly #cluster: EmbeddedCluster;
  readonly #setting: Setting;
  readonly #close: () => Promise<void>;
  #controller!: ChildProcess;

  private constructor(cluster: EmbeddedCluster, setting: Setting, close: () => Promise<void>) {
    this.#cluster = cluster;
    this.#setting = setting;
    this.#close = close;
  }

  static async start(folder: string, setting: Setting): Promise<Bench> {
    const cluster = new EmbeddedCluster({ clock: systemClock, random: seededRandom(1) });
    cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as Manifest,
      ...Array.from({ length: setting.workloads }, (_, index) => workload(index)),
    ]);
    cluster.start();
    const server = await serveHttp(cluster.api);
    const bench = new Bench(cluster, setting, () => server.close());
    bench.#configure('on', undefined);
    const kubeconfig = JSON.parse(server.kubeconfig(undefined, namespace));
    writeFileSync(join(folder, 'token'), kubeconfig.users[0].user.token);
    writeFileSync(join(folder, 'ca.crt'), server.certificate ?? '');
    writeFileSync(join(folder, 'namespace'), namespace);
    bench.#controller = fork(join(import.meta.dirname, 'controller-entry.ts'), [], {
      execArgv: ['--expose-gc'],
      // It logs as it does in a cluster, and somebody takes what it logs.
      silent: true,
      env: {
        ...process.env,
        KUBERNETES_SERVICE_HOST: '127.0.0.1',
        KUBERNETES_SERVICE_PORT: new URL(server.url).port,
        POD_NAMESPACE: namespace,
        [serviceAccountFolderVariable]: folder,
      },
    });
    bench.#controller.setMaxListeners(0);
    bench.#controller.stdout?.resume();
    bench.#controller.stderr?.pipe(process.stderr);
    await message(bench.#controller, 'started');
    return bench;
  }

  async stop(): Promise<void> {
    this.#controller.disconnect();
    await this.#close();
    this.#cluster.stop();
  }

  /** Whichever goes first has the quieter machine now and then, so they take turns. */
  async pair(death: Death, quietFirst: boolean): Promise<Pair> {
    const server = await deadMailServer(death);
    const alone = () => this.wake(0, undefined);
    const under = () => this.wake(this.#setting.events, server);
    try {
      const [first, second] = quietFirst ? [await alone(), await under()] : [await under(), await alone()];
      const [quiet, burst] = quietFirst ? [first, second] : [second, first];
      return {
        death,
        quiet: quiet.wake,
        burst: burst.wake,
        quietPeakMiB: quiet.peakMiB,
        burstPeakMiB: burst.peakMiB,
      };
    } finally {
      server.close();
    }
  }

  /** Puts everything to sleep, lets the machine come to rest, and wakes it. */
  async wake(events: number, server: DeadMailServer | undefined): Promise<{ wake: Wake; peakMiB: number }> {
    this.#configure('off', undefined);
    await this.#until(0);
    this.#configure('off', server);
    // The limiter has its burst back, and what an earlier wake left to be collected is gone.
    await pause(2_500);
    const controller = this.#controller;
    const ready = message(controller, 'ready');
    controller.send({ workloads: this.#setting.workloads, events } satisfies Asked);
    await ready;
    const ended = message<Wake>(controller, 'wake');
    const memory = sampleResident(controller.pid ?? 0);
    this.#configure('on', server);
    try {
      return { wake: await ended, peakMiB: memory.peakMiB() };
    } finally {
      memory.stop();
    }
  }

  #configure(hours: 'on' | 'off', server: DeadMailServer | undefined): void {
    const config = {
      clusterName: 'bench',
      externalUrl: 'https://svc.example.com',
      controller: limits,
      workingHours: { timezone: 'UTC', schedule: Object.fromEntries(days.map((day) => [day, hours])) },
      smtp: { host: '127.0.0.1', port: server?.port ?? 1, from: 'svc@example.com' },
      notifications: {
        enabled: server !== undefined,
        channels: { email: { enabled: true, recipients } },
        queue: { bufferSize: this.#setting.bufferSize },
      },
    };
    const metadata = { name: configMaps.config, namespace };
    const data = { [configTextKey]: JSON.stringify(config) };
    this.#cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as Manifest]);
  }

  /** Until so many pods are left. */
  async #until(pods: number): Promise<void> {
    const deadline = systemClock.monotonic() + 120_000;
    while (this.#cluster.store.list('pods').length > pods || !this.#asleep()) {
      if (systemClock.monotonic() > deadline) throw new Error('The cluster does not go to sleep.');
      await pause(100);
    }
  }

  #asleep(): boolean {
    const state = this.#cluster.store.get('configmaps', namespace, configMaps.state) as {
      data?: Record<string, string>;
    };
    return (
      /"phase":"hibernated"/.test(state?.data?.['phase'] ?? '') && !/"kind"/.test(state?.data?.['transition'] ?? '')
    );
  }
}

function workload(index: number): Manifest {
  const labels = { app: `w${index}` };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `w${index}`, namespace: `shop-${index % 10}` },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
    },
  } as Manifest;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0, not ${text}.`);
  return value;
}
