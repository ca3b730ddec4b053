import type { ProcessName } from '../harness/bundles.ts';

const both: readonly ProcessName[] = ['api', 'controller'];

/**
 * Keys that both processes read, each for what it does itself; so each of them has to be seen to take them. The command line
 * with a kubeconfig runs the code of the API, for one command under one configuration.
 */
const readByBoth = [
  /^clusterName$|^externalUrl$|^proxyURL$|^allowInsecureExternalUrl$/,
  /^operations\.(?:dryRun|logLevel|devMode)$/,
  /^workingHours\.|^holidays\./,
  /^targeting\.|^resourceRules\./,
  /^(?:hibernate|wake)Ordering\.tiers\[\]\.(?:name$|select)/,
  /^wakeOrdering\.tiers\[\]\.databases$/,
  /^databases\.<name>\.(?:type|identifier|region|endpoint|profile|proxyURL)$/,
  /^serviceRedirection\./,
  /^externalDependencies\[\]\.cluster$/,
  /^externalWake\.excludedNamespaces$/,
  /^smtp\./,
  /^auth\.privacy\./,
  /^insights\.(?:default|enabled$)/,
  /^awsCosts\.(?:enabled|tagValue)$/,
  // The card of a test is sent by the api.
  /^notifications\.enabled$|^notifications\.retry\.timeoutSeconds$/,
  /^notifications\.channels\.teams\.(?:enabled|webhooks\[\]\.(?:name|url))$/,
  /^notifications\.channels\.email\.(?:enabled|recipients\[\]\.address)$/,
];

/** What the controller alone acts on. */
const readByController = [
  /^global\.|^controller\.|^notifications\./,
  /^(?:hibernate|wake)Ordering\./,
  /^databases\.<name>\.(?!hourlyRate$)/,
  /^externalDependencies\[\]\./,
];

/** The processes that read a key; the frontend is started with what it needs, and reads no configuration. */
export function readersOf(key: string): readonly ProcessName[] {
  const isOne = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(key));
  if (isOne(readByBoth)) return both;
  return isOne(readByController) ? ['controller'] : ['api'];
}

/** What the code of a process reads beyond that, and why no row shows an effect of it there. */
export const readBesides: readonly { readonly in: ProcessName; readonly keys: RegExp; readonly why: string }[] = [
  {
    in: 'api',
    keys: /^controller\.(?:reconcileInterval|hibernateTierTimeout|wakeBarrierTimeout|workloadSettleTimeout)$/,
    why: 'compiled once for whoever asks, and the controller alone does',
  },
  {
    in: 'api',
    keys: /^(?:hibernate|wake)Ordering\.tiers\[\]\.timeout$|^hibernateOrdering\.tiers\[\]\.databases$/,
    why: 'the preview asks for the order of workloads, which neither changes',
  },
  {
    in: 'api',
    keys: /^notifications\.channels\.(?:slack|webhook)\.|^notifications\.channels\.\w+\.\w+\[\]\.events\./,
    why: 'a test goes to mail and Teams alone, whatever events they take',
  },
];
