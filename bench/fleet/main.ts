// A mixed fleet through a night: plain workloads, KEDA, Argo Rollouts, Argo CD and Flux with self-heal, and operators, each
// neighbour at work all night. The shipped controller on the embedded cluster, in virtual time.
import { parseArgs } from 'node:util';
import type { Benchmark } from '../main.ts';
import { report } from './figures.ts';
import { FleetWorld } from './fleet-world.ts';

export const run: Benchmark = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { workloads: { type: 'string', default: '1000' } } });
  const world = new FleetWorld(Number(values.workloads));
  const startedAt = performance.now();
  const night = await world.night();
  world.end();
  console.log(`a night played in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return report(night);
};
