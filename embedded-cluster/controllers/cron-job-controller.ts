import type { CronJobStatus, Job } from 'kubernetes-types/batch/v1.js';
import { dueRun, manyMissed } from './cron-job-runs.ts';
import { type CronSchedule, parseCron } from './cron-schedule.ts';
import { endOf, isFinishedJob } from './job-progress.ts';
import {
  type ControllerContext,
  controlledBy,
  controllerKey,
  observe,
  putStatus,
} from './machinery/controller-context.ts';
import { OwnedIndex } from './machinery/owned-index.ts';
import { timestamp } from './machinery/timestamps.ts';
import { keyOf, type StoredCronJob, type StoredJob, splitKey } from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';

const component = 'cronjob-controller';

/** Starts Jobs by the clock. */
export class CronJobController {
  readonly #context: ControllerContext;
  readonly #jobs: OwnedIndex<'jobs.batch'>;
  readonly #work: Work;
  readonly #schedules = new Map<string, CronSchedule>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = new OwnedIndex(context.store, 'jobs.batch');
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    observe(context.store, 'cronjobs.batch', ({ object }) => this.#work.enqueue(keyOf(object)));
    observe(context.store, 'jobs.batch', ({ object }) => {
      const key = controllerKey(object, 'CronJob');
      if (key !== undefined) this.#work.enqueue(key);
    });
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const cronJob = this.#context.store.get('cronjobs.batch', namespace, name);
    this.#work.deadline(key, undefined);
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return;
    this.#forgetOldJobs(cronJob);
    const schedule = this.#scheduleOf(cronJob);
    const suspended = cronJob.spec.suspend === true;
    const started = schedule === undefined || suspended ? undefined : this.#startDue(key, cronJob, schedule);
    this.#report(cronJob, started);
  }

  #scheduleOf(cronJob: StoredCronJob): CronSchedule | undefined {
    const { schedule, timeZone } = cronJob.spec;
    const id = `${timeZone ?? 'UTC'} ${schedule}`;
    const known = this.#schedules.get(id);
    if (known !== undefined) return known;
    try {
      const parsed = parseCron(schedule, timeZone);
      this.#schedules.set(id, parsed);
      return parsed;
    } catch (error) {
      const message = `unparseable schedule: ${error instanceof Error ? error.message : String(error)}`;
      this.#context.events.record(component, cronJob, { type: 'Warning', reason: 'UnparseableSchedule', message });
      return undefined;
    }
  }

  /** Starts the run that is due, if the policy lets it; answers with its scheduled time. */
  #startDue(key: string, cronJob: StoredCronJob, schedule: CronSchedule): number | undefined {
    const { clock } = this.#context;
    const due = dueRun(cronJob, schedule, clock.now());
    this.#work.deadline(key, due.nextAt);
    if (due.at === undefined) return undefined;
    if (due.missed > manyMissed) this.#warn(cronJob, 'TooManyMissedTimes', 'too many missed start times');
    if (due.tooLate) {
      this.#warn(cronJob, 'MissSchedule', `Missed scheduled time to start a job: ${timestamp(due.at)}`);
      return undefined;
    }
    const active = this.#activeJobs(cronJob);
    if (active.length > 0 && cronJob.spec.concurrencyPolicy === 'Forbid') {
      const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#context.events.record(component, cronJob, { type: 'Normal', reason: 'JobAlreadyActive', message });
      return undefined;
    }
    if (cronJob.spec.concurrencyPolicy === 'Replace') for (const job of active) this.#delete(cronJob, job);
    this.#create(cronJob, due.at);
    return due.at;
  }

  #warn(cronJob: StoredCronJob, reason: string, message: string): void {
    this.#context.events.record(component, cronJob, { type: 'Warning', reason, message });
  }

  #activeJobs(cronJob: StoredCronJob): StoredJob[] {
    const jobs = this.#jobs.of(cronJob.metadata.uid);
    return jobs.filter((job) => !isFinishedJob(job) && job.metadata.deletionTimestamp === undefined);
  }

  #create(cronJob: StoredCronJob, at: number): void {
    const { store, events } = this.#context;
    const { metadata, spec } = cronJob.spec.jobTemplate;
    const name = `${cronJob.metadata.name}-${Math.floor(at / 60_000)}`;
    if (store.get('jobs.batch', cronJob.metadata.namespace, name) !== undefined || spec === undefined) return;
    const job: Job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace: cronJob.metadata.namespace ?? 'default',
        labels: { ...metadata?.labels },
        annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(at) },
        ownerReferences: [controlledBy(cronJob)],
      },
      spec,
    };
    store.create('jobs.batch', job);
    events.record(component, cronJob, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created job ${name}` });
  }

  #delete(cronJob: StoredCronJob, job: StoredJob): void {
    this.#context.store.delete('jobs.batch', job, { propagationPolicy: 'Background' });
    const message = `Deleted job ${job.metadata.name}`;
    this.#context.events.record(component, cronJob, { type: 'Normal', reason: 'SuccessfulDelete', message });
  }

  #forgetOldJobs(cronJob: StoredCronJob): void {
    const finished = this.#jobs.of(cronJob.metadata.uid).filter((job) => isFinishedJob(job));
    finished.sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1));
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cronJob.spec;
    const failed = finished.filter((job) => endOf(job)?.type === 'Failed');
    const succeeded = finished.filter((job) => endOf(job)?.type === 'Complete');
    const surplus = [
      ...failed.slice(0, Math.max(0, failed.length - failedJobsHistoryLimit)),
      ...succeeded.slice(0, Math.max(0, succeeded.length - successfulJobsHistoryLimit)),
    ];
    for (const job of surplus) this.#delete(cronJob, job);
  }

  #report(cronJob: StoredCronJob, started: number | undefined): void {
    const active = this.#activeJobs(cronJob).map((job) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: job.metadata.name,
      namespace: job.metadata.namespace ?? 'default',
      uid: job.metadata.uid,
      resourceVersion: job.metadata.resourceVersion,
    }));
    const lastScheduleTime = started === undefined ? cronJob.status?.lastScheduleTime : timestamp(started);
    const lastSuccessfulTime = this.#lastSuccess(cronJob);
    const status: CronJobStatus = {
      ...(active.length > 0 ? { active } : {}),
      ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
      ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
    };
    putStatus(this.#context.store, 'cronjobs.batch', cronJob, status);
  }

  #lastSuccess(cronJob: StoredCronJob): string | undefined {
    let last = cronJob.status?.lastSuccessfulTime;
    for (const job of this.#jobs.of(cronJob.metadata.uid)) {
      const at = job.status?.completionTime;
      if (at !== undefined && (last === undefined || at > last)) last = at;
    }
    return last;
  }
}
