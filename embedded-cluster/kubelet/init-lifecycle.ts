import type { Container, ContainerStatus } from 'kubernetes-types/core/v1.js';
import { timestamp } from '../controllers/machinery/timestamps.ts';
import type { EpochMs } from '../ports/clock.ts';
import { attemptsAt } from './attempts.ts';
import type { Behaviour } from './behaviour.ts';
import { type ScalingFacts, terminated, waitingStatus } from './container-lifecycle.ts';

export interface InitAt {
  readonly statuses: ContainerStatus[];
  /** When the last init container ended well; undefined while one runs, fails or has failed for good. */
  readonly doneAt: EpochMs | undefined;
  readonly nextChangeAt: EpochMs | undefined;
  readonly failedForGood: boolean;
}

interface One {
  readonly status: ContainerStatus;
  readonly doneAt?: EpochMs;
  readonly nextChangeAt?: EpochMs;
  readonly failedForGood?: boolean;
}

/** Init containers run one after the other; one with restartPolicy Always is a sidecar and holds nobody up. */
export function initAt(around: ScalingFacts, behaviour: Behaviour, begin: EpochMs): InitAt {
  const statuses: ContainerStatus[] = [];
  let at: EpochMs | undefined = begin;
  let nextChangeAt: EpochMs | undefined;
  let failedForGood = false;
  let ordinary = 0;
  for (const container of around.pod.spec.initContainers ?? []) {
    if (at === undefined) {
      statuses.push(waitingStatus(around, container, { reason: 'PodInitializing' }));
      continue;
    }
    const sidecar = container.restartPolicy === 'Always';
    const one: One = sidecar
      ? sidecarAt(container, at)
      : ordinaryInitAt(around, container, behaviour, {
          begin: at,
          fails: ordinary++ === 0 && behaviour.init === 'fail',
        });
    statuses.push(one.status);
    at = one.doneAt;
    nextChangeAt = one.nextChangeAt;
    failedForGood = one.failedForGood === true;
  }
  return { statuses, doneAt: at, nextChangeAt, failedForGood };
}

function sidecarAt(container: Container, at: EpochMs): One {
  const status: ContainerStatus = {
    ...base(container),
    started: true,
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: timestamp(at) } },
    lastState: {},
  };
  return { status, doneAt: at };
}

function ordinaryInitAt(
  around: ScalingFacts,
  container: Container,
  behaviour: Behaviour,
  { begin, fails }: { readonly begin: EpochMs; readonly fails: boolean },
): One {
  const { now } = around;
  const length = (behaviour.initSeconds ?? 1) * 1000;
  const recoversAt = begin + (behaviour.initRecoversAfter ?? Number.POSITIVE_INFINITY) * 1000;
  const failing = (startedAt: EpochMs) => fails && startedAt < recoversAt;
  const endOf = (_attempt: number, startedAt: EpochMs) => ({
    at: startedAt + length,
    exitCode: failing(startedAt) ? 1 : 0,
  });
  const restartPolicy = around.pod.spec.restartPolicy === 'Never' ? 'Never' : 'OnFailure';
  const steadyFrom = behaviour.initRecoversAfter === undefined ? 0 : Number.POSITIVE_INFINITY;
  const state = attemptsAt({ firstStartAt: begin, restartPolicy, steadyFrom, endOf }, now);
  const lastState = state.last === undefined ? {} : terminated(around, container, state.last);
  const common = { ...base(container), started: false, ready: false };
  if (state.kind === 'running') {
    const running = { running: { startedAt: timestamp(state.startedAt) } };
    const status = { ...common, started: true, restartCount: state.attempt, state: running, lastState };
    return { status, nextChangeAt: state.startedAt + length };
  }
  const restartCount = state.last.attempt;
  if (state.kind === 'backoff') {
    const message = `back-off ${state.seconds}s restarting failed container=${container.name}`;
    const waiting = { waiting: { reason: 'CrashLoopBackOff', message } };
    return { status: { ...common, restartCount, state: waiting, lastState }, nextChangeAt: state.restartAt };
  }
  const status = { ...common, ready: state.last.exitCode === 0, restartCount, state: lastState, lastState: {} };
  return state.last.exitCode === 0 ? { status, doneAt: state.last.at } : { status, failedForGood: true };
}

function base(container: Container) {
  return { name: container.name, image: container.image ?? '', imageID: container.image ?? '' };
}
