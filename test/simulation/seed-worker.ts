// `node seed-worker.ts <first> <step> <count> [world]`: plays seeds and prints one line of JSON for each.
import { lineOf } from './seed-line.ts';
import { runSeed } from './seed-run.ts';

const [first = '1', step = '1', count = '1', world = ''] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  const line = lineOf(await runSeed({ seed: Number(first) + i * Number(step), world }));
  process.stdout.write(`${JSON.stringify(line)}\n`);
  if (line.violation !== undefined) break;
}
