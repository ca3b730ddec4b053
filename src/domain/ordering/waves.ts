import { appliesOthers } from '../kinds/kinds.ts';
import type { Workload } from '../workload.ts';
import { applierLevels } from './ordering.ts';

interface ActOnOne {
  readonly act: string;
  readonly workload: Workload;
}

/**
 * Acts that may be done at once, in the order in which they may be done: what applies others is quieted before them, and what
 * applies that before it; given back after them, the other way round. Whoever acts without asking for tiers keeps this order all the same.
 */
export function inWaves<Act extends ActOnOne>(acts: readonly Act[]): readonly (readonly Act[])[] {
  if (!acts.some(({ workload }) => appliesOthers(workload.kind))) return [acts];
  const isDown = ({ act }: ActOnOne) => act === 'lower' || act === 'suspend';
  const [down, up] = [acts.filter(isDown), acts.filter((act) => !isDown(act))];
  return [...levelled(down).toReversed(), ...levelled(up)].filter((wave) => wave.length > 0);
}

/** First what applies nobody. */
function levelled<Act extends ActOnOne>(acts: readonly Act[]): readonly (readonly Act[])[] {
  const appliers = acts.filter(({ workload }) => appliesOthers(workload.kind));
  const levels = applierLevels(appliers.map(({ workload }) => workload));
  return [
    acts.filter(({ workload }) => !appliesOthers(workload.kind)),
    ...levels.map((level) => {
      const members = new Set(level);
      return appliers.filter(({ workload }) => members.has(workload));
    }),
  ];
}
