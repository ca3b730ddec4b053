// Pods, workloads and whole wakes for the tests of this folder. Instants are written as minutes and seconds of the wake.

import { type AdvancedWake, advanceWake } from '../../../src/domain/wake/advance.ts';
import { startWake } from '../../../src/domain/wake/start.ts';
import { standardFigures, type WakeFigures } from '../../../src/domain/wake/verdict/figures.ts';
import type {
  DatabaseObservation,
  WakeObservations,
  WorkloadObservation,
} from '../../../src/domain/wake/verdict/observation.ts';
import type { ContainerTerminated, ContainerView, PodView } from '../../../src/domain/wake/verdict/pod.ts';
import type { WakeState } from '../../../src/domain/wake/verdict/wake-state.ts';
import type { ContainerSpec, EpochMs, Scalable, StartupProbe } from '../../../src/domain/workload.ts';

export const T0: EpochMs = Date.UTC(2026, 10, 16, 7, 0, 0);

/** `at('14:59')`: that far into the wake. */
export function at(clock: string): EpochMs {
  const [minutes = '0', seconds = '0'] = clock.split(':');
  return T0 + (Number(minutes) * 60 + Number(seconds)) * 1_000;
}

export function span(clock: string): number {
  return at(clock) - T0;
}

export function probe(part: Partial<StartupProbe> = {}): StartupProbe {
  return { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 3, timeoutSeconds: 1, ...part };
}

/** A start-up probe whose budget is so many seconds. */
export function probeOf(seconds: number): StartupProbe {
  return probe({ failureThreshold: seconds / 10 });
}

export function workload(part: Partial<Scalable> = {}): Scalable {
  return {
    kind: 'Deployment',
    namespace: 'shop',
    name: 'cart',
    uid: 'u-cart',
    resourceVersion: '1',
    createdAt: 0,
    labels: {},
    annotations: {},
    deleting: false,
    replicas: 1,
    generation: 1,
    observedGeneration: 1,
    statusReplicas: 1,
    readyReplicas: 0,
    updatedReplicas: 1,
    selector: { matchLabels: { app: 'cart' }, matchExpressions: [] },
    podLabels: { app: 'cart' },
    containers: [{ name: 'app' }],
    terminationGracePeriodSeconds: 30,
    scalingDownDeletesVolumes: false,
    ...part,
  };
}

export function declaring(...probes: (StartupProbe | undefined)[]): ContainerSpec[] {
  return probes.map((startupProbe, index) => ({ name: `c${index}`, ...(startupProbe && { startupProbe }) }));
}

export function waiting(reason: string, part: Partial<ContainerView> = {}): ContainerView {
  return { ...idle, state: { kind: 'waiting', reason, message: '' }, ...part };
}

export function running(since: string, part: Partial<ContainerView> = {}): ContainerView {
  return { ...idle, state: { kind: 'running', startedAt: at(since) }, ...part };
}

export function ended(from: string, to: string, exitCode = 1): ContainerTerminated {
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return { kind: 'terminated', exitCode, reason, startedAt: at(from), finishedAt: at(to) };
}

export function terminated(from: string, to: string, part: Partial<ContainerView> = {}, exitCode = 1): ContainerView {
  return { ...idle, state: ended(from, to, exitCode), ...part };
}

const idle = { name: 'app', ready: false, started: false, restartCount: 0 };

export function pod(part: Partial<PodView> = {}): PodView {
  return {
    name: 'cart-1',
    createdAt: T0,
    deleting: false,
    phase: 'Pending',
    nodeName: 'node-a',
    initContainers: [],
    containers: [],
    ...part,
  };
}

export function unplaced(reason?: string, part: Partial<PodView> = {}): PodView {
  const { nodeName: _, ...rest } = pod(part);
  if (reason === undefined) return rest;
  return { ...rest, scheduled: { status: 'False', reason, message: '', at: T0 } };
}

export function withContainers(...containers: ContainerView[]): PodView {
  return pod({ containers, ready: { status: false, since: T0 } });
}

export function withInit(...initContainers: ContainerView[]): PodView {
  return pod({ initContainers, containers: [waiting('PodInitializing')], ready: { status: false, since: T0 } });
}

export function readyPod(since: string, part: Partial<ContainerView> = {}, started = '0:05'): PodView {
  const container = running(started, { ready: true, started: true, ...part });
  return pod({ phase: 'Running', containers: [container], ready: { status: true, since: at(since) } });
}

export function startingPod(started: string, part: Partial<ContainerView> = {}): PodView {
  return pod({ phase: 'Running', containers: [running(started, part)], ready: { status: false, since: T0 } });
}

export function observed(pods: readonly PodView[], part: Partial<WorkloadObservation> = {}): WorkloadObservation {
  const spec = workload();
  const ref = { kind: spec.kind, namespace: spec.namespace, name: spec.name };
  return { ref, tier: 0, replicas: 1, reading: { kind: 'read', workload: spec }, pods, ...part };
}

export function named(
  name: string,
  pods: readonly PodView[],
  part: Partial<WorkloadObservation> = {},
): WorkloadObservation {
  const base = observed(pods, { reading: { kind: 'read', workload: workload({ name }) }, ...part });
  return { ...base, ref: { kind: 'Deployment', namespace: 'shop', name } };
}

/** A workload whose spec differs from the plain one. */
export function specced(part: Partial<Scalable>, pods: readonly PodView[]): WorkloadObservation {
  const spec = workload(part);
  return observed(pods, { replicas: spec.replicas, reading: { kind: 'read', workload: spec } });
}

export function seen(
  workloads: readonly WorkloadObservation[],
  databases: readonly DatabaseObservation[] = [],
): WakeObservations {
  return { workloads, databases, cronJobs: [] };
}

export interface TierOfTest {
  readonly name: string;
  readonly barrier?: string;
  readonly databases?: readonly string[];
}

/** A wake of the observed workloads' own specs, started at 0:00. */
export function wakeOf(
  workloads: readonly WorkloadObservation[],
  tiers: readonly TierOfTest[] = [{ name: 'all' }],
  figures: WakeFigures = standardFigures,
): WakeState {
  const planned = tiers.map((tier, index) => ({
    name: tier.name,
    barrierMs: span(tier.barrier ?? '5:00'),
    databases: tier.databases ?? [],
    workloads: workloads
      .filter((one) => one.tier === index)
      .map((one) => (one.reading.kind === 'read' ? one.reading.workload : undefined)),
  }));
  return startWake({ id: 'w1', tiers: planned }, T0, figures).wake;
}

/** What the cluster shows at an instant. */
export type Script = (now: EpochMs) => WakeObservations;

/** One pass at each of the instants. */
export function passes(
  wake: WakeState,
  script: Script,
  clocks: readonly string[],
  figures = standardFigures,
): AdvancedWake {
  let advanced: AdvancedWake = { wake, changes: [], nextCheckAt: undefined };
  for (const clock of clocks) advanced = advanceWake(advanced.wake, script(at(clock)), at(clock), figures);
  return advanced;
}
