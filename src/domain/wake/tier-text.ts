import { formatDuration, parseDuration } from '../duration.ts';
import type { CriticalPath, PathStep } from './critical-path.ts';

// How the tiers of a wake stand in its audit entry: one line each, for people who read the log and for pages that compare wakes.

const line = /^(.*): (\S+?)(?:, held longest by (database )?(.+) for (\S+))?$/;

export function tierLines({ steps }: Pick<CriticalPath, 'steps'>): readonly string[] {
  return steps.map(({ tier, ms, heldBy }) => {
    const took = `${tier}: ${formatDuration(ms)}`;
    if (heldBy === undefined) return took;
    const who = heldBy.kind === 'database' ? `database ${heldBy.name}` : heldBy.name;
    return `${took}, held longest by ${who} for ${formatDuration(heldBy.ms)}`;
  });
}

/** Undefined for a line of another release. */
export function tierOfLine(text: string): PathStep | undefined {
  const [, tier, took, database, name, held] = line.exec(text) ?? [];
  if (tier === undefined || took === undefined) return undefined;
  const ms = parseDuration(took);
  if (!ms.ok) return undefined;
  if (name === undefined || held === undefined) return { tier, ms: ms.ms };
  const heldMs = parseDuration(held);
  if (!heldMs.ok) return undefined;
  const kind = database === undefined ? 'workload' : 'database';
  return { tier, ms: ms.ms, heldBy: { kind, name, ms: heldMs.ms } };
}
