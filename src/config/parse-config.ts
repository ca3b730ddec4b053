import type { ConfigError, Problem } from './config-error.ts';
import { pathText } from './config-error.ts';
import { type Config, configNode } from './config-node.ts';
import { fieldRuleProblems } from './field-rules.ts';
import { blank, readValue } from './read-value.ts';

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  /** `readable`: what can be read of it, with defaults in place of what is wrong; absent when that is nothing. */
  | { readonly ok: false; readonly errors: readonly ConfigError[]; readonly readable?: Config };

/**
 * The configuration of values that are at hand, with its errors as people read them.
 * @internal Of tests; what starts or reloads has a text, and asks `parseConfigText`.
 */
export function parseConfig(input: unknown): ParsedConfig {
  const checked = checkConfig(input);
  if ('config' in checked) return { ok: true, config: checked.config };
  return { ok: false, errors: checked.problems.map(({ at, message }) => ({ path: pathText(at), message })) };
}

/** Start and reload both come through here, so a configuration that a reload refuses also stops a start. */
export function checkConfig(
  input: unknown,
): { readonly config: Config } | { readonly problems: readonly Problem[]; readonly readable: Config } {
  const problems: Problem[] = [];
  // An empty document is an empty map: everything that is required is then named.
  const config = readValue(configNode, input ?? {}, [], problems) as Config;
  const reported = new Set(problems.map(({ at }) => pathText(at)));
  for (const problem of fieldRuleProblems(config)) {
    if (!reported.has(pathText(problem.at))) problems.push(problem);
  }
  return problems.length === 0 ? { config: deepFreeze(config) } : { problems, readable: deepFreeze(config) };
}

/** What every field is when nothing is configured; the required ones are empty. */
export const defaultConfig: Config = deepFreeze(blank(configNode) as Config);

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
