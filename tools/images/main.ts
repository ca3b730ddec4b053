// npm run images                   every image's file tree, in dist/images/<name>
// npm run images -- controller api only these
// npm run images -- --without-node for the Dockerfile, whose base image brings Node

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assembleImage } from './assemble.ts';
import { type ImageName, imageNames } from './image-specs.ts';

const { values, positionals } = parseArgs({
  options: { 'without-node': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !imageNames.some((known) => known === name));
if (unknown.length > 0) {
  console.error(`There is no image ${unknown.join(', ')}; there are ${imageNames.join(', ')}.`);
  process.exit(2);
}

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'dist', 'images');
const node = values['without-node'] ? {} : { node: process.execPath };
for (const name of positionals.length > 0 ? (positionals as ImageName[]) : imageNames) {
  const { bytes } = await assembleImage(name, { root, folder, ...node });
  console.log(`dist/images/${name}  ${Math.round(bytes / 1024)} KB`);
}
