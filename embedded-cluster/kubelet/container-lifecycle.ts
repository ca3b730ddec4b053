import type { Container, ContainerState, ContainerStatus } from 'kubernetes-types/core/v1.js';
import { timestamp } from '../controllers/machinery/timestamps.ts';
import type { EpochMs } from '../ports/clock.ts';
import { startupSeconds } from './attempt-figures.ts';
import { type AttemptEnd, type AttemptPlan, attemptsAt, type FinishedAttempt } from './attempts.ts';
import type { Behaviour } from './behaviour.ts';
import { containerId, imageDigest } from './identifiers.ts';
import { imageAt } from './image-pull.ts';
import { type EventSpan, earliest, type PodView, startupBudget, type Waiting } from './pod-view.ts';
import { readinessAt } from './readiness.ts';

export interface ContainerAt {
  readonly status: ContainerStatus;
  readonly nextChangeAt: EpochMs | undefined;
}

export interface ScalingFacts {
  readonly pod: PodView;
  readonly now: EpochMs;
  readonly events: EventSpan;
}

const noBehaviour: Behaviour = {};
/** A Job's pod that says nothing of its length ends by itself, or its Job would never complete. */
const defaultRunSeconds = 10;

/** The status of an app container that may be created from `begin` on. */
export function containerAt(
  around: ScalingFacts,
  container: Container,
  declared: Behaviour,
  begin: EpochMs,
): ContainerAt {
  const behaviour = declared.container === undefined || declared.container === container.name ? declared : noBehaviour;
  const { now, events } = around;
  const image = imageAt(container.image ?? '', behaviour, begin, now);
  if (image.kind === 'waiting') {
    noteImage(events, container, image.waiting, { failedAt: image.failedAt, begin });
    return { status: waitingStatus(around, container, image.waiting), nextChangeAt: image.nextChangeAt };
  }
  notePulled(events, container, begin, image.at);
  const refusedUntil = refusalEnd(behaviour, image.at);
  if (refusedUntil > now) {
    const waiting = refusal(behaviour, container);
    events.note(image.at, 'Warning', 'Failed', container.name, () => `Error: ${waiting.message}`);
    const nextChangeAt = refusedUntil === Number.POSITIVE_INFINITY ? undefined : refusedUntil;
    return { status: waitingStatus(around, container, waiting), nextChangeAt };
  }
  return attemptedContainer(around, container, behaviour, Math.max(image.at, refusedUntil));
}

function attemptedContainer(around: ScalingFacts, container: Container, behaviour: Behaviour, firstStartAt: EpochMs) {
  const { now } = around;
  const plan = attemptPlan(around.pod, container, behaviour, firstStartAt);
  const state = attemptsAt(plan, now);
  if (state.kind === 'running') {
    const end = plan.endOf(state.attempt, state.startedAt);
    const crashes = end !== undefined && end.exitCode !== 0;
    const ready = readinessAt(
      container,
      behaviour,
      { attempt: state.attempt, startedAt: state.startedAt, crashes },
      now,
    );
    noteStart(around.events, container, { at: state.startedAt, attempt: state.attempt, end });
    if (state.last !== undefined) noteKill(around.events, container, state.last);
    const status: ContainerStatus = {
      ...identity(around, container, state.attempt),
      started: ready.started,
      ready: ready.ready,
      restartCount: state.attempt,
      state: { running: { startedAt: timestamp(state.startedAt) } },
      lastState: state.last === undefined ? {} : terminated(around, container, state.last),
    };
    return { status, nextChangeAt: earliest(ready.nextChangeAt, end?.at) };
  }
  noteKill(around.events, container, state.last);
  if (state.kind === 'over') {
    const over = terminated(around, container, state.last);
    return {
      status: stoppedStatus(around, container, state.last, { state: over, lastState: {} }),
      nextChangeAt: undefined,
    };
  }
  const waiting = crashLoop(around, container, state.seconds);
  around.events.note(state.last.at, 'Warning', 'BackOff', container.name, () => backOffEvent(around, container));
  const last = terminated(around, container, state.last);
  return {
    status: stoppedStatus(around, container, state.last, { state: { waiting }, lastState: last }),
    nextChangeAt: state.restartAt,
  };
}

function attemptPlan(pod: PodView, container: Container, behaviour: Behaviour, firstStartAt: EpochMs): AttemptPlan {
  const restartPolicy = (pod.spec.restartPolicy ?? 'Always') as AttemptPlan['restartPolicy'];
  const runSeconds = behaviour.runSeconds ?? (restartPolicy === 'Always' ? undefined : defaultRunSeconds);
  const listed = Math.max(behaviour.startupProbeSeconds?.length ?? 0, behaviour.startSeconds?.length ?? 0);
  return {
    firstStartAt,
    restartPolicy,
    steadyFrom: Math.max(listed, behaviour.crashTimes ?? 0),
    endOf: (attempt, startedAt) => {
      const ends = [
        crashOf(behaviour, attempt, startedAt),
        startupKillOf(pod, container, behaviour, { attempt, startedAt }),
        runSeconds === undefined ? undefined : { at: startedAt + runSeconds * 1000, exitCode: 0 },
      ];
      return ends.reduce((a, b) => (a === undefined || (b !== undefined && b.at < a.at) ? b : a), undefined);
    },
  };
}

function crashOf(behaviour: Behaviour, attempt: number, startedAt: EpochMs): AttemptEnd | undefined {
  if (behaviour.crashAfterSeconds === undefined) return undefined;
  if (attempt >= (behaviour.crashTimes ?? Number.POSITIVE_INFINITY)) return undefined;
  return { at: startedAt + behaviour.crashAfterSeconds * 1000, exitCode: behaviour.exitCode ?? 1 };
}

