import type { ClusterFacts, InstanceFacts } from '../database/stoppable.ts';

// The price of an hour of a database, from the cloud's public list of prices.

export interface PriceQuestion {
  readonly region: string;
  readonly instanceType: string;
  readonly databaseEngine: string;
  readonly databaseEdition?: string;
  readonly deploymentOption: string;
  readonly ioOptimized: boolean;
}

export type Rate = { readonly known: true; readonly hourly: number } | { readonly known: false; readonly why: string };

const engines: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  'aurora-mysql': 'Aurora MySQL',
  'aurora-postgresql': 'Aurora PostgreSQL',
};

const editions: Readonly<Record<string, string>> = {
  ee: 'Enterprise',
  se: 'Standard',
  se2: 'Standard Two',
  ex: 'Express',
  web: 'Web',
};

/** The query for the price list of one instance, or why the instance has no hourly price. */
export function priceQuestion(region: string, facts: InstanceFacts, cluster?: ClusterFacts): PriceQuestion | string {
  const { engine, instanceClass } = facts;
  if (instanceClass === 'db.serverless') return 'Aurora Serverless is billed by its capacity, not by the hour.';
  const [family, edition = ''] = engine.replace(/-cdb$/, '').split('-', 2) as [string, string?];
  const named = engines[engine];
  const licensed = family === 'oracle' ? 'Oracle' : family === 'sqlserver' ? 'SQL Server' : undefined;
  const databaseEngine = named ?? licensed;
  if (databaseEngine === undefined) return `The list of prices has no engine for ${engine}.`;
  const databaseEdition = licensed === undefined ? undefined : editions[edition];
  return {
    region,
    instanceType: instanceClass,
    databaseEngine,
    ...(databaseEdition === undefined ? {} : { databaseEdition }),
    deploymentOption: facts.multiAz && cluster === undefined ? 'Multi-AZ' : 'Single-AZ',
    ioOptimized: (cluster?.storageType ?? facts.storageType) === 'aurora-iopt1',
  };
}

interface PriceListing {
  readonly product?: { readonly attributes?: Readonly<Record<string, string>> };
  readonly terms?: {
    readonly OnDemand?: Readonly<
      Record<string, { readonly priceDimensions?: Readonly<Record<string, PriceDimension>> }>
    >;
  };
}

interface PriceDimension {
  readonly unit?: string;
  readonly pricePerUnit?: Readonly<Record<string, string>>;
}

/** The price an hour that the listings give; of several that fit, the lowest, so that no saving is claimed too high. */
export function hourlyPrice(question: PriceQuestion, listings: readonly string[]): Rate {
  const prices = listings.flatMap((text) => pricesOf(question, text)).filter((price) => price > 0);
  if (prices.length > 0) return { known: true, hourly: Math.min(...prices) };
  const { instanceType, databaseEngine, deploymentOption, region } = question;
  return {
    known: false,
    why: `The list of prices has no hour of ${instanceType} with ${databaseEngine} (${deploymentOption}) in ${region}.`,
  };
}

function pricesOf({ ioOptimized }: PriceQuestion, text: string): readonly number[] {
  const listing = parse(text);
  const usage = listing?.product?.attributes?.['usagetype'] ?? '';
  if (/IOOptimized/i.test(usage) !== ioOptimized) return [];
  const terms = Object.values(listing?.terms?.OnDemand ?? {});
  return terms
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions ?? {}))
    .filter(({ unit }) => unit === 'Hrs')
    .map(({ pricePerUnit }) => Number(pricePerUnit?.['USD'] ?? Number.NaN));
}

function parse(text: string): PriceListing | undefined {
  try {
    return JSON.parse(text) as PriceListing;
  } catch {
    return undefined;
  }
}
