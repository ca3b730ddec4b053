import { builtInRow, scalesAnother } from '../kinds/kinds.ts';
import { annotations } from '../names.ts';
import { type ControllingOwner, isScalable, type StringMap, type Workload, workloadKey } from '../workload.ts';
import { matchesGlob } from './glob.ts';
import { compileSelector, selectorText, type WorkloadSelector } from './workload-selector.ts';

/** An entry of `config.targeting.namespaces.exclude`; exactly one of the two is set. */
interface NamespaceExclusion {
  readonly exact?: string;
  readonly pattern?: string;
}

/** An entry of `config.resourceRules.neverScale`. */
export interface NeverScaleRule extends WorkloadSelector {
  readonly reason?: string;
}

export interface TargetingRules {
  readonly ownNamespace: string;
  readonly targeting: { readonly namespaces: { readonly exclude: readonly NamespaceExclusion[] } };
  readonly neverScale: readonly NeverScaleRule[];
}

interface NamespaceFacts {
  readonly annotations: StringMap;
  readonly terminating: boolean;
}

interface ScaleTarget {
  readonly kind: string;
  readonly name: string;
}

export interface HpaFacts {
  readonly namespace: string;
  readonly name: string;
  readonly target: ScaleTarget;
  /** `spec.minReplicas`; an absent value means 1, as the apiserver has it. */
  readonly minReplicas: number;
  readonly controlledBy?: ControllingOwner;
}

export interface ScaledObjectFacts {
  readonly namespace: string;
  readonly name: string;
  /** KEDA takes an absent kind for Deployment; so must whoever fills this in. */
  readonly target: ScaleTarget;
}

/** A workload that runs another one in its own way. */
export interface DriverFacts {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly target: ScaleTarget;
}

/** What one pass has read of the cluster around the workloads. */
export interface ScalingFacts {
  readonly namespaces: ReadonlyMap<string, NamespaceFacts>;
  readonly hpas: readonly HpaFacts[];
  readonly scaledObjects: readonly ScaledObjectFacts[];
  readonly drivers: readonly DriverFacts[];
}

export type SkipCode =
  | 'own_namespace'
  | 'deleting'
  | 'namespace_unknown'
  | 'namespace_terminating'
  | 'namespace_excluded'
  | 'system_namespace'
  | 'excluded_by_annotation'
  | 'never_scale'
  | 'scaled_object'
  | 'operator'
  | 'deletes_volumes'
  | 'autoscaler_from_zero'
  | 'kept_up_by_floor'
  | 'frozen_by_owner'
  | 'applies_nothing';

export interface SkipReason {
  readonly code: SkipCode;
  readonly text: string;
}

export type Classification = { readonly targeted: true } | { readonly targeted: false; readonly reason: SkipReason };

export interface CompiledTargeting {
  readonly ownNamespace: string;
  /** Why this namespace is excluded by name, if it is. */
  excludedName(namespace: string): string | undefined;
  readonly neverScale: readonly { readonly rule: NeverScaleRule; matches(workload: Workload): boolean }[];
}

/** Everything `classify` looks at, indexed once a pass. */
export interface TargetingContext {
  readonly targeting: CompiledTargeting;
  readonly namespaces: ReadonlyMap<string, NamespaceFacts>;
  /** By the workload they scale; nothing stops people from pointing two at one. */
  readonly hpas: ReadonlyMap<string, readonly HpaFacts[]>;
  readonly scaledObjects: ReadonlyMap<string, ScaledObjectFacts>;
  readonly drivers: ReadonlyMap<string, DriverFacts>;
  /** By key: autoscalers that are held while their targets sleep. */
  readonly held: ReadonlySet<string>;
}

type Check = (workload: Workload, context: TargetingContext) => SkipReason | undefined;

// The first reason wins. What nobody can change by configuration comes first, then what people asked for, then what
// we found out by ourselves: so the reason shown is the one that its reader can act on.
const checks: readonly Check[] = [
  inOwnNamespace,
  beingDeleted,
  inUnknownNamespace,
  inTerminatingNamespace,
  inExcludedNamespace,
  inSystemNamespace,
  namespaceAnnotated,
  workloadAnnotated,
  neverScaled,
  drivenByScaledObject,
  drivenByWorkload,
  drivenByOperator,
  wouldLoseVolumes,
  scaledFromZeroByHpa,
  keptUpByFloor,
  frozenByOwner,
];

