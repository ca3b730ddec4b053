import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { controllerShape } from './controller-shape.ts';
import { doubleCasts } from './double-casts.ts';
import { fileCircles } from './file-circles.ts';
import { crowdedFolders } from './folder-size.ts';
import { layerViolations } from './layers.ts';
import { machineTimeViolations } from './machine-time.ts';
import { optionalMethods, optionalPorts, secondAskers } from './one-answer.ts';
import { optionalParts } from './optional-parts.ts';
import { roomCircles } from './room-circles.ts';
import { unusedCode, usedByTestsAlone } from './unused.ts';
import { unusedMembers } from './unused-members.ts';
import type { SourceFile, Violation } from './violation.ts';

interface Step {
  readonly name: string;
  run(): boolean;
}

const command = (name: string, program: string, ...args: string[]): Step => ({
  name,
  run: () => spawnSync(program, args, { stdio: 'inherit' }).status === 0,
});

const all: Step[] = [
  command('format and lint', 'biome', 'ci', '--colors=off', '.'),
  command('types', 'tsc', '--noEmit', '-p', '.'),
  { name: 'house rules', run: houseRulesHold },
  command('generated files', process.execPath, 'tools/generate/main.ts', '--check'),
];

/** `npm run check -- rules` runs the steps with that word in their name, without one all of them. */
const words = process.argv.slice(2);
const steps = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
if (steps.length === 0) throw new Error(`No step is named so; there are: ${all.map(({ name }) => name).join(', ')}.`);

/** The sources of these folders, as they are on disk. */
function sourcesOf(...folders: readonly string[]): SourceFile[] {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], { encoding: 'utf8' });
  // Git also lists what was deleted and is not committed yet.
  const ours = (file: string) => /\.tsx?$/.test(file) && !/\.gen\.ts$/.test(file) && existsSync(file);
  return listed.stdout
    .split('\n')
    .filter(ours)
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

function houseRules(): Violation[] {
  const layered = sourcesOf('src', 'embedded-cluster', 'web');
  const everything = sourcesOf('src', 'embedded-cluster', 'demo', 'web', 'tools', 'test', 'bench');
  return [
    ...layered.flatMap(({ path, text }) =>
      [layerViolations, machineTimeViolations, secondAskers, optionalPorts, optionalMethods].flatMap((rule) =>
        rule(path, text),
      ),
    ),
    ...optionalParts(layered),
    ...fileCircles(everything),
    ...roomCircles(everything),
    ...controllerShape(everything),
    ...everything.filter(({ path }) => !path.startsWith('tools/check/')).flatMap(doubleCasts),
    ...crowdedFolders(everything.map(({ path }) => path)),
    ...unusedCode('.'),
    ...usedByTestsAlone('.'),
    ...unusedMembers(process.cwd()),
  ];
}

function houseRulesHold(): boolean {
  const violations = houseRules();
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
