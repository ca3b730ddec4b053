import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Mutant, Suite } from './mutant.ts';
import type { Judged } from './table.ts';

const root = resolve(import.meta.dirname, '../..');
/** All but what git keeps, what is installed and what was made: tests read documents and the chart, too. */
const left = new Set(['.git', 'node_modules', 'dist', 'coverage', 'artifacts', '.cache', '.vitest']);
/** The planted faults are gross: a few seeds find them, or none would. */
const few = { SIMULATION_SEEDS: '40', SIMULATION_FROM: '1' };

/** Plants each in a copy of the sources and runs the tests that should notice. */
export function judgeMutants(chosen: readonly Mutant[], heard: (one: Judged) => void): readonly Judged[] {
  const sound = new Map<string, boolean>();
  return inCopy((directory) =>
    chosen.map((mutant) => {
      const one = judge(directory, mutant, sound);
      heard(one);
      return one;
    }),
  );
}

function inCopy<T>(work: (directory: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'svc-mutants-'));
  try {
    for (const name of readdirSync(root).filter((one) => !left.has(one)))
      cpSync(join(root, name), join(directory, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `sound`: what is known of suites without any fault. */
function judge(directory: string, mutant: Mutant, sound: Map<string, boolean>): Judged {
  const path = join(directory, mutant.file);
  const original = readFileSync(path, 'utf8');
  if (!original.includes(mutant.find)) return { mutant, verdict: 'does not apply', seconds: 0 };
  writeFileSync(
    path,
    original.replace(mutant.find, () => mutant.put),
  );
  const beganAt = performance.now();
  let suite: Suite | undefined;
  try {
    suite = mutant.tests.find((one) => !passes(directory, one));
  } finally {
    writeFileSync(path, original);
  }
  const seconds = (performance.now() - beganAt) / 1_000;
  if (suite === undefined) return { mutant, verdict: 'missed', seconds };
  return { mutant, verdict: isSound(directory, suite, sound) ? 'found' : 'the tests are broken', suite, seconds };
}

/** Tests that fail without any fault notice nothing. */
function isSound(directory: string, suite: Suite, sound: Map<string, boolean>): boolean {
  const name = suite.join(' ');
  const known = sound.get(name) ?? passes(directory, suite);
  sound.set(name, known);
  return known;
}

function passes(directory: string, [project, ...paths]: Suite): boolean {
  const runner = join(root, 'node_modules', '.bin', 'vitest');
  const args = ['run', '--project', project, '--bail', '1', '--reporter', 'dot', ...paths];
  const { status, error } = spawnSync(runner, args, {
    cwd: directory,
    env: { ...process.env, ...few },
    stdio: 'ignore',
    timeout: 600_000,
  });
  if (error !== undefined && !('code' in error && error.code === 'ETIMEDOUT')) throw error;
  return status === 0;
}