export function compileTargeting(rules: TargetingRules): CompiledTargeting {
  return {
    ownNamespace: rules.ownNamespace,
    excludedName: (namespace) => excludedName(rules.targeting.namespaces.exclude, namespace),
    neverScale: rules.neverScale.map((rule) => ({ rule, matches: compileSelector(rule) })),
  };
}

export function targetingContext(targeting: CompiledTargeting, around: ScalingFacts): TargetingContext {
  return {
    targeting,
    namespaces: around.namespaces,
    hpas: Map.groupBy(around.hpas, (hpa) => targetKey(hpa.namespace, hpa.target)),
    scaledObjects: new Map(around.scaledObjects.map((object) => [targetKey(object.namespace, object.target), object])),
    drivers: new Map(around.drivers.map((driver) => [targetKey(driver.namespace, driver.target), driver])),
    held: new Set(),
  };
}

/** The same, with those of these workloads that scale others and are ours to hold: what they may raise is then ours too. */
export function withHeldScalers(context: TargetingContext, workloads: readonly Workload[]): TargetingContext {
  const held = workloads.filter((one) => scalesAnother(one.kind) && classify(one, context).targeted);
  return { ...context, held: new Set(held.map(workloadKey)) };
}

/** Whether the service scales this workload; if not, the first reason. A plain HPA is no reason: it rests at zero. */
export function classify(workload: Workload, context: TargetingContext): Classification {
  for (const check of checks) {
    const reason = check(workload, context);
    if (reason !== undefined) return { targeted: false, reason };
  }
  return { targeted: true };
}

/** Any value but `false` excludes: who wrote the annotation wanted something left alone. */
function saysExclude(map: StringMap): boolean {
  const value = map[annotations.exclude];
  return value !== undefined && value.trim().toLowerCase() !== 'false';
}

function saysInclude(map: StringMap): boolean {
  return map[annotations.exclude] !== undefined && !saysExclude(map);
}

function inOwnNamespace(workload: Workload, { targeting }: TargetingContext): SkipReason | undefined {
  if (workload.namespace !== targeting.ownNamespace) return undefined;
  return { code: 'own_namespace', text: `Namespace ${workload.namespace} is the service's own` };
}

function beingDeleted(workload: Workload): SkipReason | undefined {
  return workload.deleting ? { code: 'deleting', text: `The ${workload.kind} is being deleted` } : undefined;
}

function inUnknownNamespace(workload: Workload, { namespaces }: TargetingContext): SkipReason | undefined {
  if (namespaces.has(workload.namespace)) return undefined;
  if (workload.namespace === '') return { code: 'namespace_unknown', text: `A ${workload.kind} is of no namespace` };
  return { code: 'namespace_unknown', text: `Namespace ${workload.namespace} has not been read yet` };
}

function inTerminatingNamespace(workload: Workload, { namespaces }: TargetingContext): SkipReason | undefined {
  if (namespaces.get(workload.namespace)?.terminating !== true) return undefined;
  return { code: 'namespace_terminating', text: `Namespace ${workload.namespace} is being deleted` };
}

function inExcludedNamespace(workload: Workload, { targeting }: TargetingContext): SkipReason | undefined {
  const why = targeting.excludedName(workload.namespace);
  return why === undefined ? undefined : { code: 'namespace_excluded', text: why };
}

/** Those that Kubernetes makes itself. Without what runs in them the cluster has no DNS, and nothing that could wake it. */
const systemNamespaces: ReadonlySet<string> = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

/** Whatever list of excluded namespaces takes the place of the default: only who says so on the namespace itself means it. */
function inSystemNamespace({ namespace }: Workload, { namespaces }: TargetingContext): SkipReason | undefined {
  if (!systemNamespaces.has(namespace) || saysInclude(namespaces.get(namespace)?.annotations ?? {})) return undefined;
  const text = `Namespace ${namespace} holds parts of the cluster itself and does not carry the annotation ${annotations.exclude}: "false"`;
  return { code: 'system_namespace', text };
}

function namespaceAnnotated(workload: Workload, { namespaces }: TargetingContext): SkipReason | undefined {
  const namespace = namespaces.get(workload.namespace);
  if (namespace === undefined || !saysExclude(namespace.annotations)) return undefined;
  const text = `Namespace ${workload.namespace} carries the annotation ${annotations.exclude}`;
  return { code: 'excluded_by_annotation', text };
}

