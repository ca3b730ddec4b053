import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { namespace } from '../harness/chart-release.ts';
import { deployment } from '../harness/manifests.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { until } from '../harness/until.ts';
import { admin } from './sign-in.ts';

/** Books with a thousand hours of one kind in each namespace, so that each figure stands alone. */
export const ledger: Manifest = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: configMaps.insights, namespace },
  data: {
    head: JSON.stringify({ accountedUntil: '2026-01-03T00:00:00Z', nights: [] }),
    '2026-01': [
      '2026-01-02 * 12 12',
      '2026-01-02 amd64 1000 0 0 0 0 0 0 0 0',
      '2026-01-02 arm64 0 1000 0 0 0 0 0 0 0',
      '2026-01-02 memory 0 0 1000 0 0 0 0 0 0',
    ].join('\n'),
  },
};

interface Report {
  readonly namespaces: readonly {
    readonly namespace: string;
    readonly saved: { readonly energyKWh: number; readonly co2eGrams: number };
  }[];
}

const reading = async ({ service }: Looking) => (await service.as(admin)).insights();

/** Watts, overhead and grid of either moment; each figure is another one. */
const figuresOf = {
  start: { amd64: 3, arm64: 5, memory: 7, pue: 2, grid: 100 },
  reload: { amd64: 11, arm64: 13, memory: 17, pue: 4, grid: 10 },
} as const;

const settings = ({ amd64, arm64, memory, pue, grid }: Readonly<Record<keyof typeof figuresOf.start, number>>) => ({
  insights: {
    cpuWattsPerVCPU: { amd64, arm64 },
    memoryWattsPerGB: memory,
    pue,
    gridIntensityGCO2ePerKWh: grid,
  },
});

export const insightRows: readonly Row[] = [
  {
    // A thousand hours at so many watts, times the overhead of the data centre.
    keys: {
      'insights.cpuWattsPerVCPU.amd64': { start: 3 * 2, reload: 11 * 4 },
      'insights.cpuWattsPerVCPU.arm64': { start: 5 * 2, reload: 13 * 4 },
      'insights.memoryWattsPerGB': { start: 7 * 2, reload: 17 * 4 },
      // All of them together, for each watt that they should take.
      'insights.pue': { start: 2, reload: 4 },
      'insights.gridIntensityGCO2ePerKWh': { start: 100, reload: 10 },
    },
    in: 'api',
    seen: 'energy and CO2e of hours that are in the books',
    start: settings(figuresOf.start),
    reload: settings(figuresOf.reload),
    async see(looking) {
      // The contract leaves the report open; this is the part of it that is looked at.
      const { namespaces } = (await reading(looking)).report as unknown as Report;
      const saved = new Map(namespaces.map((one) => [one.namespace, one.saved]));
      const energy = (kind: string) => saved.get(kind)?.energyKWh ?? Number.NaN;
      const sum = (of: (kind: string) => number) =>
        ['amd64', 'arm64', 'memory'].reduce((all, kind) => all + of(kind), 0);
      const { amd64, arm64, memory } = figuresOf[looking.moment];
      return {
        'insights.cpuWattsPerVCPU.amd64': Math.round(energy('amd64')),
        'insights.cpuWattsPerVCPU.arm64': Math.round(energy('arm64')),
        'insights.memoryWattsPerGB': Math.round(energy('memory')),
        'insights.pue': Math.round(sum(energy) / (amd64 + arm64 + memory)),
        'insights.gridIntensityGCO2ePerKWh': Math.round(
          sum((kind) => saved.get(kind)?.co2eGrams ?? Number.NaN) / sum(energy),
        ),
      };
    },
  },
  {
    keys: { 'insights.enabled': { start: true, reload: false } },
    in: 'api',
    seen: 'whether `GET /api/v1/insights` has a report',
    start: { insights: { enabled: true } },
    reload: { alone: { insights: { enabled: false } } },
    see: async (looking) => ({ 'insights.enabled': (await reading(looking)).available }),
  },
];

let nights = 0;

/** A workload that comes in the night, and is put to sleep by a pass. */
async function lateWorkload({ service }: Looking): Promise<void> {
  const name = `late-${++nights}`;
  service.cluster.apply([deployment(`shop/${name}`, { requests: { cpu: '1', memory: '1Gi' } })]);
  const replicas = () =>
    (service.cluster.store.get('deployments.apps', 'shop', name) as { readonly spec?: { readonly replicas?: number } })
      .spec?.replicas;
  await until(`${name} sleeps`, () => replicas() === 0);
}

/** For a cluster that sleeps all the while. */
export const booksRow: Row = {
  keys: { 'insights.enabled': { start: 'written', reload: 'left as they are' } },
  in: 'controller',
  seen: 'whether the books in ConfigMap svc-insights are written when one workload more sleeps',
  start: { insights: { enabled: true } },
  reload: { alone: { insights: { enabled: false } } },
  withinMs: 20_000,
  async see(looking) {
    const books = () => JSON.stringify(looking.service.cluster.store.get('configmaps', namespace, configMaps.insights));
    const before = books();
    await lateWorkload(looking);
    // They are written at the end of a pass, so that of the first is over when the second acts.
    await lateWorkload(looking);
    return { 'insights.enabled': books() === before ? 'left as they are' : 'written' };
  },
};
