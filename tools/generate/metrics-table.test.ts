import type { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { ApiMetrics } from '../../src/api/server/metrics.ts';
import { ControllerMetrics } from '../../src/controller/metrics/metrics.ts';
import { metricsTable } from './metrics-table.ts';

/** What the library keeps of a series, beyond its published type. */
interface Registered {
  readonly name: string;
  readonly labelNames: readonly string[];
}

const registries: Readonly<Record<'controller' | 'api', Registry>> = {
  controller: new ControllerMetrics().registry,
  api: new ApiMetrics().registry,
};

describe('the table of metrics', () => {
  it.each(['controller', 'api'] as const)('has every series that the %s registers, with its labels', (process) => {
    // prom-client keeps the labels of a metric in a field that its types leave out.
    const registered = registries[process].getMetricsAsArray() as unknown as readonly Registered[];
    expect(registered.length).toBeGreaterThan(0);
    for (const { name, labelNames } of registered) {
      const row = metricsTable.find((one) => one.name === name && one.process === process);
      expect([name, Object.keys(row?.labels ?? { undocumented: '' }).toSorted()]).toEqual([
        name,
        labelNames.toSorted(),
      ]);
    }
  });

  it('has each series once', () => {
    const names = metricsTable.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
