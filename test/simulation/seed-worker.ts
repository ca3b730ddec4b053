// `node seed-worker.ts <first> <step> <count> [world]`: plays seeds and prints one line of JSON for each.
import { runSeed } from './seed-run.ts';

const [first = '1', step = '1', count = '1', world = ''] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  const {
    seed,
    world: name,
    hash,
    violation,
    trace,
    coverage,
  } = await runSeed({ seed: Number(first) + i * Number(step), world });
  const told = violation === undefined ? {} : { violation: violation.message, trace };
  process.stdout.write(`${JSON.stringify({ seed, world: name, hash, coverage, ...told })}\n`);
  if (violation !== undefined) break;
}
