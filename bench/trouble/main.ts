// Two nights of a fleet in which some workloads may not be scaled: in the first from the evening on, in the second from
// midnight on, so that they sleep and cannot be woken. The shipped controller on the embedded cluster, in virtual time.
import { parseArgs } from 'node:util';
import type { Benchmark } from '../main.ts';
import { report } from './figures.ts';
import { TroubledFleet } from './troubled-fleet.ts';

export const run: Benchmark = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { workloads: { type: 'string', default: '2000' }, refused: { type: 'string', default: '20' } },
  });
  const fleet = new TroubledFleet(Number(values.workloads), Number(values.refused));
  const startedAt = performance.now();
  const nights = [await fleet.refusedFromEvening(), await fleet.refusedFromMidnight()];
  fleet.end();
  console.log(`two nights played in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return report(nights);
};
