import { compileSelector } from '../targeting/workload-selector.ts';
import type { StringMap, WorkloadRef } from '../workload.ts';

/** An entry of a tier's `select`; matches as a `WorkloadSelector` without annotations does. */
interface TierSelector {
  readonly namespace: string;
  readonly type?: string;
  readonly name?: string;
  readonly labels?: StringMap;
}

export interface TierConfig {
  readonly name: string;
  /** A duration such as `5m`; the controller's fallback holds when absent. */
  readonly timeout?: string;
  readonly select: readonly TierSelector[];
  /** Names of `config.databases`. */
  readonly databases?: readonly string[];
}

/** `config.wakeOrdering` or `config.hibernateOrdering`. */
export interface OrderingConfig {
  readonly tiers?: readonly TierConfig[];
}

export type Direction = 'wake' | 'hibernate';

export interface LabelledRef extends WorkloadRef {
  readonly labels: StringMap;
}

export interface Tier<Member extends WorkloadRef = WorkloadRef> {
  readonly name: string;
  readonly timeout?: string;
  readonly members: readonly Member[];
  readonly databases: readonly string[];
}

/** The tier of what no other tier names. */
export const everythingElse = 'everything else';

/**
 * The tiers in the order in which they are worked through, members in the order given. The first tier that selects a
 * workload or names a database has it. What no tier has goes last on a wake and first on a hibernation: nobody said
 * that it is needed by others, so it must not hold them up nor outlive what it needs. Tiers with nothing in them are
 * left out. `databases` are those to deal with; every one that a tier names unless given.
 */
export function assignTiers<Member extends LabelledRef>(
  ordering: OrderingConfig,
  workloads: readonly Member[],
  direction: Direction,
  databases: readonly string[] = namedDatabases(ordering),
): readonly Tier<Member>[] {
  const tiers = (ordering.tiers ?? []).map((config) => openTier<Member>(config));
  const rest: OpenTier<Member> = openTier({ name: everythingElse, select: [] });
  for (const workload of workloads) {
    (tiers.find((tier) => tier.selects(workload)) ?? rest).members.push(workload);
  }
  for (const database of databases) {
    (tiers.find((tier) => tier.names.has(database)) ?? rest).databases.push(database);
  }
  const ordered = direction === 'wake' ? [...tiers, rest] : [rest, ...tiers];
  return ordered.filter((tier) => tier.members.length + tier.databases.length > 0).map(closeTier);
}

function namedDatabases(ordering: OrderingConfig): readonly string[] {
  return [...new Set((ordering.tiers ?? []).flatMap((tier) => tier.databases ?? []))];
}

interface OpenTier<Member> {
  readonly name: string;
  readonly timeout: string | undefined;
  readonly names: ReadonlySet<string>;
  readonly members: Member[];
  readonly databases: string[];
  selects(workload: Member): boolean;
}

function openTier<Member extends LabelledRef>(config: TierConfig): OpenTier<Member> {
  const selectors = config.select.map(compileSelector);
  return {
    name: config.name,
    timeout: config.timeout,
    names: new Set(config.databases),
    members: [],
    databases: [],
    selects: (workload) => selectors.some((matches) => matches(workload)),
  };
}

function closeTier<Member extends LabelledRef>(tier: OpenTier<Member>): Tier<Member> {
  const { name, timeout, members, databases } = tier;
  return timeout === undefined ? { name, members, databases } : { name, timeout, members, databases };
}
