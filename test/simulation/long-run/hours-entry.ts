// `npm run test:simulation -- --hours H`: plays seeds of every world on all cores until the time is over.
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { faultNames } from '../fault-names.ts';
import { worldNames } from '../world/catalogue.ts';
import { type Asked, askedBy } from './asked.ts';
import { playOn } from './player.ts';
import { Tally } from './tally.ts';

const [reportFile = ''] = process.argv.slice(2);
const { hours, worlds, from = randomInt(1_000_000_000, 2_000_000_000) } = askedOrNot();
const cores = availableParallelism();
const beganAt = performance.now();
const elapsed = () => performance.now() - beganAt;
const tally = new Tally();
let seed = from;

function askedOrNot(): Asked {
  try {
    return askedBy(process.env, worldNames);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

console.log(`Seeds from ${from} on for ${hours} h on ${cores} cores, in turn of the worlds ${worlds.join(', ')}.`);
const watching = setInterval(() => console.log(tally.progress(elapsed())), 60_000);
await playOn(
  cores,
  {
    next() {
      if (elapsed() >= hours * 3_600_000 || tally.isHopeless) return undefined;
      return { seed, world: worlds[seed++ % worlds.length]! };
    },
    heard(line) {
      const broken = tally.heard(line);
      if (broken !== undefined) console.log(broken);
    },
    lost: (one, why) => console.log(tally.lost(one, why)),
  },
  // The slowest take seconds; a machine that is busy with other things takes several times as long.
  { program: fileURLToPath(new URL('./life-worker.ts', import.meta.url)), patienceMs: 300_000 },
);
clearInterval(watching);
console.log(tally.ending(elapsed(), faultNames));
// One world alone has not every fault.
const report = tally.report(worlds.length === worldNames.length ? faultNames : []);
writeFileSync(reportFile, JSON.stringify(report));
process.exitCode = report.numFailedTests === 0 ? 0 : 1;
