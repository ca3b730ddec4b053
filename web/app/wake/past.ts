import type { PathStep } from '../../../src/domain/wake/critical-path.ts';
import { tierOfLine } from '../../../src/domain/wake/tier-text.ts';
import type { AuditEntry } from '../data/queries.ts';

/** A transition that is over, as the log has it. */
export interface PastTransition {
  readonly entry: AuditEntry;
  readonly kind: 'wake' | 'hibernation';
  readonly endedAt: number;
  readonly ms: number;
  /** In wake order; empty for hibernations, and for wakes of releases that did not note them. */
  readonly tiers: readonly PathStep[];
  /** About named resources alone. */
  readonly part: boolean;
}

const kinds: Readonly<Record<string, PastTransition['kind']>> = {
  wake: 'wake',
  'wake-failed': 'wake',
  hibernation: 'hibernation',
  'hibernation-failed': 'hibernation',
};

/** As many ends of transitions as one answer holds, whatever else the log has between them. */
export const endsOfTransitions = { kind: Object.keys(kinds).join(','), limit: '1000' };

export function pastTransition(entry: AuditEntry): PastTransition | undefined {
  const kind = Object.hasOwn(kinds, entry.kind) ? kinds[entry.kind] : undefined;
  if (kind === undefined || entry.durationMs === undefined) return undefined;
  const { details = {}, durationMs: ms, at } = entry;
  const lines = Array.isArray(details['tiers']) ? details['tiers'].map(String) : [];
  const tiers = lines.flatMap((line) => tierOfLine(line) ?? []);
  return { entry, kind, endedAt: Date.parse(at), ms, tiers, part: details['resources'] !== undefined };
}

/** In the order of the entries: newest first. */
export function pastTransitions(entries: readonly AuditEntry[]): readonly PastTransition[] {
  return entries.flatMap((entry) => pastTransition(entry) ?? []);
}

export interface Comparison {
  /** Whole wakes with their tiers, newest first. */
  readonly wakes: readonly PastTransition[];
  /** Every tier of them, in wake order. */
  readonly tiers: readonly string[];
  /** Who held the longest tier, most often first. */
  readonly slowest: readonly { readonly name: string; readonly times: number; readonly longestMs: number }[];
  /** Tiers that took much longer in the newest wake than they usually did before. */
  readonly slower: readonly {
    readonly tier: string;
    readonly ms: number;
    readonly usualMs: number;
    readonly heldBy?: string;
  }[];
}

const compared = 10;
/** Much longer: by half, and by more than a wake takes one way or the other by chance. */
const slowerBy = 1.5;
const slowerByMs = 20_000;

export function compareWakes(all: readonly PastTransition[]): Comparison {
  const wakes = all.filter(({ kind, part, tiers }) => kind === 'wake' && !part && tiers.length > 0).slice(0, compared);
  const tiers = [...new Set(wakes.flatMap((wake) => wake.tiers.map(({ tier }) => tier)))];
  return { wakes, tiers, slowest: slowestOf(wakes), slower: slowerThanUsual(wakes) };
}

function slowestOf(wakes: readonly PastTransition[]): Comparison['slowest'] {
  const held = wakes.flatMap(({ tiers }) => {
    const longest = tiers.reduce((best, one) => (one.ms > best.ms ? one : best));
    return longest.heldBy === undefined ? [] : [longest.heldBy];
  });
  return [...Map.groupBy(held, ({ name }) => name)]
    .map(([name, times]) => ({ name, times: times.length, longestMs: Math.max(...times.map(({ ms }) => ms)) }))
    .toSorted((a, b) => b.times - a.times || b.longestMs - a.longestMs || (a.name < b.name ? -1 : 1));
}

function slowerThanUsual([newest, ...before]: readonly PastTransition[]): Comparison['slower'] {
  if (newest === undefined || before.length === 0) return [];
  return newest.tiers.flatMap(({ tier, ms, heldBy }) => {
    const usual = before.flatMap((wake) => wake.tiers.filter((one) => one.tier === tier).map((one) => one.ms));
    if (usual.length === 0) return [];
    const usualMs = median(usual);
    if (ms < usualMs * slowerBy || ms - usualMs < slowerByMs) return [];
    return [{ tier, ms, usualMs, ...(heldBy === undefined ? {} : { heldBy: heldBy.name }) }];
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
