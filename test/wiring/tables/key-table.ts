import { restartsPods } from '../../../src/config/in-the-pod.ts';
import { rightsTable } from '../../../tools/generate/rights-table.ts';
import type { ProcessName } from '../harness/bundles.ts';
import type { Evidence, Moment, SeenKey } from './evidence.ts';
import { readersOf } from './readers.ts';

/** Keys that are meant to have no effect, and why. */
const withoutEffect: ReadonlyMap<string, string> = new Map([
  ['awsCosts.cacheTTL', 'ignored, as the specification has it; kept so that older values files are accepted'],
  ['databases.<name>.provider', '`aws` is the only value there is'],
]);

type Seen = Pick<Evidence, 'keys'>;

interface Reading {
  readonly exempt?: ReadonlyMap<string, string>;
  readonly readers?: (key: string) => readonly ProcessName[];
}

/** One sentence for each key that has no effect in a running process, and for each row about a key that is none. */
export function keyProblems(
  all: readonly string[],
  { keys: seen }: Seen,
  { exempt = withoutEffect, readers = readersOf }: Reading = {},
): readonly string[] {
  const has = new Set(seen.map((one) => seenText(one)));
  const moments: readonly (readonly [Moment, string])[] = [
    ['start', 'that started with it'],
    ['reload', 'after a reload'],
  ];
  const known = new Set(all.filter((key) => !exempt.has(key)));
  return [
    ...[...known].flatMap((key) =>
      readers(key).flatMap((process) =>
        moments
          .filter(([moment]) => !has.has(seenText({ key, moment, in: process })))
          .map(([, when]) => `${key}: no effect was seen in the ${process} ${when}`),
      ),
    ),
    ...[...new Set(seen.map(({ key }) => key))]
      .filter((key) => !known.has(key))
      .map((key) => `${key}: there is a row for it, but no such key`),
    ...new Set(
      seen
        .filter((one) => known.has(one.key) && !readers(one.key).includes(one.in))
        .map((one) => `${one.key}: it has an effect in the ${one.in}, which is not said to read it`),
    ),
  ];
}

function seenText({ key, moment, in: process }: Pick<SeenKey, 'key' | 'moment' | 'in'>): string {
  return `${key} ${moment} ${process}`;
}

/** Keys with whose values the chart grants rights: an edit of the ConfigMap alone brings none of them. */
const granted: readonly string[] = rightsTable.flatMap(({ feature, where }) => [
  ...(feature?.startsWith('config.') ? [feature.slice('config.'.length)] : []),
  ...(where === 'redirected' ? ['serviceRedirection.services'] : []),
]);

/** In the running process; what the chart makes from the key comes with the next upgrade, as the configuration's reference says. */
function atOnce(key: string): string {
  const rights = granted.some((one) => key === one || key.startsWith(`${one}[`));
  const restart = restartsPods(key);
  const withRights = rights ? ', with the rights that `helm upgrade` grants to it' : '';
  return `at once${withRights}${restart === undefined ? '' : `, and pods restart: ${restart}`}`;
}

export function keyTable(keys: readonly string[], { keys: seen }: Seen): string {
  const rows = keys.map((key) => {
    const exempt = withoutEffect.get(key);
    if (exempt !== undefined) return `| \`${key}\` | ${exempt} | – |`;
    const own = seen.filter((one) => one.key === key);
    const how = new Map(own.map((one) => [one.in, one.how]));
    const words = [...how]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([process, text]) => `${process}: ${text}`);
    const after = own.some(({ moment }) => moment === 'reload') ? atOnce(key) : 'not shown yet';
    return `| \`${key}\` | ${words.join('; ') || 'not shown yet'} | ${after} |`;
  });
  return `| Key | Seen as | After a reload |\n|---|---|---|\n${rows.join('\n')}\n`;
}
