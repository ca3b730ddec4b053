import { existsSync, rmSync, statSync } from 'node:fs';
import { bundle, bundles } from './bundle.ts';

const outdir = 'dist';
rmSync(outdir, { recursive: true, force: true });
const present = Object.fromEntries(Object.entries(bundles).filter(([, entry]) => existsSync(entry)));
await bundle(present, outdir);
for (const name of Object.keys(present)) {
  const kilobytes = Math.round(statSync(`${outdir}/${name}.mjs`).size / 1024);
  console.log(`${outdir}/${name}.mjs  ${kilobytes} KB`);
}
