import type { DescribedKind } from './described-kind.ts';
import { builtInCalled, type KindEntry } from './kind-table.ts';
import { isOnWhenNamed, kindNames, rowOf } from './kinds.ts';
import { isOfKubernetes } from './kinds-of-kubernetes.ts';

export interface DescribedProblem {
  readonly entry: number;
  /** Absent when the entry as a whole is wrong. */
  readonly field?: 'kind' | 'plural';
  readonly message: string;
}

/** Everything that is wrong between the entries of `config.targeting.kinds`, whose single values are right. */
export function kindProblems(entries: readonly KindEntry[]): readonly DescribedProblem[] {
  const names = entries.map((entry) => (typeof entry === 'string' ? entry : entry.kind).toLowerCase());
  return entries.flatMap((entry, index) => [
    ...twice(entry, index, names),
    ...(typeof entry === 'string' ? [] : describedProblems(entry, index, entries)),
  ]);
}

function twice(entry: KindEntry, index: number, names: readonly string[]): readonly DescribedProblem[] {
  const earlier = names.indexOf(names[index] ?? '');
  if (earlier === index || names[index] === '') return [];
  const [name, field] = typeof entry === 'string' ? [entry, {}] : [entry.kind, { field: 'kind' as const }];
  return [{ entry: index, ...field, message: `"${name}" is already used by entry ${earlier}; each may be there once` }];
}

function describedProblems(
  described: DescribedKind,
  entry: number,
  entries: readonly KindEntry[],
): readonly DescribedProblem[] {
  const kind = kindProblem(described.kind);
  const place = placeProblem(described, entries.slice(0, entry));
  const sleep = sleepProblem(described);
  return [
    ...(kind === undefined ? [] : [{ entry, field: 'kind' as const, message: kind }]),
    ...(place === undefined ? [] : [{ entry, field: 'plural' as const, message: place }]),
    ...(sleep === undefined ? [] : [{ entry, message: sleep }]),
  ];
}

function kindProblem(kind: string): string | undefined {
  if (isOfKubernetes(kind))
    return `"${kind}" is the name of a kind of Kubernetes itself, which cannot be described; describe a custom resource`;
  const known = builtInCalled(kind);
  if (known === undefined) return undefined;
  return isOnWhenNamed(known)
    ? `"${kind}" is known to the service; write ${known} alone, without a description`
    : `"${kind}" always sleeps; leave it out`;
}

function placeProblem({ group, plural }: DescribedKind, before: readonly KindEntry[]): string | undefined {
  if (group === '' || plural === '') return undefined;
  const resource = `${plural}.${group}`;
  const known = kindNames.find((one) => `${rowOf(one).plural}.${rowOf(one).group}` === resource);
  if (known !== undefined) return `${resource} is known to the service; write ${known} alone, without a description`;
  const earlier = before.findIndex((one) => typeof one !== 'string' && `${one.plural}.${one.group}` === resource);
  return earlier < 0 ? undefined : `${resource} is already described by entry ${earlier}; each may be there once`;
}

const ways = ['scale', 'field', 'annotation'] as const;

function sleepProblem(described: DescribedKind): string | undefined {
  const given = ways.filter((way) => described[way] !== undefined);
  if (given.length === 1) return undefined;
  const does = given.length === 0 ? 'does not say by what it sleeps' : `sets ${given.join(' and ')}`;
  return `${does}; set exactly one of scale, field and annotation`;
}
