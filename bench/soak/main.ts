// Days of a cluster, pressed into hours, with the faults that a cluster has in weeks. What each flag means: --help.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { Keys } from '../../src/api/sign-in/keys.ts';
import { Tokens } from '../../src/api/sign-in/tokens.ts';
import { lastsMs } from '../../src/domain/drift/scope-changes.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { bundle, bundles } from '../../tools/build/bundle.ts';
import { freePort } from '../../tools/cluster/free-ports.ts';
import type { Benchmark } from '../main.ts';
import { Caller } from '../real/caller.ts';
import type { Result } from '../recorded.ts';
import { parseWanted, usage, type Wanted } from './arguments.ts';
import { type Act, day, quietMs, restartIsDue, tokenSeconds } from './day.ts';
import { type Day, dayLine, linesOf, memoryChart, verdict } from './figures.ts';
import { deeds, firstWishes } from './owners.ts';
import { ShippedProcess } from './shipped-process.ts';
import { admin, releaseNamespace, SoakCluster } from './soak-cluster.ts';

const jwtSecret = 'a secret for the benchmark alone, 0123456789';
const internalSecret = 'internal-secret-of-the-benchmark-0123456789';
/** What owners add or remove by day is told of when it has lasted; then, and the time that telling takes, it is all done. */
const convergesMs = lastsMs + 10_000;

