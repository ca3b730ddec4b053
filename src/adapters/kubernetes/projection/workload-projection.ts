import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Container, PodSpec, Probe } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta, LabelSelector as RawSelector } from 'kubernetes-types/meta/v1.d.ts';
import type { ByAnnotation, ByField, KindRow } from '../../../domain/kinds/kind-row.ts';
import type { KindTable } from '../../../domain/kinds/kind-table.ts';
import { rowOf, type ScalableKind, type WorkloadKind } from '../../../domain/kinds/kinds.ts';
import { isHeldEmpty, stepsOf, stepsTo, stepsToLone, valueAt } from '../../../domain/kinds/place.ts';
import { parseQuantity } from '../../../domain/quantity.ts';
import type {
  ContainerSpec,
  ControllingOwner,
  LabelExpression,
  LabelSelector,
  Scalable,
  StartupProbe,
  StringMap,
  Switched,
  Workload,
} from '../../../domain/workload.ts';
import type { WorkloadObject } from '../client/resource-type.ts';
import type { StringPool } from '../json/string-pool.ts';
import { healedBy } from './application-projection.ts';
import { instantOf } from './instant.ts';
import { architectureOf } from './pod-architecture.ts';
import { readinessOf } from './readiness-projection.ts';
import { raisedBy } from './scaler-projection.ts';

/** A whole second copy of the object, kept by `kubectl apply`; nothing selects by it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const noExpressions: readonly LabelExpression[] = Object.freeze([]);

export function projectScalable(kind: ScalableKind, pool: StringPool): (raw: Deployment | StatefulSet) => Scalable {
  const { drives: pointer } = rowOf(kind);
  const toDriven = pointer === undefined ? undefined : stepsOf(pointer);
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one flat literal of fields and their defaults.
  return (raw) => {
    const { metadata, spec, status } = raw;
    const template = spec?.template?.spec;
    const owner = controllerOf(metadata, pool);
    // One literal without spreading: V8 then keeps all of its fields in the object itself.
    const workload: Scalable = {
      kind,
      namespace: pool.text(metadata?.namespace ?? ''),
      name: metadata?.name ?? '',
      uid: metadata?.uid ?? '',
      resourceVersion: metadata?.resourceVersion ?? '',
      createdAt: instantOf(metadata?.creationTimestamp),
      labels: pool.map(metadata?.labels),
      annotations: annotationsOf(metadata, pool),
      deleting: metadata?.deletionTimestamp !== undefined,
      replicas: spec?.replicas ?? 1,
      generation: metadata?.generation ?? 0,
      // Argo Rollouts writes it as text.
      observedGeneration: Number(status?.observedGeneration ?? 0),
      statusReplicas: status?.replicas ?? 0,
      readyReplicas: status?.readyReplicas ?? 0,
      updatedReplicas: status?.updatedReplicas ?? 0,
      selector: selectorOf(spec?.selector, pool),
      podLabels: pool.map(spec?.template?.metadata?.labels),
      containers: (template?.containers ?? []).map((container) => containerOf(container, pool)),
      terminationGracePeriodSeconds: template?.terminationGracePeriodSeconds ?? 30,
      scalingDownDeletesVolumes: deletesVolumes(raw),
    };
    const architecture = architectureOf(template);
    const sidecars = sidecarsOf(template, pool);
    const unavailableSince = unavailableSinceOf(status);
    const drives = toDriven === undefined ? undefined : drivenAt(raw, toDriven, pool);
    if ((owner ?? architecture ?? sidecars ?? unavailableSince ?? drives) === undefined) return workload;
    return {
      ...workload,
      ...(drives && { drives }),
      ...(unavailableSince !== undefined && { unavailableSince }),
      ...(owner && { controlledBy: owner }),
      ...(architecture && { architecture }),
      ...(sidecars && { sidecars }),
    };
  };
}

/** What a projection knows of its kind, and of the others. */
interface KindInForce {
  readonly row: KindRow;
  readonly kinds: () => KindTable;
}

export function projectSwitched(
  kind: WorkloadKind,
  inForce: KindInForce,
  pool: StringPool,
): (raw: WorkloadObject) => Switched {
  const sleep = inForce.row.sleep as ByField | ByAnnotation;
  const steps = stepsTo(sleep);
  const ofItsKind = projectKindFacts(inForce, pool);
  const alwaysThere = sleep.by === 'field' && sleep.filledIn !== undefined;
  return (raw) => {
    const { metadata } = raw;
    const value = valueAt(raw, steps);
    const owner = controllerOf(metadata, pool);
    const switched: Switched = {
      kind,
      namespace: pool.text(metadata?.namespace ?? ''),
      name: metadata?.name ?? '',
      uid: metadata?.uid ?? '',
      resourceVersion: metadata?.resourceVersion ?? '',
      createdAt: instantOf(metadata?.creationTimestamp),
      labels: pool.map(metadata?.labels),
      annotations: annotationsOf(metadata, pool),
      deleting: metadata?.deletionTimestamp !== undefined,
      suspended: value === sleep.value,
    };
    const standing = alwaysThere ? undefined : standingAt(raw, steps, switched.suspended);
    const more = ofItsKind(raw);
    if ((owner ?? standing ?? more) === undefined) return switched;
    return { ...switched, ...(owner && { controlledBy: owner }), ...standing, ...more };
  };
}

