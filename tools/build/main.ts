import { existsSync, rmSync, statSync } from 'node:fs';
import { buildWeb } from '../../web/build.ts';
import { bundle, bundles } from './bundle.ts';

const outdir = 'dist';
rmSync(outdir, { recursive: true, force: true });
const present = Object.fromEntries(Object.entries(bundles).filter(([, entry]) => existsSync(entry)));
await bundle(present, outdir);
for (const name of Object.keys(present)) {
  const kilobytes = Math.round(statSync(`${outdir}/${name}.mjs`).size / 1024);
  console.log(`${outdir}/${name}.mjs  ${kilobytes} KB`);
}
const { firstLoadBytes } = await buildWeb();
console.log(`${outdir}/web  first load ${Math.round(firstLoadBytes / 1024)} KB compressed`);
