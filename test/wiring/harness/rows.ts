import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { Values } from '../../chart/harness/helm.ts';
import { EvidenceFile, type Moment } from '../tables/evidence.ts';
import { grantsOf } from '../tables/rights.ts';
import { type ProcessName, type ShippedBundles, shippedBundles } from './bundles.ts';
import type { Config } from './merged.ts';
import { merged } from './merged.ts';
import type { Outside } from './outside.ts';
import { WiredService } from './wired-service.ts';

export interface Looking {
  readonly service: WiredService;
  readonly outside: Outside;
  readonly moment: Moment;
}

/** Keys of the configuration, a value of theirs at the start and another after a reload, and how either is seen. */
export interface Row {
  readonly keys: readonly string[];
  /** How the effect is seen, for the table. */
  readonly seen: string;
  readonly start: Config | ((outside: Outside) => Config);
  /** `own`: the look reloads by itself, and goes back. Left out where a reload cannot do it; `restart` then says why. */
  readonly reload?: Config | ((outside: Outside) => Config) | 'own';
  readonly restart?: string;
  /** Fails unless the keys have their effect. */
  look(looking: Looking): Promise<void>;
}

export interface RowsOptions {
  readonly processes: readonly ProcessName[];
  readonly base?: (outside: Outside) => Config;
  readonly values?: Values;
  readonly objects?: readonly Manifest[];
  readonly env?: Readonly<Record<string, string>>;
  /** Told of the service before its processes start. */
  observe?(service: WiredService): void;
  /** Runs before the looks of either moment, under its configuration: what several rows look at. */
  prepare?(looking: Looking): Promise<void>;
}

/** Starts the processes with all rows' values in one configuration, looks at each, reloads, and looks again. */
export function describeRows(name: string, rows: readonly Row[], options: RowsOptions): void {
  describe(name, () => {
    const evidence = new EvidenceFile(name);
    let bundles: ShippedBundles;
    let service: WiredService;

    const configOf = (outside: Outside, moment: Moment): Config =>
      merged([
        options.base?.(outside) ?? {},
        ...rows.map(({ start, reload }) => {
          const fragment = moment === 'start' || reload === undefined || reload === 'own' ? start : reload;
          return typeof fragment === 'function' ? fragment(outside) : fragment;
        }),
      ]);

    beforeAll(async () => {
      bundles = await shippedBundles();
      service = await WiredService.install({
        bundles,
        config: (outside) => configOf(outside, 'start'),
        ...(options.values === undefined ? {} : { values: options.values }),
        ...(options.objects === undefined ? {} : { objects: options.objects }),
        ...(options.env === undefined ? {} : { env: options.env }),
      });
      options.observe?.(service);
      await service.start(...options.processes);
      await options.prepare?.({ service, outside: service.outside, moment: 'start' });
    });
    afterAll(async () => {
      if (service !== undefined) {
        evidence.grants.push(...grantsOf(service.release.objects));
        evidence.calls.push(...service.calls.values());
      }
      evidence.save();
      await service?.close();
      await bundles?.remove();
    });

    const lookAt = (row: Row, moment: Moment) => async () => {
      await row.look({ service, outside: service.outside, moment });
      evidence.keys.push(...row.keys.map((key) => ({ key, moment, how: row.seen })));
    };

    describe('at the start', () => {
      for (const row of rows) it(`${row.keys.join(', ')}: ${row.seen}`, lookAt(row, 'start'));
    });

    describe('after a reload', () => {
      beforeAll(async () => {
        await service.reload(configOf(service.outside, 'reload'));
        await options.prepare?.({ service, outside: service.outside, moment: 'reload' });
      });
      for (const row of rows) {
        const title = `${row.keys.join(', ')}: ${row.seen}`;
        if (row.reload !== undefined) it(title, lookAt(row, 'reload'));
        else evidence.restart.push(...row.keys.map((key) => ({ key, why: row.restart ?? '' })));
      }
    });
  });
}
