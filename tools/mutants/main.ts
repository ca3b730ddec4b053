// `npm run test:mutants -- [--part 1/4] [part of a name]…`: plants each fault in a copy of the sources and runs the tests
// that should notice. Prints which tests found it and after how long, and the score; ends with 1 when a fault went unnoticed
// or no longer applies.
import { chooseMutants } from './choose-mutants.ts';
import { judgeMutants } from './judge.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { endingOf, rowOf } from './table.ts';

function chosenOrNot(): readonly Mutant[] {
  try {
    return chooseMutants(process.argv.slice(2), mutants);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

const chosen = chosenOrNot();
const beganAt = performance.now();
const judged = judgeMutants(chosen, (one) => console.log(rowOf(one)));
console.log(endingOf(judged, (performance.now() - beganAt) / 1_000));
process.exitCode = judged.every(({ verdict }) => verdict === 'found') ? 0 : 1;
