import { displayName, shortName } from '../formats/names.ts';
import { wait } from '../formats/times.ts';
import { list, optional, record, text } from '../formats/value-types.ts';
import { labels, selectorName, selectorNamespace, type } from './shared/selectors.ts';

const tier = record(
  {
    name: text({
      format: displayName,
      rule: 'unique within the ordering',
      description: 'Name of the tier in progress and reports.',
    }),
    timeout: optional(
      text({
        format: wait,
        description: 'How long the next tier waits for this one; the fallback of the controller while absent.',
      }),
    ),
    select: list(
      record(
        { namespace: selectorNamespace, type, name: selectorName, labels },
        { description: 'Workloads of one namespace or of a pattern of namespaces.' },
      ),
      { description: 'The workloads of this tier.' },
    ),
    databases: list(text({ format: shortName, description: 'A key of `config.databases`.' }), {
      rule: 'keys of `config.databases`, each in one tier at most',
      description: 'The managed databases of this tier.',
    }),
  },
  { description: 'A tier; it selects workloads, databases, or both.' },
);

const ordering = (what: string, rest: string) =>
  record(
    { tiers: list(tier, { maxItems: 100, description: `Tiers in ${what} order; ${rest}` }) },
    { description: `In which order the cluster ${what}s.` },
  );

export const hibernateOrdering = ordering('hibernate', 'what no tier names goes first; one pass while empty.');

export const wakeOrdering = ordering('wake', 'what no tier names goes last; one pass while empty.');
