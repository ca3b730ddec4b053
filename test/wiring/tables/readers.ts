import type { ProcessName } from '../harness/bundles.ts';

const both: readonly ProcessName[] = ['api', 'controller'];

/** Keys that both processes read, each for what it does itself; so each of them has to be seen to take them. */
const readByBoth = [
  /^clusterName$|^externalUrl$|^proxyURL$/,
  /^operations\.(?:dryRun|logLevel|devMode)$/,
  /^workingHours\./,
  /^targeting\./,
  /^resourceRules\.neverScale\[\]\.(?!reason$)/,
  /^(?:hibernate|wake)Ordering\.tiers\[\]\.(?:name$|select)/,
  /^databases\.<name>\.(?:type|identifier|region)$/,
  /^serviceRedirection\./,
  /^externalDependencies\[\]\.cluster$/,
  /^smtp\./,
  /^auth\.privacy\./,
  // The card of a test is sent by the api.
  /^notifications\.enabled$|^notifications\.channels\.teams\.(?:enabled|webhooks\[\]\.url)$/,
];

/** What the controller alone acts on. */
const readByController = [
  /^global\.|^controller\.|^notifications\./,
  /^(?:hibernate|wake)Ordering\./,
  /^databases\.<name>\.(?!hourlyRate$)/,
  /^externalDependencies\[\]\./,
  /^insights\.default/,
];

/** The processes that read a key; the frontend is started with what it needs, and reads no configuration. */
export function readersOf(key: string): readonly ProcessName[] {
  const isOne = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(key));
  if (isOne(readByBoth)) return both;
  return isOne(readByController) ? ['controller'] : ['api'];
}
