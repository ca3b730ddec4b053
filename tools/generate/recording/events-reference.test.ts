import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kubernetesEvents } from './events-reference.ts';

const folder = join(import.meta.dirname, '../../../src/domain/announcement');

it('has a row for every reason of an event that the service composes', () => {
  const sources = readdirSync(folder).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const text = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const composed = [...text.matchAll(/\breason: ([^,\n]+)/g)].flatMap(([, value = '']) =>
    [...value.matchAll(/'([A-Z]\w+)'/g)].map(([, reason]) => reason),
  );
  expect(composed.length).toBeGreaterThan(5);
  expect(new Set(composed)).toEqual(new Set(Object.keys(kubernetesEvents)));
});