/** What there is to know of the place, beyond whether it holds the value that the kind sleeps by. */
function standingAt(
  raw: WorkloadObject,
  steps: readonly string[],
  suspended: boolean,
): Pick<Switched, 'value' | 'loneAfter'> | undefined {
  if (suspended) {
    const loneAfter = stepsToLone(raw, steps);
    return loneAfter < steps.length && steps[0] === 'spec' ? { loneAfter } : undefined;
  }
  const value = valueAt(raw, steps);
  if (value !== undefined) return { value: JSON.stringify(value) };
  return isHeldEmpty(raw, steps) && steps[0] === 'spec' ? { value: 'null' } : undefined;
}

/** What only some kinds have: a floor, a list of what they heal, a target that they raise, a condition that says that they are up. */
function projectKindFacts(
  { row: { sleep, floor, applies, ready }, kinds }: KindInForce,
  pool: StringPool,
): (raw: WorkloadObject) => KindFacts | undefined {
  if (applies?.known === 'by its own list') return (raw) => ({ heals: healedBy(raw, kinds(), pool) });
  if (applies?.known === 'by its target') return raisedBy({ sleep, applies, kinds }, pool);
  if (ready !== undefined) return (raw) => ({ ready: readinessOf(raw, ready.condition) });
  if (floor === undefined) return () => undefined;
  const steps = stepsOf(floor);
  return (raw) => floorAt(raw, steps);
}

type KindFacts = Pick<Switched, 'heals' | 'keptUpBy' | 'loneAfter' | 'ready'>;

function floorAt(raw: WorkloadObject, steps: readonly string[]): KindFacts | undefined {
  const floor = valueAt(raw, steps);
  return typeof floor === 'number' && floor > 0 ? { keptUpBy: `${steps.join('.')} is ${floor}` } : undefined;
}

/** A reference without a kind means a Deployment, as with all who refer to one. */
function drivenAt(raw: WorkloadObject, steps: readonly string[], pool: StringPool): Workload['drives'] {
  const target = valueAt(raw, steps) as { readonly kind?: string; readonly name?: string } | undefined;
  return target?.name === undefined ? undefined : { kind: pool.text(target.kind ?? 'Deployment'), name: target.name };
}

export function annotationsOf(metadata: ObjectMeta | undefined, pool: StringPool): StringMap {
  const annotations = metadata?.annotations;
  if (annotations?.[lastApplied] === undefined) return pool.map(annotations);
  const { [lastApplied]: _dropped, ...kept } = annotations;
  return pool.map(kept);
}

export function controllerOf(metadata: ObjectMeta | undefined, pool: StringPool): ControllingOwner | undefined {
  const owner = metadata?.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return undefined;
  const { apiVersion, kind, name } = owner;
  return pool.value(`owner ${apiVersion} ${kind} ${name}`, () => ({
    apiVersion: pool.text(apiVersion),
    kind: pool.text(kind),
    name,
  }));
}

/** Of the condition that Deployments carry; one without a time tells nothing. */
function unavailableSinceOf(status: Deployment['status'] | StatefulSet['status']): number | undefined {
  const lacking = status?.conditions?.find(({ type, status: holds }) => type === 'Available' && holds === 'False');
  return lacking === undefined ? undefined : instantOf(lacking.lastTransitionTime) || undefined;
}

/** Only a StatefulSet has such a policy. */
function deletesVolumes({ spec }: Deployment | StatefulSet): boolean {
  return (spec as StatefulSet['spec'])?.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete';
}

function selectorOf(raw: RawSelector | undefined, pool: StringPool): LabelSelector {
  const expressions = raw?.matchExpressions ?? [];
  return {
    matchLabels: pool.map(raw?.matchLabels),
    matchExpressions:
      expressions.length === 0
        ? noExpressions
        : expressions.map((expression) => ({
            key: pool.text(expression.key),
            operator: expression.operator as LabelExpression['operator'],
            values: (expression.values ?? []).map((value) => pool.text(value)),
          })),
  };
}

/** Init containers that run beside the others; the rest is over before a start-up probe is asked. */
function sidecarsOf(template: PodSpec | undefined, pool: StringPool): readonly ContainerSpec[] | undefined {
  const sidecars = template?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  return sidecars.length === 0 ? undefined : sidecars.map((container) => containerOf(container, pool));
}

/** Containers are alike by the hundred, so equal ones are one value. */
function containerOf(raw: Container, pool: StringPool): ContainerSpec {
  const cpuCores = requested(raw, 'cpu');
  const memoryBytes = requested(raw, 'memory');
  const probe = raw.startupProbe === undefined ? undefined : probeOf(raw.startupProbe);
  const probeKey = probe === undefined ? '' : Object.values(probe).join(',');
  return pool.value(`container ${raw.name} ${cpuCores} ${memoryBytes} ${probeKey}`, () => ({
    name: pool.text(raw.name),
    ...(probe === undefined ? {} : { startupProbe: probe }),
    ...(cpuCores === undefined ? {} : { cpuCores }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  }));
}

function requested(raw: Container, what: 'cpu' | 'memory'): number | undefined {
  const quantity = raw.resources?.requests?.[what];
  return quantity === undefined ? undefined : parseQuantity(quantity);
}

function probeOf(raw: Probe): StartupProbe {
  return {
    initialDelaySeconds: raw.initialDelaySeconds ?? 0,
    periodSeconds: raw.periodSeconds ?? 10,
    failureThreshold: raw.failureThreshold ?? 3,
    timeoutSeconds: raw.timeoutSeconds ?? 1,
    ...(raw.terminationGracePeriodSeconds === undefined
      ? {}
      : { terminationGracePeriodSeconds: raw.terminationGracePeriodSeconds }),
  };
}
