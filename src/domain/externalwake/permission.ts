import type { KindTable } from '../kinds/kind-table.ts';
import { matchesGlob } from '../targeting/glob.ts';
import type { WakeTarget } from './session.ts';

/** What the configuration lets one dependent cluster wake. */
export interface WakePermission {
  readonly kinds: KindTable;
  readonly cluster: string;
  /** Empty means everything. */
  readonly resources: readonly WakeTarget[];
  /** Names or patterns: never woken by another cluster. */
  readonly excludedNamespaces: readonly string[];
}

export interface WakeProblem {
  readonly code: 'invalid_request' | 'forbidden';
  readonly field: string;
  readonly message: string;
}

/** The first thing wrong with what a cluster asks for. */
export function wakeProblem(permission: WakePermission, targets: readonly WakeTarget[]): WakeProblem | undefined {
  if (targets.length === 0 && permission.resources.length > 0) {
    return invalid('resources', 'must be named: this cluster may not wake the whole cluster');
  }
  for (const [index, target] of targets.entries()) {
    const problem = targetProblem(permission, target, `resources[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function targetProblem(permission: WakePermission, target: WakeTarget, field: string): WakeProblem | undefined {
  const { cluster, resources, excludedNamespaces } = permission;
  for (const part of ['namespace', 'name'] as const) {
    if (target[part] === '') return invalid(`${field}.${part}`, 'is empty');
  }
  if (target.type !== undefined && permission.kinds.called(target.type) === undefined) {
    return invalid(`${field}.type`, `must be ${permission.kinds.listed}`);
  }
  if (excludedNamespaces.some((pattern) => matchesGlob(pattern, target.namespace))) {
    return forbidden(field, `Namespace ${target.namespace} is never woken by another cluster.`);
  }
  if (resources.length > 0 && !resources.some((rule) => covers(rule, target, permission.kinds))) {
    return forbidden(field, `${field} is not among the resources that ${cluster} may wake.`);
  }
  return undefined;
}

/** A rule that names more than the target does covers less than it. */
function covers(rule: WakeTarget, target: WakeTarget, { called }: KindTable): boolean {
  const sameType = rule.type === undefined || (target.type !== undefined && called(rule.type) === called(target.type));
  return (
    sameType &&
    patternCovers(rule.namespace, target.namespace) &&
    (rule.name === undefined || patternCovers(rule.name, target.name ?? '*'))
  );
}

/** Whether every text that the target stands for is one that the rule stands for. A `?` does not stand for a `*`. */
function patternCovers(rule: string, target: string): boolean {
  if (rule === target) return true;
  return !(rule.includes('?') && target.includes('*')) && matchesGlob(rule, target);
}

function invalid(field: string, message: string): WakeProblem {
  return { code: 'invalid_request', field, message };
}

function forbidden(field: string, message: string): WakeProblem {
  return { code: 'forbidden', field, message };
}
