// Rules between fields. Each looks at a configuration whose single values were already checked; an empty text stands
// for a value that was missing or wrong and has been reported, so no rule complains of it again.

import { kindProblems } from '../domain/kinds/described-problems.ts';
import { builtInCalled, isCalled } from '../domain/kinds/kind-table.ts';
import { kindNames, listed } from '../domain/kinds/kinds.ts';
import { orderingProblems } from '../domain/ordering/ordering-problems.ts';
import type { PathSegment, Problem } from './config-error.ts';
import type { Config } from './config-node.ts';
import { quote } from './formats/quote.ts';

type Rule = (config: Config) => readonly Problem[];

const rules: readonly Rule[] = [
  externalUrlIsInsecure,
  internalUrlIsNotBare,
  relyingPartyIsForeign,
  excludeEntryIsAmbiguous,
  kindsAreWrong,
  typeIsUnknown,
  (config) => tierProblems('hibernateOrdering', config),
  (config) => tierProblems('wakeOrdering', config),
  dependencyProblems,
  redirectedTwice,
  localClusterNameIsMissing,
  wakingClusterProblems,
  tagValueIsMissing,
];

export function fieldRuleProblems(config: Config): readonly Problem[] {
  return rules.flatMap((rule) => rule(config));
}

const isPlainHttp = (url: string) => url.startsWith('http://');

function externalUrlIsInsecure({ externalUrl, allowInsecureExternalUrl }: Config): readonly Problem[] {
  if (!isPlainHttp(externalUrl) || allowInsecureExternalUrl) return [];
  return one(
    ['externalUrl'],
    `${quote(externalUrl)} is not https; use https, or set allowInsecureExternalUrl for local development`,
  );
}

function internalUrlIsNotBare({ internalUrl, auth }: Config): readonly Problem[] {
  if (!auth.webauthn.enabled || internalUrl === '') return [];
  const { pathname, origin } = new URL(internalUrl);
  if (pathname === '/') return [];
  return one(
    ['internalUrl'],
    `${quote(internalUrl)} has a path, which passkeys do not allow; write ${origin}, or turn auth.webauthn.enabled off`,
  );
}

function relyingPartyIsForeign({ internalUrl, externalUrl, auth }: Config): readonly Problem[] {
  const { enabled, rpId } = auth.webauthn;
  const own = internalUrl || externalUrl;
  if (!enabled || rpId === '' || own === '') return [];
  const host = new URL(own).hostname;
  const id = rpId.toLowerCase();
  const isParent = host.endsWith(`.${id}`) && id.includes('.') && !isAddress(host);
  if (id === host || isParent) return [];
  return one(
    ['auth', 'webauthn', 'rpId'],
    `${quote(rpId)} is neither the host ${quote(host)} nor a parent domain of it with at least two labels; leave it empty for the host itself`,
  );
}

/** An IP address has no parent domain, though `0.0.1` ends one. */
const isAddress = (host: string) => host.startsWith('[') || /^[0-9.]+$/.test(host);

function excludeEntryIsAmbiguous({ targeting }: Config): readonly Problem[] {
  return targeting.namespaces.exclude.flatMap(({ exact, pattern }, index) => {
    const at = ['targeting', 'namespaces', 'exclude', index];
    if (exact !== undefined && pattern !== undefined) {
      return one(at, `invalid exclude pattern ${index}: cannot specify both pattern and exact`);
    }
    if (exact === undefined && pattern === undefined) {
      return one(at, `invalid exclude pattern ${index}: must specify either pattern or exact`);
    }
    return [];
  });
}

/** The ordering's own rules decide; they name a field as `tiers[1].databases[0]`. */
function tierProblems(key: 'hibernateOrdering' | 'wakeOrdering', config: Config): readonly Problem[] {
  return orderingProblems(config[key], Object.keys(config.databases)).map(({ field, message }) => {
    const segments = [...field.matchAll(/\[(\d+)\]|\w+/g)].map(([word, index]) =>
      index === undefined ? word : Number(index),
    );
    return { at: [key, ...segments], message };
  });
}

