// Runs an entry point on the pinned Node, installing the packages first when they are missing or stale.
// Plain JavaScript without dependencies: on a fresh clone this file runs on whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.installed-lockfile');
const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function installPackagesIfStale() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(pinned) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stderr.write('Installing packages (npm ci) …\n');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (npm.status !== 0) {
    process.stderr.write('npm ci failed; the packages of package-lock.json could not be installed.\n');
    process.exit(npm.status ?? 1);
  }
  writeFileSync(stamp, lock);
}

installPackagesIfStale();
const [entry, ...rest] = process.argv.slice(2);
const child = spawn(pinned, [join(root, entry), ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
});
// Ctrl-C reaches the child through the terminal; the parent only has to outlive it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 128 + 15 : (code ?? 1)));
