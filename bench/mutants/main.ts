// Faults planted in our own code, one after the other, as `npm run test:mutants` plants them: which tests find each, and after how long.
import { chooseMutants } from '../../tools/mutants/choose-mutants.ts';
import { judgeMutants } from '../../tools/mutants/judge.ts';
import { mutants } from '../../tools/mutants/mutants.ts';
import { endingOf, rowOf } from '../../tools/mutants/table.ts';
import type { Benchmark } from '../main.ts';

const goalMinutes = 40;

/** The arguments choose some of them: `--part 1/4`, or parts of names. */
export const run: Benchmark = async (args) => {
  const chosen = chooseMutants(args, mutants);
  const beganAt = performance.now();
  const judged = judgeMutants(chosen, (one) => console.log(rowOf(one)));
  const minutes = (performance.now() - beganAt) / 60_000;
  console.log(endingOf(judged, minutes * 60));
  const found = judged.filter(({ verdict }) => verdict === 'found').length;
  return {
    figure: `${found} of ${judged.length} planted faults found in ${minutes.toFixed(1)} min (goal: all, in ${goalMinutes})`,
    pass: found === judged.length && minutes < goalMinutes,
  };
};
