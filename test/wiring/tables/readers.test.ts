import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundles } from '../../../tools/build/bundle.ts';
import { bundledSources } from '../../../tools/build/bundled-sources.ts';
import { ConfigReader, type ConfigReads } from '../../../tools/check/config-reads.ts';
import { configKeys } from './config-keys.ts';
import { readBesides, readersOf } from './readers.ts';

// Which process reads a key is not a matter of opinion: the sources of its bundle say so.
describe('who reads which key', () => {
  const reads = new Map<'api' | 'controller', ConfigReads>();
  let reader: ConfigReader;
  beforeAll(async () => {
    reader = new ConfigReader(process.cwd());
    for (const name of ['api', 'controller'] as const) {
      const sources = await bundledSources(bundles[name]);
      // Reading a file, and showing it whole, is no use of a key.
      reads.set(name, reader.readBy(sources.filter((file) => !file.startsWith('src/config/'))));
    }
  }, 120_000);
  afterAll(() => reader?.close());

  it.each(['api', 'controller'] as const)('the table names the %s for every key that its sources read', (name) => {
    const all = new Set(configKeys());
    const unnamed = [...reads.get(name)!]
      .filter(([key]) => all.has(key) && !readersOf(key).includes(name))
      .filter(([key]) => !readBesides.some((one) => one.in === name && one.keys.test(key)))
      .map(([key, places]) => `${key}: read in ${places.slice(0, 3).join(', ')}`);
    expect(unnamed).toEqual([]);
  });

  it('nothing is excused that is not read, or that has its row', () => {
    const needless = readBesides.filter(
      ({ in: name, keys }) =>
        ![...reads.get(name as 'api')!.keys()].some((key) => keys.test(key) && !readersOf(key).includes(name)),
    );
    expect(needless.map(({ keys }) => String(keys))).toEqual([]);
  });

  it('finds most of what the table says, so that an empty reading would be seen', () => {
    for (const name of ['api', 'controller'] as const) {
      const said = configKeys().filter((key) => readersOf(key).includes(name));
      const found = said.filter((key) => reads.get(name)!.has(key));
      expect(found.length / said.length).toBeGreaterThan(0.9);
    }
  });
});
