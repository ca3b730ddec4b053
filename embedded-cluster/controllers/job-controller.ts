import { decideJob, endOf, type JobDecision } from './job-progress.ts';
import { type ControllerContext, controllerKey, observe, putStatus } from './machinery/controller-context.ts';
import { randomName } from './machinery/random-name.ts';
import { RefusalBackoff } from './machinery/refusal-backoff.ts';
import { instant } from './machinery/timestamps.ts';
import { keyOf, type StoredJob, splitKey } from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';
import { createPod } from './pod-creation.ts';

const component = 'job-controller';

/** Runs pods until enough of them have succeeded. */
export class JobController {
  readonly #context: ControllerContext;
  readonly #work: Work;
  readonly #refusals = new RefusalBackoff();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    observe(context.store, 'jobs.batch', ({ object }) => this.#work.enqueue(keyOf(object)));
    observe(context.store, 'pods', ({ object }) => {
      const key = controllerKey(object, 'Job');
      if (key !== undefined) this.#work.enqueue(key);
    });
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const job = this.#context.store.get('jobs.batch', namespace, name);
    this.#work.deadline(key, undefined);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) {
      this.#refusals.forget(key);
      return;
    }
    const end = endOf(job);
    if (end !== undefined) this.#expire(key, job, instant(end.lastTransitionTime) ?? 0);
    else this.#advance(key, job);
  }

  #expire(key: string, job: StoredJob, endedAt: number): void {
    const seconds = job.spec.ttlSecondsAfterFinished;
    if (seconds === undefined) return;
    const at = endedAt + seconds * 1000;
    if (at > this.#context.clock.now()) this.#work.deadline(key, at);
    else this.#context.store.delete('jobs.batch', job, { propagationPolicy: 'Background' });
  }

  #advance(key: string, job: StoredJob): void {
    const { store, clock, pods } = this.#context;
    const owned = () => [...pods.ofController(job.metadata.uid).values()];
    const now = clock.now();
    const decision = decideJob(job, owned(), now);
    for (const pod of decision.stop) store.delete('pods', pod);
    const waitsUntil = this.#refusals.waitsUntil(key, now);
    const refused = waitsUntil === undefined && !this.#create(job, decision.create);
    const status = decision.ended === undefined ? decideJob(job, owned(), now).status : decision.status;
    putStatus(store, 'jobs.batch', job, status);
    this.#report(job, decision);
    if (!refused && waitsUntil === undefined) this.#refusals.forget(key);
    this.#work.deadline(key, refused ? this.#refusals.retryAt(key, now) : (waitsUntil ?? decision.nextLookAt));
  }

  #create(job: StoredJob, count: number): boolean {
    const { store, random, events } = this.#context;
    for (let i = 0; i < count; i++) {
      const name = randomName(`${job.metadata.name}-`, random);
      try {
        createPod(store, { owner: job, template: job.spec.template, name, labels: jobLabels(job) });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const message = `Error creating: ${error.message}`;
        events.record(component, job, { type: 'Warning', reason: 'FailedCreate', message });
        return false;
      }
      events.record(component, job, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` });
    }
    return true;
  }

  #report(job: StoredJob, { ended }: JobDecision): void {
    if (ended === undefined) return;
    const report = ended.failed
      ? ({ type: 'Warning', reason: ended.reason, message: ended.message } as const)
      : ({ type: 'Normal', reason: 'Completed', message: 'Job completed' } as const);
    this.#context.events.record(component, job, report);
  }
}

function jobLabels(job: StoredJob): Readonly<Record<string, string>> {
  const { name, uid } = job.metadata;
  return {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
}
