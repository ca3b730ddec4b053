import type { HorizontalPodAutoscalerCondition } from 'kubernetes-types/autoscaling/v2.js';
import { type ControllerContext, observe, putStatus } from './machinery/controller-context.ts';
import { timestamp } from './machinery/timestamps.ts';
import {
  type AnyObject,
  keyOf,
  type StoredHpa,
  type StoredOf,
  splitKey,
  type TypedStore,
} from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';

const component = 'horizontal-pod-autoscaler';
/** On the autoscaler: the load in percent of one pod's requests, all pods together. It stands in for a metrics API. */
export const loadAnnotation = 'sim.svc.io/load';

/** The object that an autoscaler scales. */
interface Found {
  readonly current: number;
  readonly put: (replicas: number) => void;
}

function putReplicas<R extends 'deployments.apps' | 'statefulsets.apps'>(
  store: TypedStore,
  resource: R,
  target: StoredOf<R>,
  replicas: number,
): void {
  store.update(resource, { ...target, spec: { ...target.spec, replicas } });
}

/**
 * Scales its target between minReplicas and maxReplicas by the declared load. A target at 0 is left alone, unless the autoscaler took
 * it there by itself (KEP-2021).
 */
export class AutoscalerController {
  readonly #context: ControllerContext;
  readonly #work: Work;
  readonly #byTarget = new Map<string, string>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    observe(context.store, 'horizontalpodautoscalers.autoscaling', ({ type, object }) => {
      const { kind, name } = object.spec.scaleTargetRef;
      const target = `${kind} ${object.metadata.namespace}/${name}`;
      if (type === 'DELETED') this.#byTarget.delete(target);
      else this.#byTarget.set(target, keyOf(object));
      this.#work.enqueue(keyOf(object));
    });
    observe(context.store, 'deployments.apps', ({ object }) => this.#onTarget('Deployment', object));
    observe(context.store, 'statefulsets.apps', ({ object }) => this.#onTarget('StatefulSet', object));
  }

  #onTarget(kind: string, target: AnyObject): void {
    const key = this.#byTarget.get(`${kind} ${keyOf(target)}`);
    if (key !== undefined) this.#work.enqueue(key);
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const { store } = this.#context;
    const hpa = store.get('horizontalpodautoscalers.autoscaling', namespace, name);
    if (hpa === undefined || hpa.metadata.deletionTimestamp !== undefined) return;
    const found = this.#targetOf(hpa);
    if (found === undefined) {
      this.#report(hpa, 0, 0, [missingTarget(hpa)]);
      return;
    }
    const { current } = found;
    const zero = zeroCondition(hpa);
    if (current === 0 && zero?.status !== 'True') {
      this.#report(hpa, 0, 0, [able, { ...disabled }, ...(zero === undefined ? [] : [zero])]);
      return;
    }
    const wanted = wantedFor(hpa, current);
    if (wanted.replicas !== current) this.#scale(hpa, found, wanted.replicas);
    const stays = wanted.replicas === current ? zero : scaledTo(hpa, wanted.replicas);
    this.#report(hpa, current, wanted.replicas, [able, active, wanted.limit, ...(stays === undefined ? [] : [stays])]);
  }

  #targetOf(hpa: StoredHpa): Found | undefined {
    const { kind, name } = hpa.spec.scaleTargetRef;
    const { namespace } = hpa.metadata;
    const { store } = this.#context;
    if (kind === 'StatefulSet') {
      const target = store.get('statefulsets.apps', namespace, name);
      return (
        target && {
          current: target.spec.replicas ?? 1,
          put: (replicas) => putReplicas(store, 'statefulsets.apps', target, replicas),
        }
      );
    }
    const target = store.get('deployments.apps', namespace, name);
    return (
      target && {
        current: target.spec.replicas ?? 1,
        put: (replicas) => putReplicas(store, 'deployments.apps', target, replicas),
      }
    );
  }

  #scale(hpa: StoredHpa, found: Found, replicas: number): void {
    found.put(replicas);
    const message = `New size: ${replicas}; reason: All metrics ${replicas > found.current ? 'above' : 'below'} target`;
    this.#context.events.record(component, hpa, { type: 'Normal', reason: 'SuccessfulRescale', message });
  }

  #report(hpa: StoredHpa, current: number, desired: number, told: readonly Told[]): void {
    const now = timestamp(this.#context.clock.now());
    const conditions: HorizontalPodAutoscalerCondition[] = told.map((one) => {
      const before = hpa.status?.conditions?.find((other) => other.type === one.type);
      const kept = before?.status === one.status ? before.lastTransitionTime : undefined;
      return { ...one, lastTransitionTime: kept ?? now };
    });
    const lastScaleTime = current === desired ? hpa.status?.lastScaleTime : now;
    putStatus(this.#context.store, 'horizontalpodautoscalers.autoscaling', hpa, {
      currentReplicas: current,
      desiredReplicas: desired,
      conditions,
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    });
  }
}

