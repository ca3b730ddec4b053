import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { EmbeddedCluster } from '../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../embedded-cluster/http/http-server.ts';
import { seededRandom } from '../embedded-cluster/seeded-random.ts';
import { PacedClock } from '../embedded-cluster/time/paced-clock.ts';
import { configTextKey } from '../src/config/config.ts';
import { loadHolidayData } from '../src/domain/holiday/holidays.ts';
import { configMaps } from '../src/domain/names.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Transport } from '../src/ports/transport.ts';
import { brandingTextKey } from '../src/service/service.ts';
import { demoConfig } from './fleet/demo-config.ts';
import { demoObjects } from './fleet/demo-objects.ts';
import { datesBefore, isWeekday, regionsWithHoliday } from './past/dates.ts';
import { byArrival, fleetOfThePast, releases } from './past/fleet-of-the-past.ts';
import { livePast } from './past/live-past.ts';
import { PastClock } from './past/past-clock.ts';

export const releaseNamespace = 'svc';
const dayMs = 86_400_000;
/** Long enough for the wake of whoever opens the demo at night. */
const leastPastMs = 30 * 60_000;
/** Bookmarks and time-outs of watches would be most of what happens in a quiet month. */
const watchRateOfThePast = 1 / 10_000;

export interface FleetOptions {
  readonly seed: number;
  readonly admin: string;
  /** How many days it has behind it. */
  readonly pastDays: number;
  /** Besides the demo's own configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Over both, once the past is over: what nobody lived through, such as other clusters. */
  readonly presentConfig?: Readonly<Record<string, unknown>>;
  /** The brand, as values under `branding`. */
  readonly branding?: Readonly<Record<string, unknown>>;
  /** The clock of the present. */
  readonly present: Clock;
}

export interface Fleet {
  /** The cluster's time, and so that of everything that acts on it. */
  readonly clock: Clock;
  transport(account: string): Transport;
  /** For kubectl, from a second terminal. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/**
 * The embedded cluster with the demo's workloads and the service's own configuration, in this process and over HTTP. It has
 * days and weeks behind it, which the service lived through on a virtual clock.
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { seed, admin, pastDays, config, present } = options;
  const now = () => present.now();
  const started = now();
  const own = demoConfig();
  const zone = own.workingHours.timezone;
  const dates = datesBefore(started, zone, pastDays);
  const holidays = await loadHolidayData();
  const regions = regionsWithHoliday(holidays, dates);
  const clock = new PastClock(started - Math.max(pastDays * dayMs, leastPastMs));
  const watchClock = new PacedClock(clock, watchRateOfThePast);
  const cluster = new EmbeddedCluster({
    clock,
    watchClock,
    random: seededRandom(seed),
    nodeHeartbeatSeconds: 86_400,
    // Until the last hour: a cluster forgets events after one.
    events: 'none',
    // As long: what a Service led to weeks ago is nowhere now.
    endpoints: 'later',
  });
  const configure = (more: Readonly<Record<string, unknown>>) =>
    void cluster.apply([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: configMaps.config, namespace: releaseNamespace },
        data: {
          [configTextKey]: stringify({ ...own, holidays: { regions, act: true }, ...config, ...more }),
          ...(options.branding === undefined ? {} : { [brandingTextKey]: stringify(options.branding) }),
        },
      },
    ]);
  const fleet = demoObjects(seed);
  const [first = [], ...later] = dates.some(isWeekday) ? byArrival(fleetOfThePast(fleet)) : [fleet];
  cluster.apply(first);
  cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: releaseNamespace } }]);
  configure({
    // Nothing happens in most hours, so that looking at everything once a day sees as much.
    controller: { reconcileInterval: '24h' },
    serviceRedirection: { enabled: false },
  });
  cluster.start();
  const off = new Set(regions.flatMap((region) => holidays.holidays(region) ?? []).map(({ date }) => date));
  await livePast(
    {
      clock,
      watchClock,
      cluster,
      namespace: releaseNamespace,
      admin,
      zone,
      dates,
      holidays: off,
      fleet,
      arrivals: [first, ...later],
      releases: releases(fleet),
    },
    now,
  );
  configure(options.presentConfig ?? {});
  watchClock.setRate(1);
  clock.goOn(present);
  const server = await serveHttp(cluster.api);
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });
  return {
    clock,
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
