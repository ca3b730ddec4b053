/** What is under management by day: what the next hibernation will take down. Times are monotonic. */
export interface KnownScope {
  /** Keys of workloads, as people were told of them. */
  readonly told: ReadonlySet<string>;
  /** Since when a workload differs from that. */
  readonly differs: ReadonlyMap<string, number>;
}

export interface ScopeChanges {
  readonly known: KnownScope;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** How long until something that differs now has lasted. */
  readonly waitMs?: number;
}

/** A rollout deletes and recreates objects, so a workload counts as added or removed only after this long. */
export const lastsMs = 60_000;
/** What came shortly after the first goes on the same card. */
const togetherMs = 30_000;

/** Without anything known all is as it is: a process that has just started tells nobody what it finds. */
export function scopeChanges(known: KnownScope | undefined, scope: ReadonlySet<string>, now: number): ScopeChanges {
  if (known === undefined) return { known: { told: scope, differs: new Map() }, added: [], removed: [] };
  const { told } = known;
  const differing = [...scope.symmetricDifference(told)];
  const differs = new Map(differing.map((key) => [key, known.differs.get(key) ?? now]));
  const oldest = Math.min(...differs.values());
  if (now - oldest < lastsMs || differs.size === 0) {
    const wait = differs.size === 0 ? {} : { waitMs: lastsMs - (now - oldest) };
    return { known: { told, differs }, added: [], removed: [], ...wait };
  }
  const ripe = differing.filter((key) => now - differs.get(key)! >= togetherMs).toSorted();
  const later = new Map([...differs].filter(([key]) => !ripe.includes(key)));
  const rest = later.size === 0 ? {} : { waitMs: lastsMs - (now - Math.min(...later.values())) };
  return {
    known: { told: told.symmetricDifference(new Set(ripe)), differs: later },
    added: ripe.filter((key) => scope.has(key)),
    removed: ripe.filter((key) => !scope.has(key)),
    ...rest,
  };
}