function workloadAnnotated(workload: Workload): SkipReason | undefined {
  if (!saysExclude(workload.annotations)) return undefined;
  return {
    code: 'excluded_by_annotation',
    text: `The ${workload.kind} carries the annotation ${annotations.exclude}`,
  };
}

function neverScaled(workload: Workload, { targeting }: TargetingContext): SkipReason | undefined {
  const found = targeting.neverScale.find((entry) => entry.matches(workload));
  if (found === undefined) return undefined;
  const given = found.rule.reason;
  const why = given === undefined || given === '' ? '' : `: ${given}`;
  return { code: 'never_scale', text: `Never scaled by the rule ${selectorText(found.rule)}${why}` };
}

function drivenByScaledObject(workload: Workload, context: TargetingContext): SkipReason | undefined {
  const key = targetKey(workload.namespace, workload);
  // KEDA's own HPA gives it away where ScaledObjects themselves may not be read.
  const owners = (context.hpas.get(key) ?? []).map((hpa) => hpa.controlledBy);
  const name = context.scaledObjects.get(key)?.name ?? owners.find((owner) => owner?.kind === 'ScaledObject')?.name;
  return name === undefined
    ? undefined
    : { code: 'scaled_object', text: `The KEDA ScaledObject ${name} drives its replicas` };
}

function drivenByWorkload(workload: Workload, { drivers }: TargetingContext): SkipReason | undefined {
  const driver = drivers.get(targetKey(workload.namespace, workload));
  return driver === undefined
    ? undefined
    : { code: 'operator', text: `${driver.kind} ${driver.name} runs its pods in its place` };
}

function drivenByOperator(workload: Workload): SkipReason | undefined {
  const owner = workload.controlledBy;
  if (owner === undefined) return undefined;
  return { code: 'operator', text: `${owner.kind} ${owner.name} (${owner.apiVersion}) controls it` };
}

function wouldLoseVolumes(workload: Workload): SkipReason | undefined {
  if (!isScalable(workload) || !workload.scalingDownDeletesVolumes) return undefined;
  return {
    code: 'deletes_volumes',
    text: 'Scaling it down would delete its volumes (persistentVolumeClaimRetentionPolicy.whenScaled is Delete)',
  };
}

function scaledFromZeroByHpa(workload: Workload, { hpas, held }: TargetingContext): SkipReason | undefined {
  const hpa = hpas
    .get(targetKey(workload.namespace, workload))
    ?.find((one) => one.minReplicas === 0 && !held.has(workloadKey({ ...one, kind: 'HorizontalPodAutoscaler' })));
  if (hpa === undefined) return undefined;
  return {
    code: 'autoscaler_from_zero',
    text: `The HorizontalPodAutoscaler ${hpa.name} has minReplicas 0 and may scale it up from zero`,
  };
}

function keptUpByFloor(workload: Workload): SkipReason | undefined {
  if (isScalable(workload) || workload.keptUpBy === undefined) return undefined;
  return { code: 'kept_up_by_floor', text: `Its ${workload.keptUpBy}: it can sleep once that is 0` };
}

function frozenByOwner({ kind, annotations }: Workload): SkipReason | undefined {
  const row = builtInRow(kind);
  if (row?.frozenBy === undefined || row.sleep.by !== 'annotation') return undefined;
  // A count there is its owner's, and comes back, or ours.
  if (annotations[row.sleep.name] !== undefined) return undefined;
  const freezing = row.frozenBy.find((name) => isTrueToGo(annotations[name]));
  if (freezing === undefined) return undefined;
  return {
    code: 'frozen_by_owner',
    text: `Its annotation ${freezing} would keep it at zero after a wake: it can sleep without it`,
  };
}

/** As operators read such an annotation: what is no boolean is meant to be true. */
function isTrueToGo(text: string | undefined): boolean {
  return text !== undefined && !['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text);
}

function excludedName(entries: readonly NamespaceExclusion[], namespace: string): string | undefined {
  for (const { exact, pattern } of entries) {
    if (exact === namespace) return `Namespace ${namespace} is excluded by name`;
    if (pattern !== undefined && matchesGlob(pattern, namespace)) {
      return `Namespace ${namespace} is excluded by the pattern ${pattern}`;
    }
  }
  return undefined;
}

function targetKey(namespace: string, target: { readonly kind: string; readonly name: string }): string {
  return `${target.kind} ${namespace}/${target.name}`;
}
