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
  /** What a namespace says of everything in it. */
  readonly ofNamespace: (namespace: string) => NamespaceVerdict;
}

interface NamespaceVerdict {
  /** Before anything is asked of a workload. */
  readonly own?: SkipReason;
  /** Of a workload that is not on its way out. */
  readonly other?: SkipReason;
}

type Around = Pick<TargetingContext, 'targeting' | 'namespaces'>;

export function compileTargeting(rules: TargetingRules): CompiledTargeting {
  return {
    ownNamespace: rules.ownNamespace,
    excludedName: (namespace) => excludedName(rules.targeting.namespaces.exclude, namespace),
    neverScale: rules.neverScale.map((rule) => ({ rule, matches: compileSelector(rule) })),
  };
}

export function targetingContext(targeting: CompiledTargeting, around: ScalingFacts): TargetingContext {
  const { namespaces } = around;
  return {
    targeting,
    namespaces,
    ofNamespace: askedOnce((namespace) => verdictOn(namespace, { targeting, namespaces })),
    hpas: Map.groupBy(around.hpas, (hpa) => targetKey(hpa.namespace, hpa.target)),
    scaledObjects: new Map(around.scaledObjects.map((object) => [targetKey(object.namespace, object.target), object])),
    drivers: new Map(around.drivers.map((driver) => [targetKey(driver.namespace, driver.target), driver])),
    held: new Set(),
  };
}

/** Thousands of workloads share a few namespaces. */
function askedOnce(ask: TargetingContext['ofNamespace']): TargetingContext['ofNamespace'] {
  const known = new Map<string, NamespaceVerdict>();
  return (namespace) => {
    let verdict = known.get(namespace);
    if (verdict === undefined) {
      verdict = ask(namespace);
      known.set(namespace, verdict);
    }
    return verdict;
  };
}

function verdictOn(namespace: string, around: Around): NamespaceVerdict {
  const own = inOwnNamespace(namespace, around);
  if (own !== undefined) return { own };
  const other =
    inUnknownNamespace(namespace, around) ??
    inTerminatingNamespace(namespace, around) ??
    inExcludedNamespace(namespace, around) ??
    inSystemNamespace(namespace, around) ??
    namespaceAnnotated(namespace, around);
  return other === undefined ? {} : { other };
}

/** The same, with those of these workloads that scale others and are ours to hold: what they may raise is then ours too. */
export function withHeldScalers(context: TargetingContext, workloads: readonly Workload[]): TargetingContext {
  const held = workloads.filter((one) => scalesAnother(one.kind) && classify(one, context).targeted);
  return { ...context, held: new Set(held.map(workloadKey)) };
}

const ours: Classification = { targeted: true };

/** Whether the service scales this workload; if not, the first reason. A plain HPA is no reason: it rests at zero. */
export function classify(workload: Workload, context: TargetingContext): Classification {
  const reason = firstReason(workload, context);
  return reason === undefined ? ours : { targeted: false, reason };
}

/**
 * What nobody can change by configuration comes first, then what people asked for, then what we found out by ourselves: so the
 * reason shown is the one that its reader can act on.
 */
function firstReason(workload: Workload, context: TargetingContext): SkipReason | undefined {
  const { own, other } = context.ofNamespace(workload.namespace);
  return (
    own ??
    beingDeleted(workload) ??
    ofNoNamespace(workload) ??
    other ??
    workloadAnnotated(workload) ??
    neverScaled(workload, context) ??
    drivenByScaledObject(workload, context) ??
    drivenByWorkload(workload, context) ??
    drivenByOperator(workload) ??
    wouldLoseVolumes(workload) ??
    scaledFromZeroByHpa(workload, context) ??
    keptUpByFloor(workload) ??
    frozenByOwner(workload)
  );
}

