import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stepsOf } from './steps.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

describe('the rehearsal of a release', () => {
  it('has every command of the workflow in its order, and says which it runs in another way', () => {
    const steps = stepsOf(textOf('.github/workflows/release.yml'), textOf);
    expect(steps.map(({ job, name, differs }) => [job, name, differs !== undefined])).toEqual([
      ['version', 'The tag is the version of the package and of the chart', false],
      ['test', 'npm test', false],
      ['images', 'Build and push, with SBOM and provenance', true],
      ['images', 'Sign by digest', true],
      ['chart', 'Package and push', true],
    ]);
    expect(steps[1]?.run).toBe("export CI='true'\nnpm test");
  });
});