/** The kubelet kills a container whose start-up probe has used its budget up, and gives it its grace period. */
function startupKillOf(
  pod: PodView,
  container: Container,
  behaviour: Behaviour,
  { attempt, startedAt }: { readonly attempt: number; readonly startedAt: EpochMs },
): AttemptEnd | undefined {
  const budget = startupBudget(container);
  if (budget === undefined || startupSeconds(behaviour, attempt) * 1000 <= budget) return undefined;
  const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
  const stopping = Math.min(behaviour.terminateSeconds ?? 1, grace);
  const killedAt = startedAt + budget;
  const exitCode = (behaviour.terminateSeconds ?? 1) > grace ? 137 : 143;
  return { at: killedAt + stopping * 1000, exitCode, killedAt };
}

function refusalEnd(behaviour: Behaviour, from: EpochMs): EpochMs {
  if (behaviour.create === undefined) return from;
  if (behaviour.createRecoversAfter === undefined) return Number.POSITIVE_INFINITY;
  return from + behaviour.createRecoversAfter * 1000;
}

function refusal(behaviour: Behaviour, container: Container): Waiting {
  const reason = behaviour.create ?? '';
  const messages: Readonly<Record<string, string>> = {
    CreateContainerConfigError: `secret "${container.name}-credentials" not found`,
    CreateContainerError: `failed to create containerd container: failed to reserve container name "${container.name}"`,
    RunContainerError: `failed to start container "${container.name}": exec: "/app/start": no such file or directory`,
  };
  return { reason, message: messages[reason] ?? reason };
}

function crashLoop(around: ScalingFacts, container: Container, seconds: number): Waiting {
  const text = seconds >= 60 ? `${Math.floor(seconds / 60)}m${seconds % 60}s` : `${seconds}s`;
  return {
    reason: 'CrashLoopBackOff',
    message: `back-off ${text} restarting failed container=${container.name} pod=${podText(around.pod)}`,
  };
}

function backOffEvent(around: ScalingFacts, container: Container): string {
  return `Back-off restarting failed container ${container.name} in pod ${podText(around.pod)}`;
}

function podText(pod: PodView): string {
  return `${pod.metadata.name}_${pod.metadata.namespace ?? 'default'}(${pod.metadata.uid})`;
}

export function waitingStatus(around: ScalingFacts, container: Container, waiting: Waiting): ContainerStatus {
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    started: false,
    ready: false,
    restartCount: around.pod.status?.containerStatuses?.find((s) => s.name === container.name)?.restartCount ?? 0,
    state: { waiting: { ...waiting } },
    lastState: {},
  };
}

function stoppedStatus(
  around: ScalingFacts,
  container: Container,
  last: FinishedAttempt,
  { state, lastState }: { readonly state: ContainerState; readonly lastState: ContainerState },
): ContainerStatus {
  return {
    ...identity(around, container, last.attempt),
    started: false,
    ready: false,
    restartCount: last.attempt,
    state,
    lastState,
  };
}

function identity(around: ScalingFacts, container: Container, attempt: number) {
  const image = container.image ?? '';
  return {
    name: container.name,
    image,
    imageID: imageDigest(image),
    containerID: containerId(around.pod.metadata.uid, container.name, attempt),
  };
}

export function terminated(around: ScalingFacts, container: Container, last: FinishedAttempt): ContainerState {
  return {
    terminated: {
      containerID: identity(around, container, last.attempt).containerID,
      exitCode: last.exitCode,
      reason: last.exitCode === 0 ? 'Completed' : 'Error',
      startedAt: timestamp(last.startedAt),
      finishedAt: timestamp(last.at),
    },
  };
}

function noteImage(
  events: EventSpan,
  container: Container,
  waiting: Waiting,
  { failedAt, begin }: { readonly failedAt: EpochMs | undefined; readonly begin: EpochMs },
): void {
  if (failedAt === undefined) {
    events.note(begin, 'Normal', 'Pulling', container.name, () => `Pulling image "${container.image}"`);
    return;
  }
  const text = waiting.message ?? waiting.reason;
  const reason = waiting.reason === 'InvalidImageName' ? 'InspectFailed' : 'Failed';
  events.note(failedAt, 'Warning', reason, container.name, () => text);
}

function notePulled(events: EventSpan, container: Container, begin: EpochMs, at: EpochMs): void {
  const seconds = (at - begin) / 1000;
  events.note(at, 'Normal', 'Pulled', container.name, () =>
    seconds > 0
      ? `Successfully pulled image "${container.image}" in ${seconds}s`
      : `Container image "${container.image}" already present on machine`,
  );
}

function noteStart(
  events: EventSpan,
  container: Container,
  { at, attempt, end }: { readonly at: EpochMs; readonly attempt: number; readonly end: AttemptEnd | undefined },
): void {
  const again = attempt > 0 ? ' again' : '';
  events.note(at, 'Normal', 'Created', container.name, () => `Container created${again}: ${container.name}`);
  events.note(at, 'Normal', 'Started', container.name, () => `Container started${again}: ${container.name}`);
  if (end?.killedAt !== undefined) noteKill(events, container, { ...end, startedAt: at, attempt });
}

function noteKill(events: EventSpan, container: Container, last: FinishedAttempt): void {
  if (last.killedAt === undefined) return;
  const { name } = container;
  events.note(last.killedAt, 'Warning', 'Unhealthy', name, () => 'Startup probe failed: the service is not up yet');
  events.note(
    last.killedAt,
    'Normal',
    'Killing',
    name,
    () => `Container ${name} failed startup probe, will be restarted`,
  );
}