/** Any value but `false` excludes: who wrote the annotation wanted something left alone. */
function saysExclude(map: StringMap): boolean {
  const value = map[annotations.exclude];
  return value !== undefined && value.trim().toLowerCase() !== 'false';
}

function saysInclude(map: StringMap): boolean {
  return map[annotations.exclude] !== undefined && !saysExclude(map);
}

function inOwnNamespace(namespace: string, { targeting }: Around): SkipReason | undefined {
  if (namespace !== targeting.ownNamespace) return undefined;
  return { code: 'own_namespace', text: `Namespace ${namespace} is the service's own` };
}

function beingDeleted(workload: Workload): SkipReason | undefined {
  return workload.deleting ? { code: 'deleting', text: `The ${workload.kind} is being deleted` } : undefined;
}

function ofNoNamespace({ kind, namespace }: Workload): SkipReason | undefined {
  return namespace === '' ? { code: 'namespace_unknown', text: `A ${kind} is of no namespace` } : undefined;
}

function inUnknownNamespace(namespace: string, { namespaces }: Around): SkipReason | undefined {
  if (namespaces.has(namespace)) return undefined;
  return { code: 'namespace_unknown', text: `Namespace ${namespace} has not been read yet` };
}

function inTerminatingNamespace(namespace: string, { namespaces }: Around): SkipReason | undefined {
  if (namespaces.get(namespace)?.terminating !== true) return undefined;
  return { code: 'namespace_terminating', text: `Namespace ${namespace} is being deleted` };
}

function inExcludedNamespace(namespace: string, { targeting }: Around): SkipReason | undefined {
  const why = targeting.excludedName(namespace);
  return why === undefined ? undefined : { code: 'namespace_excluded', text: why };
}

/** Those that Kubernetes makes itself. Without what runs in them the cluster has no DNS, and nothing that could wake it. */
const systemNamespaces: ReadonlySet<string> = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

/** Whatever list of excluded namespaces takes the place of the default: only who says so on the namespace itself means it. */
function inSystemNamespace(namespace: string, { namespaces }: Around): SkipReason | undefined {
  if (!systemNamespaces.has(namespace) || saysInclude(namespaces.get(namespace)?.annotations ?? {})) return undefined;
  const text = `Namespace ${namespace} holds parts of the cluster itself and does not carry the annotation ${annotations.exclude}: "false"`;
  return { code: 'system_namespace', text };
}

function namespaceAnnotated(namespace: string, { namespaces }: Around): SkipReason | undefined {
  const facts = namespaces.get(namespace);
  if (facts === undefined || !saysExclude(facts.annotations)) return undefined;
  const text = `Namespace ${namespace} carries the annotation ${annotations.exclude}`;
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
  if (targeting.neverScale.length === 0) return undefined;
  const found = targeting.neverScale.find((entry) => entry.matches(workload));
  if (found === undefined) return undefined;
  const given = found.rule.reason;
  const why = given === undefined || given === '' ? '' : `: ${given}`;
  return { code: 'never_scale', text: `Never scaled by the rule ${selectorText(found.rule)}${why}` };
}

function drivenByScaledObject(workload: Workload, context: TargetingContext): SkipReason | undefined {
  if (context.hpas.size + context.scaledObjects.size === 0) return undefined;
  const key = targetKey(workload.namespace, workload);
  // KEDA's own HPA gives it away where ScaledObjects themselves may not be read.
  const owners = (context.hpas.get(key) ?? []).map((hpa) => hpa.controlledBy);
  const name = context.scaledObjects.get(key)?.name ?? owners.find((owner) => owner?.kind === 'ScaledObject')?.name;
  return name === undefined
    ? undefined
    : { code: 'scaled_object', text: `The KEDA ScaledObject ${name} drives its replicas` };
}

function drivenByWorkload(workload: Workload, { drivers }: TargetingContext): SkipReason | undefined {
  if (drivers.size === 0) return undefined;
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
  if (hpas.size === 0) return undefined;
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
