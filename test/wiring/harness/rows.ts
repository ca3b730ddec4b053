import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { Values } from '../../chart/harness/helm.ts';
import { EvidenceFile, type Moment } from '../tables/evidence.ts';
import { type ProcessName, type ShippedBundles, shippedBundles } from './bundles.ts';
import type { Config } from './merged.ts';
import { merged, replaced } from './merged.ts';
import type { Outside } from './outside.ts';
import { type Effects, rowProblems } from './row-problems.ts';
import { WiredService } from './wired-service.ts';

export interface Looking {
  readonly service: WiredService;
  readonly outside: Outside;
  readonly moment: Moment;
  /** Another word for each look, for names that have to be new. */
  readonly look: 'start' | 'reload' | 'back';
}

type Fragment = Config | ((outside: Outside) => Config);

/** Values of a reload that the row makes for itself, since others need theirs; afterwards the first ones are in force again. */
interface Alone {
  readonly alone: Config;
}

/**
 * Keys of the configuration, a value of theirs at the start and another after a reload, and what one process is then seen
 * to do. A key that several processes read has a row for each of them.
 */
export interface Row {
  /** By key: what `see` answers under its value of the start, and under that of the reload. */
  readonly keys: Readonly<Record<string, Effects>>;
  readonly in: ProcessName;
  /** How the effect is seen, for the table. */
  readonly seen: string;
  /** Empty where another row of the file sets the keys. */
  readonly start: Fragment;
  readonly reload: Fragment | Alone;
  /** For effects that take their time: it is looked again until they are there, for so long. */
  readonly withinMs?: number;
  /**
   * Why the look ends the process, where it does. Such rows stand in a file of their own: what other rows saw before a reload
   * and after it would be two processes, and a value that is taken once, at its first use, would not be noticed.
   */
  readonly endsProcess?: string;
  /** What there is to be seen of each key, whatever is expected. */
  see(looking: Looking): Promise<Readonly<Record<string, unknown>>>;
}

export interface RowsOptions {
  readonly processes: readonly ProcessName[];
  readonly base?: (outside: Outside) => Config;
  readonly values?: Values;
  readonly objects?: readonly Manifest[];
  readonly env?: Readonly<Record<string, string>>;
  readonly streamingLists?: false;
  /** Told of the service before its processes start. */
  observe?(service: WiredService): void;
  /** Runs before the looks of either moment, under its configuration: what several rows look at. */
  prepare?(looking: Looking): Promise<void>;
}

const isAlone = (reload: Row['reload']): reload is Alone => typeof reload !== 'function' && 'alone' in reload;

/** The configuration of all rows together. */
function configOf(rows: readonly Row[], base: Config, outside: Outside, moment: Moment): Config {
  const fragments = rows.map(({ start, reload }) => {
    const fragment = moment === 'start' || isAlone(reload) ? start : reload;
    return typeof fragment === 'function' ? fragment(outside) : fragment;
  });
  return merged([base, ...fragments]);
}

/** Starts the processes with all rows' values in one configuration, looks at each, reloads, and looks again. */
export function describeRows(name: string, rows: readonly Row[], options: RowsOptions): void {
  describe(name, () => {
    const evidence = new EvidenceFile(name);
    let bundles: ShippedBundles;
    let service: WiredService;

    const config = (outside: Outside, moment: Moment) => configOf(rows, options.base?.(outside) ?? {}, outside, moment);

    beforeAll(async () => {
      bundles = await shippedBundles();
      service = await WiredService.install({
        bundles,
        config: (outside) => config(outside, 'start'),
        ...(options.values === undefined ? {} : { values: options.values }),
        ...(options.objects === undefined ? {} : { objects: options.objects }),
        ...(options.env === undefined ? {} : { env: options.env }),
        ...(options.streamingLists === undefined ? {} : { streamingLists: options.streamingLists }),
      });
      options.observe?.(service);
      await service.start(...options.processes);
      await options.prepare?.({ service, outside: service.outside, moment: 'start', look: 'start' });
    });
    afterAll(async () => {
      if (service !== undefined) evidence.releases.push(...service.releases());
      evidence.save();
      await service?.close();
      await bundles?.remove();
    });

    it('no row ends the process that others look at', () => {
      const ending = rows.filter(({ endsProcess }) => endsProcess !== undefined);
      expect(ending.length === 0 || ending.length === rows.length).toBe(true);
    });

    it('every key has two values, of which neither contains the other, and two effects', () => {
      const [start, reload] = [config(service.outside, 'start'), config(service.outside, 'reload')];
      const asRead = rows.map((row) => ({
        keys: row.keys,
        start,
        reload: isAlone(row.reload) ? replaced(reload, row.reload.alone) : reload,
        goesBack: isAlone(row.reload),
      }));
      expect(asRead.flatMap(rowProblems)).toEqual([]);
    });

    /** By row: the process that was looked at first. */
    const seenIn = new Map<Row, number>();
    const looksLike = async (row: Row, look: Looking['look']) => {
      if (row.endsProcess === undefined) {
        const pid = service.life(row.in).pid;
        const first = seenIn.getOrInsert(row, pid);
        expect(pid, `the ${row.in} that was looked at before: a row that ends it says so with endsProcess`).toBe(first);
      }
      const moment = look === 'reload' ? 'reload' : 'start';
      const expected = Object.fromEntries(Object.entries(row.keys).map(([key, effects]) => [key, effects[moment]]));
      const compare = async () =>
        expect(await row.see({ service, outside: service.outside, moment, look })).toEqual(expected);
      if (row.withinMs === undefined) await compare();
      else await vi.waitFor(compare, { timeout: row.withinMs, interval: 100 });
    };
    const record = (row: Row, moment: Moment) =>
      evidence.keys.push(...Object.keys(row.keys).map((key) => ({ key, moment, in: row.in, how: row.seen })));
    const title = (row: Row) => `${Object.keys(row.keys).join(', ')} in the ${row.in}: ${row.seen}`;

    describe('at the start', () => {
      for (const row of rows) {
        it(title(row), async () => {
          await looksLike(row, 'start');
          record(row, 'start');
        });
      }
    });

    describe('after a reload', () => {
      beforeAll(async () => {
        const next = config(service.outside, 'reload');
        // Where every row makes a reload of its own there is none for all of them.
        if (!isDeepStrictEqual(next, service.config)) await service.upgrade(next);
        await options.prepare?.({ service, outside: service.outside, moment: 'reload', look: 'reload' });
      });
      for (const row of rows) {
        it(title(row), async () => {
          if (isAlone(row.reload)) {
            await service.with(row.reload.alone, () => looksLike(row, 'reload'));
            await looksLike(row, 'back');
          } else await looksLike(row, 'reload');
          record(row, 'reload');
        });
      }
    });
  });
}