function kindsAreWrong({ targeting }: Config): readonly Problem[] {
  return kindProblems(targeting.kinds).map(({ entry, field, message }) => ({
    at: ['targeting', 'kinds', entry, ...(field === undefined ? [] : [field])],
    message,
  }));
}

/** A type is a kind of the table, or one that the same configuration describes. */
function typeIsUnknown(config: Config): readonly Problem[] {
  const { resourceRules, externalDependencies, externalWake } = config;
  const described = config.targeting.kinds.flatMap((entry) => (typeof entry === 'string' ? [] : entry.kind));
  const isKnown = (type: string) => builtInCalled(type) !== undefined || described.some((kind) => isCalled(kind, type));
  const right = listed([...kindNames, ...described.filter((kind) => kind !== '')]);
  const within = (at: readonly PathSegment[], selectors: readonly { readonly type?: string }[] = []) =>
    selectors.flatMap(({ type = '' }, index) =>
      type === '' || isKnown(type) ? [] : one([...at, index, 'type'], `${quote(type)} is not a type: write ${right}`),
    );
  return [
    ...within(['resourceRules', 'neverScale'], resourceRules.neverScale),
    ...(['hibernateOrdering', 'wakeOrdering'] as const).flatMap((key) =>
      config[key].tiers.flatMap(({ select }, tier) => within([key, 'tiers', tier, 'select'], select)),
    ),
    ...externalDependencies.flatMap((host, index) =>
      within(['externalDependencies', index, 'resources'], host.resources),
    ),
    ...externalWake.clusters.flatMap((cluster, index) =>
      within(['externalWake', 'clusters', index, 'resources'], cluster.resources),
    ),
  ];
}

function dependencyProblems({ externalDependencies, allowInsecureExternalUrl }: Config): readonly Problem[] {
  const insecure = externalDependencies.flatMap(({ url }, index) =>
    isPlainHttp(url) && !allowInsecureExternalUrl
      ? one(
          ['externalDependencies', index, 'url'],
          `${quote(url)} is not https; use https, or set allowInsecureExternalUrl for local development`,
        )
      : [],
  );
  const twice = duplicates(
    externalDependencies,
    (entry) => entry.cluster,
    (index) => ['externalDependencies', index, 'cluster'],
  );
  return [...insecure, ...twice];
}

function redirectedTwice({ serviceRedirection }: Config): readonly Problem[] {
  return duplicates(
    serviceRedirection.services,
    ({ namespace, name }) => (namespace === '' || name === '' ? '' : `${namespace}/${name}`),
    (index) => ['serviceRedirection', 'services', index],
  );
}

function localClusterNameIsMissing({ externalWake }: Config): readonly Problem[] {
  if (!externalWake.enabled || externalWake.localClusterName !== '') return [];
  return one(['externalWake', 'localClusterName'], 'is required while externalWake.enabled is true');
}

function wakingClusterProblems({ externalWake }: Config): readonly Problem[] {
  const { clusters, localClusterName } = externalWake;
  const itself = clusters.flatMap(({ name }, index) =>
    name !== '' && name === localClusterName
      ? one(
          ['externalWake', 'clusters', index, 'name'],
          `${quote(name)} is this cluster's own localClusterName; name another cluster`,
        )
      : [],
  );
  return [
    ...itself,
    ...duplicates(
      clusters,
      (entry) => entry.name,
      (index) => ['externalWake', 'clusters', index, 'name'],
    ),
  ];
}

function tagValueIsMissing({ awsCosts }: Config): readonly Problem[] {
  if (!awsCosts.enabled || awsCosts.tagValue !== '') return [];
  return one(['awsCosts', 'tagValue'], 'is required while awsCosts.enabled is true');
}

function duplicates<T>(
  entries: readonly T[],
  nameOf: (entry: T) => string,
  at: (index: number) => readonly PathSegment[],
): readonly Problem[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, index) => {
    const name = nameOf(entry);
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, index);
    return name === '' || earlier === undefined
      ? []
      : one(at(index), `${quote(name)} is already used by entry ${earlier}; each may be there once`);
  });
}

function one(at: readonly PathSegment[], message: string): readonly Problem[] {
  return [{ at, message }];
}
