import { restartsPods } from '../../../src/config/in-the-pod.ts';
import { rightsTable } from '../../../tools/generate/rights-table.ts';
import type { Evidence, Moment } from './evidence.ts';

type KeyEvidence = Pick<Evidence, 'keys' | 'restart'>;

/** Keys that are meant to have no effect, and why. */
const withoutEffect: ReadonlyMap<string, string> = new Map([
  ['awsCosts.cacheTTL', 'ignored, as the specification has it; kept so that older values files are accepted'],
  ['databases.<name>.provider', '`aws` is the only value there is'],
]);

/** One sentence for each key that has no effect in a running process, and for each row about a key that is none. */
export function keyProblems(
  all: readonly string[],
  { keys: seen, restart }: KeyEvidence,
  exempt: ReadonlyMap<string, string> = withoutEffect,
): readonly string[] {
  const keys = all.filter((key) => !exempt.has(key));
  const at = (moment: Moment) => new Set(seen.filter((one) => one.moment === moment).map(({ key }) => key));
  const [atStart, afterReload] = [at('start'), at('reload')];
  const reasons = new Map(restart.map(({ key, why }) => [key, why]));
  const known = new Set(keys);
  return [
    ...keys.flatMap((key) => {
      if (!atStart.has(key)) return [`${key}: no effect was seen in a process that started with it`];
      if (afterReload.has(key)) {
        return reasons.has(key) ? [`${key}: a reload is enough, though it is listed as one that needs a restart`] : [];
      }
      return (reasons.get(key) ?? '') === '' ? [`${key}: no effect was seen after a reload`] : [];
    }),
    ...[...new Set([...seen.map(({ key }) => key), ...reasons.keys()])]
      .filter((key) => !known.has(key))
      .map((key) => `${key}: there is a row for it, but no such key`),
  ];
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

export function keyTable(keys: readonly string[], evidence: KeyEvidence): string {
  const how = new Map(evidence.keys.map((one) => [one.key, one.how]));
  const why = new Map(evidence.restart.map((one) => [one.key, one.why]));
  const reloaded = new Set(evidence.keys.flatMap(({ key, moment }) => (moment === 'reload' ? [key] : [])));
  const rows = keys.map((key) => {
    const exempt = withoutEffect.get(key);
    if (exempt !== undefined) return `| \`${key}\` | ${exempt} | – |`;
    const after = reloaded.has(key) ? atOnce(key) : (why.get(key) ?? 'not shown yet');
    return `| \`${key}\` | ${how.get(key) ?? 'not shown yet'} | ${after} |`;
  });
  return `| Key | Seen as | After a reload |\n|---|---|---|\n${rows.join('\n')}\n`;
}
