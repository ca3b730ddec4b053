import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { layerViolations } from './layers.ts';
import { machineTimeViolations } from './machine-time.ts';
import { optionalPorts, secondAskers } from './one-answer.ts';

interface Step {
  readonly name: string;
  run(): boolean;
}

const command = (name: string, program: string, ...args: string[]): Step => ({
  name,
  run: () => spawnSync(program, args, { stdio: 'inherit' }).status === 0,
});

const steps: Step[] = [
  command('format and lint', 'biome', 'ci', '--colors=off', '.'),
  command('types', 'tsc', '--noEmit', '-p', '.'),
  { name: 'import direction, time through ports, one answer, no port left out', run: houseRulesHold },
  command('generated files', process.execPath, 'tools/generate/main.ts', '--check'),
];

function houseRulesHold(): boolean {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'src', 'embedded-cluster', 'web'], {
    encoding: 'utf8',
  });
  // Git also lists what was deleted and is not committed yet.
  const ours = (file: string) => /\.tsx?$/.test(file) && !/\.gen\.ts$/.test(file) && existsSync(file);
  const files = listed.stdout.split('\n').filter(ours);
  const violations = files.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    return [layerViolations, machineTimeViolations, secondAskers, optionalPorts].flatMap((rule) => rule(file, source));
  });
  for (const { file, line, message } of violations) console.error(`${file}:${line}: ${message}`);
  return violations.length === 0;
}

const failed = steps.filter((step) => {
  const held = step.run();
  console.log(`${held ? 'ok  ' : 'FAIL'} ${step.name}`);
  return !held;
});
console.log(`${steps.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
