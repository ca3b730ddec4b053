import type { JobCondition, JobStatus } from 'kubernetes-types/batch/v1.js';
import { isActive, isReady } from './machinery/pod-state.ts';
import { instant, timestamp } from './machinery/timestamps.ts';
import type { StoredJob, StoredPod } from './machinery/typed-store.ts';

export interface JobDecision {
  readonly status: JobStatus;
  /** How many pods to create now. */
  readonly create: number;
  /** Pods that must go: the Job is over, suspended or has too many. */
  readonly stop: readonly StoredPod[];
  readonly nextLookAt: number | undefined;
  /** Set once, when the Job ends. */
  readonly ended?: { readonly reason: string; readonly message: string; readonly failed: boolean };
}

const firstBackoff = 10_000;
const longestBackoff = 360_000;

export function isFinishedJob(job: StoredJob): boolean {
  return endOf(job) !== undefined;
}

/** The condition that ended the Job. */
export function endOf(job: StoredJob): JobCondition | undefined {
  const conditions = job.status?.conditions ?? [];
  return conditions.find((one) => (one.type === 'Complete' || one.type === 'Failed') && one.status === 'True');
}

/** What a Job with these pods says of itself, and what is to be done for it. */
export function decideJob(job: StoredJob, pods: readonly StoredPod[], now: number): JobDecision {
  const active = pods.filter(isActive);
  const succeeded = pods.filter((pod) => pod.status?.phase === 'Succeeded').length;
  const failedPods = pods.filter((pod) => pod.status?.phase === 'Failed');
  const startTime = job.spec.suspend === true ? undefined : (job.status?.startTime ?? timestamp(now));
  const counts = { active, succeeded, failed: failedPods.length, startTime };
  const failure = failureOf(job, counts, now);
  if (failure !== undefined) return ended(counts, { ...failure, failed: true }, now);
  if (isComplete(job, counts)) {
    const message = 'Reached expected number of succeeded pods';
    return ended(counts, { reason: 'CompletionsReached', message, failed: false }, now);
  }
  if (job.spec.suspend === true) return suspended(job, counts, now);
  return running(job, counts, failedPods, now);
}

interface Counts {
  readonly active: readonly StoredPod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly startTime: string | undefined;
}

function running(job: StoredJob, counts: Counts, failedPods: readonly StoredPod[], now: number): JobDecision {
  const parallelism = job.spec.parallelism ?? 1;
  const completions = completionsOf(job);
  const left = completions === undefined ? parallelism : completions - counts.succeeded;
  // A work queue adds no pods once one of them has succeeded.
  const wanted = completions === undefined && counts.succeeded > 0 ? counts.active.length : Math.min(parallelism, left);
  const missing = wanted - counts.active.length;
  const retryAt = backoffEnd(failedPods);
  const mayCreate = missing > 0 && retryAt <= now;
  const deadline = deadlineOf(job, counts);
  const retry = missing > 0 && !mayCreate ? retryAt : Number.POSITIVE_INFINITY;
  const next = Math.min(deadline, retry);
  return {
    status: statusOf(counts, resumed(job, now)),
    create: mayCreate ? missing : 0,
    stop: missing < 0 ? counts.active.slice(missing) : [],
    nextLookAt: next === Number.POSITIVE_INFINITY ? undefined : next,
  };
}

function suspended(job: StoredJob, counts: Counts, now: number): JobDecision {
  const before = job.status?.conditions?.find((one) => one.type === 'Suspended');
  const condition = conditionAt(
    { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' },
    now,
  );
  const conditions = before?.status === 'True' ? [before] : [condition];
  return { status: statusOf(counts, conditions), create: 0, stop: counts.active, nextLookAt: undefined };
}

function resumed(job: StoredJob, now: number): JobCondition[] {
  const before = job.status?.conditions?.find((one) => one.type === 'Suspended');
  if (before === undefined || before.status === 'False') return before === undefined ? [] : [before];
  return [conditionAt({ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' }, now)];
}

function ended(counts: Counts, end: NonNullable<JobDecision['ended']>, now: number): JobDecision {
  const early = end.failed ? 'FailureTarget' : 'SuccessCriteriaMet';
  const conditions = [early, end.failed ? 'Failed' : 'Complete'].map((type) =>
    conditionAt({ type, status: 'True', reason: end.reason, message: end.message }, now),
  );
  const status = statusOf({ ...counts, active: [] }, conditions);
  const completed = end.failed ? status : { ...status, completionTime: timestamp(now) };
  return { status: completed, create: 0, stop: counts.active, nextLookAt: undefined, ended: end };
}

function statusOf(counts: Counts, conditions: JobCondition[]): JobStatus {
  const ready = counts.active.filter(isReady).length;
  return {
    ...(counts.startTime === undefined ? {} : { startTime: counts.startTime }),
    ...(counts.active.length > 0 ? { active: counts.active.length } : {}),
    ready,
    ...(counts.succeeded > 0 ? { succeeded: counts.succeeded } : {}),
    ...(counts.failed > 0 ? { failed: counts.failed } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
    uncountedTerminatedPods: {},
  };
}

/** Without either figure a Job wants one success; with a parallelism alone it is a work queue. */
function completionsOf(job: StoredJob): number | undefined {
  return job.spec.completions ?? (job.spec.parallelism === undefined ? 1 : undefined);
}

function isComplete(job: StoredJob, counts: Counts): boolean {
  const completions = completionsOf(job);
  if (completions !== undefined) return counts.succeeded >= completions;
  return counts.succeeded > 0 && counts.active.length === 0;
}

function failureOf(job: StoredJob, counts: Counts, now: number) {
  const limit = job.spec.backoffLimit ?? 6;
  const restarts = counts.active.reduce((total, pod) => total + restartsOf(pod), 0);
  const onFailure = job.spec.template.spec?.restartPolicy === 'OnFailure';
  if (counts.failed > limit || (onFailure && restarts > 0 && restarts >= limit)) {
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  if (job.spec.suspend !== true && deadlineOf(job, counts) <= now) {
    return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  return undefined;
}

function restartsOf(pod: StoredPod): number {
  return (pod.status?.containerStatuses ?? []).reduce((total, one) => total + one.restartCount, 0);
}

function deadlineOf(job: StoredJob, counts: Counts): number {
  const seconds = job.spec.activeDeadlineSeconds;
  if (seconds === undefined || counts.startTime === undefined) return Number.POSITIVE_INFINITY;
  return (instant(counts.startTime) ?? 0) + seconds * 1000;
}

/** A failed pod is replaced after 10 s, 20 s, … at most six minutes, counted from its end. */
function backoffEnd(failed: readonly StoredPod[]): number {
  if (failed.length === 0) return 0;
  const ends = failed.map((pod) => {
    const states = pod.status?.containerStatuses ?? [];
    return Math.max(...states.map((one) => instant(one.state?.terminated?.finishedAt) ?? 0), 0);
  });
  return Math.max(...ends) + Math.min(firstBackoff * 2 ** (failed.length - 1), longestBackoff);
}

function conditionAt(
  {
    type,
    status,
    reason,
    message,
  }: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string },
  now: number,
): JobCondition {
  const time = timestamp(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}
