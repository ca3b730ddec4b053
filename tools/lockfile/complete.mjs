// Adds the optional packages of other platforms that `npm install` left out of package-lock.json because the registry
// it spoke to does not carry them. Without their entries `npm ci` takes the lockfile for stale on every machine; with
// them it passes them over, as it does with every package of another platform.
import { readFileSync, writeFileSync } from 'node:fs';

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
let added = 0;

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] || lock.packages[`${place}/node_modules/${name}`]) continue;
    const words = name.split(/[/-]/);
    const os = systems.find((one) => words.includes(one));
    const cpu = processors.find((one) => words.includes(one));
    if (os === undefined && cpu === undefined) continue;
    lock.packages[key] = {
      version: version.replace(/^[^\d]*/, ''),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      ...(os === undefined ? {} : { os: [os] }),
      ...(words.includes('musl') ? { libc: ['musl'] } : {}),
    };
    added++;
  }
}
const root = lock.packages[''];
const rest = Object.entries(lock.packages)
  .filter(([place]) => place !== '')
  .sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = { '': root, ...Object.fromEntries(rest) };
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} entries of other platforms added`);
