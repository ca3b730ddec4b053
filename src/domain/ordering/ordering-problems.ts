import { selectorProblems } from '../targeting/workload-selector.ts';
import { everythingElse, type OrderingConfig, type TierConfig, webhookTier } from './ordering.ts';

export interface OrderingProblem {
  /** Relative to the ordering: `tiers[1].name`. */
  readonly field: string;
  readonly message: string;
}

/** What is wrong with an ordering; `databases` are the names that `config.databases` has. */
export function orderingProblems(ordering: OrderingConfig, databases: readonly string[]): readonly OrderingProblem[] {
  const tiers = ordering.tiers ?? [];
  const known = new Set(databases);
  return tiers.flatMap((tier, index) => [
    ...nameProblems(tiers, index),
    ...emptyProblems(tier, index),
    ...selectProblems(tier, index),
    ...databaseProblems(tiers, index, known),
  ]);
}

function nameProblems(tiers: readonly TierConfig[], index: number): readonly OrderingProblem[] {
  const field = `tiers[${index}].name`;
  const name = tiers[index]?.name ?? '';
  if (name === '') return [{ field, message: 'is required: write a name that people recognise, such as databases' }];
  if (name === everythingElse) {
    return [{ field, message: `"${name}" is the name of the tier for what no tier selects: write another` }];
  }
  if (name === webhookTier) {
    return [{ field, message: `"${name}" is the name of the tier that every wake begins with: write another` }];
  }
  const earlier = tiers.findIndex((tier) => tier.name === name);
  if (earlier === index) return [];
  return [{ field, message: `"${name}" is also the name of tiers[${earlier}]: write a name of its own` }];
}

function emptyProblems(tier: TierConfig, index: number): readonly OrderingProblem[] {
  if (tier.select.length > 0 || (tier.databases ?? []).length > 0) return [];
  return [{ field: `tiers[${index}].select`, message: 'selects nothing: write a selector or name a database' }];
}

function selectProblems(tier: TierConfig, index: number): readonly OrderingProblem[] {
  return tier.select.flatMap((selector, at) =>
    selectorProblems(selector).map(({ field, message }) => ({
      field: `tiers[${index}].select[${at}].${field}`,
      message,
    })),
  );
}

function databaseProblems(
  tiers: readonly TierConfig[],
  index: number,
  known: ReadonlySet<string>,
): readonly OrderingProblem[] {
  return (tiers[index]?.databases ?? []).flatMap((name, at) => {
    const field = `tiers[${index}].databases[${at}]`;
    if (!known.has(name)) return [{ field, message: `"${name}" is not a key of config.databases` }];
    const earlier = tiers.findIndex((tier) => tier.databases?.includes(name));
    return earlier === index ? [] : [{ field, message: `"${name}" is already in tiers[${earlier}]: name it once` }];
  });
}
