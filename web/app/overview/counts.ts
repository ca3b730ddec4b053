import type { Status } from '../data/queries.ts';
import { counted } from '../parts/time-text.ts';

type Counts = Status['workloads'];

/** What a hibernation finds down already; nothing when there is none. */
export function downByOwners(down: number): readonly string[] {
  if (down === 0) return [];
  return [
    down === 1
      ? '1 workload is down by its owner, and nobody touches it.'
      : `${counted(down, 'workload')} are down by their owners, and nobody touches them.`,
  ];
}

/** `51 of 57 up`, and where the others are: the parts add up to the whole. */
export function countParts({ managed, up, starting, down, hibernated }: Counts): readonly string[] {
  return [
    `${up} of ${managed} up`,
    ...(starting === 0 ? [] : [`${starting} not ready`]),
    ...(hibernated === 0 ? [] : [`${hibernated} hibernated`]),
    ...(down === 0 ? [] : [`${down} down by ${down === 1 ? 'its owner' : 'their owners'}`]),
  ];
}
