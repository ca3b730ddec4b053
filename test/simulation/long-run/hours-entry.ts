// `npm run test:simulation -- --hours H`: plays seeds of every world on all cores until the time is over.
import { writeFileSync } from 'node:fs';
import { faultNames } from '../fault-names.ts';
import { worldNames } from '../world/catalogue.ts';
import { type Asked, askedBy } from './asked.ts';
import { playLong } from './play-long.ts';

const [reportFile = ''] = process.argv.slice(2);

function askedOrNot(): Asked {
  try {
    return askedBy(process.env, worldNames);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

const asked = askedOrNot();
const { tally } = await playLong(asked, (line) => console.log(line));
// One world alone has not every fault.
const report = tally.report(asked.worlds.length === worldNames.length ? faultNames : []);
writeFileSync(reportFile, JSON.stringify(report));
process.exitCode = report.numFailedTests === 0 ? 0 : 1;
