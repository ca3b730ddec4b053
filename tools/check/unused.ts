import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Violation } from './violation.ts';

interface Found {
  readonly name: string;
  readonly line?: number;
}

interface Report {
  readonly issues: readonly (Readonly<Record<string, readonly Found[]>> & { readonly file: string })[];
}

const config = fileURLToPath(new URL('./knip.config.ts', import.meta.url));
const knip = fileURLToPath(new URL('../../node_modules/knip/bin/knip.js', import.meta.url));

/** What nobody imports: files, exports and packages. An import by a test is one: a test may look inside a file. */
export function unusedCode(folder: string): Violation[] {
  const says: Readonly<Record<string, (name: string) => string>> = {
    files: () => 'is imported by nobody and started by nobody',
    exports: (name) => `exports ${name}, which nobody imports: drop the export, or the code`,
    types: (name) => `exports the type ${name}, which nobody imports: drop the export, or the type`,
    dependencies: (name) => `depends on ${name}, which nothing imports`,
    devDependencies: (name) => `depends on ${name}, which nothing uses`,
    unlisted: (name) => `uses ${name}, which package.json does not list`,
    unresolved: (name) => `imports ${name}, which is not there`,
  };
  return violations(folder, ['--include', Object.keys(says).join()], says);
}

/** What ships for the sake of its tests alone: no program uses it, and its own file does not either. */
export function usedByTestsAlone(folder: string): Violation[] {
  const says = (name: string) => `offers ${name} to tests alone: use it, or take it and its tests away`;
  const file = () => 'is imported by tests alone: it belongs beside them, in test/support';
  const flags = ['--production', '--include', 'files,exports,types'];
  const found = violations(folder, flags, { files: file, exports: says, types: says });
  return found.filter(({ file }) => /^(?:src|web\/app)\//.test(file));
}

function violations(
  folder: string,
  flags: readonly string[],
  says: Readonly<Record<string, (name: string) => string>>,
): Violation[] {
  const fixed = ['--config', config, '--reporter', 'json', '--no-progress', '--no-config-hints', '--no-exit-code'];
  const { stdout, stderr } = spawnSync(process.execPath, [knip, ...fixed, ...flags], { cwd: folder, encoding: 'utf8' });
  if (!stdout.startsWith('{')) throw new Error(`knip did not answer: ${stderr || stdout}`);
  const report = JSON.parse(stdout) as Report;
  return report.issues.flatMap(({ file, ...kinds }) =>
    Object.entries(says).flatMap(([kind, say]) =>
      (kinds[kind] ?? []).map(({ name, line = 1 }) => ({ file, line, message: say(name) })),
    ),
  );
}
