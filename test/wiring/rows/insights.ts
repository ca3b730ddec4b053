import { expect } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { namespace } from '../harness/chart-release.ts';
import type { Looking, Row } from '../harness/rows.ts';
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

export const insightRows: readonly Row[] = [
  {
    keys: [
      'insights.cpuWattsPerVCPU.amd64',
      'insights.cpuWattsPerVCPU.arm64',
      'insights.memoryWattsPerGB',
      'insights.pue',
      'insights.gridIntensityGCO2ePerKWh',
    ],
    seen: 'energy and CO2e of hours that are in the books',
    start: {
      insights: {
        cpuWattsPerVCPU: { amd64: 3, arm64: 5 },
        memoryWattsPerGB: 7,
        pue: 2,
        gridIntensityGCO2ePerKWh: 100,
      },
    },
    reload: {
      insights: {
        cpuWattsPerVCPU: { amd64: 11, arm64: 13 },
        memoryWattsPerGB: 17,
        pue: 4,
        gridIntensityGCO2ePerKWh: 10,
      },
    },
    async look(looking) {
      // The contract leaves the report open; this is the part of it that is looked at.
      const { namespaces } = (await reading(looking)).report as unknown as Report;
      const figures = namespaces.map(({ namespace: kind, saved }) => [
        kind,
        Math.round(saved.energyKWh),
        Math.round(saved.co2eGrams),
      ]);
      // A thousand hours at so many watts, times the overhead of the data centre.
      const start = [
        ['amd64', 6, 600],
        ['arm64', 10, 1000],
        ['memory', 14, 1400],
      ];
      const reload = [
        ['amd64', 44, 440],
        ['arm64', 52, 520],
        ['memory', 68, 680],
      ];
      expect(figures.toSorted()).toEqual(looking.moment === 'start' ? start : reload);
    },
  },
  {
    keys: ['insights.enabled'],
    seen: 'whether `GET /api/v1/insights` has a report',
    start: { insights: { enabled: true } },
    reload: 'own',
    async look(looking) {
      if (looking.moment === 'start') return expect((await reading(looking)).available).toBe(true);
      await looking.service.with({ insights: { enabled: false } }, async () => {
        expect((await reading(looking)).available).toBe(false);
      });
    },
  },
];
