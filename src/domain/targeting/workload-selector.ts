import { builtInCalled, isCalled } from '../kinds/kind-table.ts';
import type { WorkloadKind } from '../kinds/kinds.ts';
import type { StringMap, WorkloadRef } from '../workload.ts';
import { matchesGlob } from './glob.ts';

/** Which workloads an entry of the configuration means. Every field that is given must match. */
export interface WorkloadSelector {
  /** A name, or a pattern with `*` and `?`. */
  readonly namespace: string;
  /** A kind, in any case, singular or plural, one of the table also short as kubectl knows it; absent means all of them. */
  readonly type?: string;
  /** A name, or a pattern with `*` and `?`. */
  readonly name?: string;
  /** Each must be there with exactly this value. */
  readonly labels?: StringMap;
  /** Each must be there with exactly this value. */
  readonly annotations?: StringMap;
}

export interface Selectable extends WorkloadRef {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

export interface SelectorProblem {
  /** Relative to the selector. */
  readonly field: 'namespace' | 'name';
  readonly message: string;
}

/** Everything that keeps the selector from being compiled; empty when nothing does. Which types there are, the configuration says. */
export function selectorProblems(selector: WorkloadSelector): readonly SelectorProblem[] {
  const problems: SelectorProblem[] = [];
  if (selector.namespace === '') {
    problems.push({ field: 'namespace', message: 'is required: write a name or a pattern such as shop-*' });
  }
  if (selector.name === '') {
    problems.push({
      field: 'name',
      message: 'is empty: write a name or a pattern, or leave it out to mean every name',
    });
  }
  return problems;
}

/** Throws a RangeError for what `selectorProblems` names: validation comes before. */
export function compileSelector(selector: WorkloadSelector): (workload: Selectable) => boolean {
  const [problem] = selectorProblems(selector);
  if (problem !== undefined) throw new RangeError(`${problem.field}: ${problem.message}`);
  const ofType = selector.type === undefined ? undefined : kindMatcher(selector.type);
  const inNamespace = nameMatcher(selector.namespace);
  const named = selector.name === undefined ? undefined : nameMatcher(selector.name);
  const labels = Object.entries(selector.labels ?? {});
  const annotations = Object.entries(selector.annotations ?? {});
  return (workload) =>
    (ofType === undefined || ofType(workload.kind)) &&
    inNamespace(workload.namespace) &&
    (named === undefined || named(workload.name)) &&
    labels.every(([key, value]) => workload.labels?.[key] === value) &&
    annotations.every(([key, value]) => workload.annotations?.[key] === value);
}

/** A type of the table is one comparison; any other is a kind that the configuration describes. */
function kindMatcher(type: string): (kind: WorkloadKind) => boolean {
  const known = builtInCalled(type);
  return known === undefined ? (kind) => isCalled(kind, type) : (kind) => kind === known;
}

/** Most entries name what they mean, which is compared much faster than a pattern is matched. */
function nameMatcher(pattern: string): (text: string) => boolean {
  return /[*?]/.test(pattern) ? (text) => matchesGlob(pattern, text) : (text) => text === pattern;
}

/** `namespace=shop type=Deployment name=cart*`, for reasons. */
export function selectorText(selector: WorkloadSelector): string {
  const pairs = (prefix: string, map: StringMap = {}) =>
    Object.entries(map).map(([key, value]) => `${prefix} ${key}=${value}`);
  return [
    `namespace=${selector.namespace}`,
    ...(selector.type === undefined ? [] : [`type=${builtInCalled(selector.type) ?? selector.type}`]),
    ...(selector.name === undefined ? [] : [`name=${selector.name}`]),
    ...pairs('label', selector.labels),
    ...pairs('annotation', selector.annotations),
  ].join(' ');
}
