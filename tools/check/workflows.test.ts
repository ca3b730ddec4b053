import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../.github/workflows');
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes'?: number; readonly uses?: string }>>;
}
const workflow = (file: string) => parse(textOf(file)) as Workflow;

describe.each(files)('the workflow %s', (file) => {
  it('takes every action by its commit, with the version beside it', () => {
    const uses = textOf(file).match(/uses: .*/g) ?? [];
    expect(uses.filter((line) => !/uses: (\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line))).toEqual(
      [],
    );
  });

  it('asks for no more than it needs, and never for root', () => {
    expect(workflow(file).permissions).toEqual({ contents: 'read' });
    expect(textOf(file)).not.toMatch(/\bsudo\b/);
  });

  it('ends by itself', () => {
    const endless = Object.entries(workflow(file).jobs).filter(([, job]) => !job.uses && !job['timeout-minutes']);
    expect(endless.map(([name]) => name)).toEqual([]);
  });
});

describe('the tests', () => {
  it('run on every push and pull request, and before a release', () => {
    expect(Object.keys(workflow('test.yml').on)).toEqual(['push', 'pull_request', 'workflow_call']);
    expect(workflow('release.yml').jobs['test']?.uses).toBe('./.github/workflows/test.yml');
  });
});
