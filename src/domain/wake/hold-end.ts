import type { AdvancedWake } from './advance.ts';

/**
 * A wake does not end over a tier that it has only now let through, nor, while its time lasts, over acts that are still
 * to be done: CronJobs, for which it waits with nothing else, would be asleep under a wake that says it is complete.
 */
export function holdEnd(
  advanced: AdvancedWake,
  held: { readonly pending: number; readonly inTime: boolean },
): AdvancedWake {
  const { endedAt, endedBy, ...wake } = advanced.wake;
  const letsThrough = advanced.changes.some(({ kind }) => kind === 'tier_started');
  const unfinished = endedBy === 'settled' && held.pending > 0 && held.inTime;
  if (endedAt === undefined || !(letsThrough || unfinished)) return advanced;
  return { ...advanced, wake, changes: advanced.changes.filter(({ kind }) => kind !== 'ended') };
}
