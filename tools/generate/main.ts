// npm run generate            writes every generated file that is stale
// npm run generate -- --check lists them instead, and fails when there is one

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { staleFiles, writeFiles } from './generated-file.ts';
import { generatedFiles } from './registry.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const stale = await staleFiles(root, generatedFiles);

if (values.check) {
  for (const { path } of stale) console.error(`stale: ${path}`);
  if (stale.length > 0) {
    console.error('Run npm run generate and commit the result.');
    process.exitCode = 1;
  } else console.log(`${generatedFiles.length} generated files are up to date`);
} else {
  await writeFiles(root, stale);
  for (const { path } of stale) console.log(`wrote ${path}`);
  console.log(`${generatedFiles.length - stale.length} of ${generatedFiles.length} generated files were up to date`);
}
