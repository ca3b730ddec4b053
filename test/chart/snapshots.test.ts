import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { template } from './harness/helm.ts';

const folder = join(import.meta.dirname, 'values');

/** Reviewed by eye when they change: `vitest run --project chart -u` writes them. */
describe('what the chart renders from', () => {
  it.each(readdirSync(folder))('%s is what was reviewed', async (file) => {
    const result = await template([join(folder, file)]);
    expect(result.stderr).toBe('');
    await expect(result.stdout).toMatchFileSnapshot(join(import.meta.dirname, 'snapshots', file));
  });
});