export const run: Benchmark = async (args) => {
  const wanted = parseWanted(args);
  if (wanted === 'help') {
    console.log(usage);
    return { figure: '0 days: help was asked for', pass: true };
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-soak-'));
  const cluster = await SoakCluster.start();
  const processes: ShippedProcess[] = [];
  try {
    const wishes = firstWishes(wanted.workloads);
    await cluster.act([...wishes].map(([key, count]) => ({ deed: 'create', key, count })));
    const url = await startProcesses(cluster, { folder, tokenSeconds: tokenSeconds(wanted.dayMs) }, processes);
    say(`${wanted.workloads} Deployments are there; a day takes ${(wanted.dayMs / 60_000).toFixed(1)} min`);
    return await new Soak(cluster, processes, url, wanted).live();
  } finally {
    for (const one of processes) await one.stop();
    await cluster.plane.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The API's address. The rights of the chart are looked at elsewhere: here both may do everything. */
async function startProcesses(
  cluster: SoakCluster,
  settings: { readonly folder: string; readonly tokenSeconds: number },
  processes: ShippedProcess[],
): Promise<string> {
  const entry = (name: 'controller' | 'api') => join(import.meta.dirname, '../..', bundles[name]);
  await bundle({ controller: entry('controller'), api: entry('api') }, settings.folder);
  const url = `http://127.0.0.1:${await freePort()}`;
  const start = async (name: string, env: Readonly<Record<string, string>>) => {
    const caller = await Caller.admit(cluster.plane, cluster.admin, { name, namespace: releaseNamespace });
    processes.push(
      await ShippedProcess.start(caller, { ...settings, env: { INTERNAL_API_SECRET: internalSecret, ...env } }),
    );
  };
  await start('api', { JWT_SECRET: jwtSecret, PORT: new URL(url).port });
  await start('controller', { API_URL: url });
  return url;
}

type Counts = Record<string, number>;

class Soak {
  readonly #cluster: SoakCluster;
  readonly #processes: readonly ShippedProcess[];
  readonly #url: string;
  readonly #wanted: Wanted;
  readonly #random;
  readonly #startedAt = systemClock.monotonic();
  #disturbedAt = this.#startedAt;
  #restarts = 0;
  #today = newDay();

  constructor(cluster: SoakCluster, processes: readonly ShippedProcess[], url: string, wanted: Wanted) {
    this.#cluster = cluster;
    this.#processes = processes;
    this.#url = url;
    this.#wanted = wanted;
    this.#random = seededRandom(wanted.seed);
  }

  async live(): Promise<Result> {
    const days: Day[] = [];
    let secondDayAt = Number.POSITIVE_INFINITY;
    while (this.#elapsed < this.#wanted.totalMs) {
      days.push(await this.#day());
      secondDayAt = Math.min(secondDayAt, systemClock.monotonic());
      say(dayLine(days.length, days.at(-1)!));
    }
    const memory = Object.fromEntries(
      this.#processes.map(({ name, samples }) => [name, samples.filter(({ atMs }) => atMs >= secondDayAt)]),
    );
    const quietSeconds = quietMs(this.#wanted.dayMs) / 1000;
    const allWrites: Counts = {};
    for (const one of this.#processes) allWrites[one.name] = await one.writes();
    const lines = linesOf({ days, memory, quietSeconds, allWrites, restarts: this.#restarts });
    for (const { pass, text } of lines) console.log(`${pass ? 'PASS' : 'FAIL'} ${text}`);
    const whole = Object.fromEntries(this.#processes.map(({ name, samples }) => [name, samples]));
    return { ...verdict(lines, days.length), charts: [memoryChart(whole)] };
  }

  get #elapsed(): number {
    return systemClock.monotonic() - this.#startedAt;
  }

  async #day(): Promise<Day> {
    this.#today = newDay();
    const begunAt = systemClock.monotonic();
    for (const { at, act } of [...day, { at: 1, act: undefined }]) {
      await sleep(systemClock, Math.max(0, begunAt + at * this.#wanted.dayMs - systemClock.monotonic()));
      for (const one of this.#processes) one.mustRun();
      if (act === undefined) continue;
      await this.#acts[act]();
      if (act !== 'quiet') this.#disturbedAt = systemClock.monotonic();
    }
    return this.#today;
  }

  readonly #acts: Readonly<Record<Act, () => Promise<void>>> = {
    churn: async () => {
      const { wishes, made } = this.#cluster;
      await this.#cluster.act(deeds(wishes, made, this.#random));
    },
    cut: async () => {
      for (const one of this.#processes) await one.cut();
    },
    rotate: async () => {
      for (const one of this.#processes) await one.rotate();
    },
    restart: async () => {
      if (!restartIsDue(this.#elapsed, this.#restarts)) return;
      await this.#cluster.plane.restartApiserver();
      this.#restarts++;
    },
    quiet: async () => {
      await sleep(systemClock, Math.max(0, this.#disturbedAt + convergesMs - systemClock.monotonic()));
      const written = await Promise.all(this.#processes.map((one) => one.writesIn(quietMs(this.#wanted.dayMs))));
      for (const [index, one] of this.#processes.entries()) {
        this.#today.quietWrites[one.name] = (this.#today.quietWrites[one.name] ?? 0) + written[index]!;
        // By day: at night the same processes may keep others.
        this.#today.sockets[one.name] ??= one.sockets;
      }
    },
    hibernate: async () => {
      const askedAt = systemClock.monotonic();
      await this.#ask('/api/v1/hibernation/trigger', {});
      this.#today.notAsleep = await this.#cluster.asleep();
      this.#today.asleepMs = systemClock.monotonic() - askedAt;
    },
    wake: async () => {
      const askedAt = systemClock.monotonic();
      await this.#ask('/api/v1/wake/up', { duration: '12h' });
      this.#today.wrong = await this.#cluster.awake();
      this.#today.awakeMs = systemClock.monotonic() - askedAt;
    },
  };

  /** As an admin who is signed in. */
  async #ask(path: string, body: object): Promise<void> {
    const issuedAt = Date.now();
    const claims = { type: 'access', subject: admin, session: 'soak', generation: 0, issuedAt } as const;
    const token = new Tokens(new Keys(jwtSecret)).issue({ ...claims, expiresAt: issuedAt + 600_000 });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  }
}

interface Today extends Day {
  notAsleep: readonly string[];
  wrong: readonly string[];
  asleepMs: number;
  awakeMs: number;
  readonly sockets: Counts;
  readonly quietWrites: Counts;
}

function newDay(): Today {
  return { notAsleep: [], wrong: [], asleepMs: 0, awakeMs: 0, sockets: {}, quietWrites: {} };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
