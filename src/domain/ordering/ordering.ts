import { appliesOthers } from '../kinds/kinds.ts';
import { appliersOf } from '../targeting/appliers.ts';
import { compileSelector } from '../targeting/workload-selector.ts';
import { type StringMap, type WorkloadRef, workloadKey } from '../workload.ts';

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
  /** By key: what it lists as its own and puts back, where that is known. */
  readonly heals?: readonly string[];
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

/** The tier of what answers fail-closed admission webhooks; it is in no configuration. */
export const webhookTier = 'admission webhooks';

/**
 * The order of a wake with `first` ahead of every other tier, wherever the configuration has them: while what answers a
 * fail-closed webhook sleeps, the cluster refuses the writes and the pods of all the others.
 */
export function withWebhooksFirst<Member extends WorkloadRef>(
  tiers: readonly Tier<Member>[],
  first: ReadonlySet<string>,
): readonly Tier<Member>[] {
  if (first.size === 0) return tiers;
  const isFirst = (member: Member) => first.has(workloadKey(member));
  const members = tiers.flatMap((tier) => tier.members.filter(isFirst));
  if (members.length === 0) return tiers;
  const others = tiers.map((tier) => ({ ...tier, members: tier.members.filter((member) => !isFirst(member)) }));
  return [
    { name: webhookTier, members, databases: [] },
    ...others.filter((tier) => tier.members.length + tier.databases.length > 0),
  ];
}

/** The tier of what applies other workloads again and again; it is in no configuration. */
export const applierTier = 'appliers';

/**
 * The order with what applies other workloads apart from them, wherever the configuration has it: it is quieted before anything
 * is lowered, or it would raise it again, and given back when everything is up. What applies others of its kind is quieted
 * before these, and given back after them.
 */
export function withAppliersApart<Member extends LabelledRef>(
  tiers: readonly Tier<Member>[],
  direction: Direction,
): readonly Tier<Member>[] {
  const members = tiers.flatMap((tier) => tier.members.filter(({ kind }) => appliesOthers(kind)));
  if (members.length === 0) return tiers;
  const levels = applierLevels(members).map((level, height) => ({
    name: applierTier + ` of ${applierTier}`.repeat(height),
    members: level,
    databases: [],
  }));
  const others = tiers
    .map((tier) => ({ ...tier, members: tier.members.filter(({ kind }) => !appliesOthers(kind)) }))
    .filter((tier) => tier.members.length + tier.databases.length > 0);
  return direction === 'wake' ? [...others, ...levels] : [...levels.toReversed(), ...others];
}

/** First those that apply none of the others, then those that apply such, and so on. */
export function applierLevels<Member extends LabelledRef>(members: readonly Member[]): readonly (readonly Member[])[] {
  const levels: Member[][] = [];
  let left = members;
  while (left.length > 0) {
    const keys = new Set(left.map(workloadKey));
    const listsOther = (member: Member) =>
      (member.heals ?? []).some((key) => keys.has(key) && key !== workloadKey(member));
    const listing = left.filter(listsOther).map(workloadKey);
    const applying = new Set([...left.flatMap(otherAppliersOf), ...listing]);
    const level = left.filter((member) => !applying.has(workloadKey(member)));
    // Where each applies the next and the last the first, nobody comes before the others.
    if (level.length === 0) return [...levels, [...left]];
    levels.push(level);
    left = left.filter((member) => applying.has(workloadKey(member)));
  }
  return levels;
}

/** Flux's own Kustomization applies itself among the rest, and so does the root of an app of apps. */
function otherAppliersOf(member: LabelledRef): readonly string[] {
  return appliersOf(member).filter((key) => key !== workloadKey(member));
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

const compiled = new WeakMap<TierConfig, (workload: LabelledRef) => boolean>();

/** Compiled once: a pass of a wake asks several times for the order, and a configuration never changes. */
function selectsOf(config: TierConfig): (workload: LabelledRef) => boolean {
  let selects = compiled.get(config);
  if (selects === undefined) {
    const selectors = config.select.map(compileSelector);
    selects = (workload) => selectors.some((matches) => matches(workload));
    compiled.set(config, selects);
  }
  return selects;
}

function openTier<Member extends LabelledRef>(config: TierConfig): OpenTier<Member> {
  return {
    name: config.name,
    timeout: config.timeout,
    names: new Set(config.databases),
    members: [],
    databases: [],
    selects: selectsOf(config),
  };
}

function closeTier<Member extends LabelledRef>(tier: OpenTier<Member>): Tier<Member> {
  const { name, timeout, members, databases } = tier;
  return timeout === undefined ? { name, members, databases } : { name, timeout, members, databases };
}