type Told = Omit<HorizontalPodAutoscalerCondition, 'lastTransitionTime'>;

const able: Told = {
  type: 'AbleToScale',
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
};
const active: Told = {
  type: 'ScalingActive',
  status: 'True',
  reason: 'ValidMetricFound',
  message:
    'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
};
const disabled: Told = {
  type: 'ScalingActive',
  status: 'False',
  reason: 'ScalingDisabled',
  message: 'scaling is disabled since the replica count of the target is zero',
};

const scaledToZero: Told = {
  type: 'ScaledToZero',
  status: 'True',
  reason: 'ScaledToZero',
  message: 'the HPA controller scaled the workload to zero',
};
const notScaledToZero: Told = {
  type: 'ScaledToZero',
  status: 'False',
  reason: 'NotScaledToZero',
  message: 'the HPA controller did not scale the workload to zero',
};

function zeroCondition(hpa: StoredHpa): Told | undefined {
  const told = hpa.status?.conditions?.find(({ type }) => type === 'ScaledToZero')?.status;
  return told === undefined ? undefined : told === 'True' ? scaledToZero : notScaledToZero;
}

/** Only of one that may go to zero: where the feature is off there is none, and nobody is told. */
function scaledTo(hpa: StoredHpa, replicas: number): Told | undefined {
  if (hpa.spec.minReplicas !== 0 && zeroCondition(hpa) === undefined) return undefined;
  return replicas === 0 ? scaledToZero : notScaledToZero;
}

function missingTarget(hpa: StoredHpa): Told {
  const { kind, name } = hpa.spec.scaleTargetRef;
  const message = `the HPA controller was unable to get the target's current scale: ${kind} "${name}" not found`;
  return { type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message };
}

function wantedFor(hpa: StoredHpa, current: number): { readonly replicas: number; readonly limit: Told } {
  const least = hpa.spec.minReplicas ?? 1;
  const load = Number(hpa.metadata.annotations?.[loadAnnotation] ?? Number.NaN);
  const target = hpa.spec.metrics?.[0]?.resource?.target.averageUtilization ?? 80;
  const asked = Number.isNaN(load) ? current : Math.ceil(load / target);
  const most = hpa.spec.behavior?.scaleUp?.selectPolicy === 'Disabled' ? current : hpa.spec.maxReplicas;
  // One that is below the least count, but not at zero, is raised whatever its policies say; and so is one that took it to zero.
  const replicas = Math.max(Math.min(asked, most, hpa.spec.maxReplicas), least);
  const limit = (status: string, reason: string, message: string) => ({
    type: 'ScalingLimited',
    status,
    reason,
    message,
  });
  if (asked < least) {
    return {
      replicas,
      limit: limit('True', 'TooFewReplicas', 'the desired replica count is less than the minimum replica count'),
    };
  }
  if (asked > hpa.spec.maxReplicas) {
    return {
      replicas,
      limit: limit('True', 'TooManyReplicas', 'the desired replica count is more than the maximum replica count'),
    };
  }
  return { replicas, limit: limit('False', 'DesiredWithinRange', 'the desired count is within the acceptable range') };
}
