import { describe, expect, it } from 'vitest';
import type { Manifest } from '../apply-objects.ts';
import { ClusterFixture, podTemplate } from '../cluster-fixture.ts';

const job = (
  name: string,
  behaviour: Record<string, string>,
  spec: object = {},
  restartPolicy = 'Never',
): Manifest => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'shop' },
  spec: { template: podTemplate(name, { behaviour, pod: { restartPolicy } }), ...spec },
});

const cronJob = (schedule: string, spec: object = {}, runSeconds = '30'): Manifest => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'report', namespace: 'shop' },
  spec: {
    schedule,
    jobTemplate: {
      spec: {
        template: podTemplate('report', { behaviour: { 'run-seconds': runSeconds }, pod: { restartPolicy: 'Never' } }),
      },
    },
    ...spec,
  },
});

const jobs = (fixture: ClusterFixture) => fixture.store.list('jobs.batch', 'shop');
const scheduled = (fixture: ClusterFixture) =>
  jobs(fixture).map((one) =>
    one.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']?.slice(11, 16),
  );
const status = (fixture: ClusterFixture) => fixture.store.get('cronjobs.batch', 'shop', 'report')!.status;

describe('a Job', () => {
  const ended = (fixture: ClusterFixture) => {
    const { status: now } = jobs(fixture)[0]!;
    const conditions = (now?.conditions ?? []).map((one) => `${one.type} ${one.reason}`);
    return { conditions, active: now?.active ?? 0, succeeded: now?.succeeded ?? 0, failed: now?.failed ?? 0 };
  };

  it('completes when its pod does', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(job('load', { 'run-seconds': '20' }));
    await fixture.pass(20);
    expect(ended(fixture)).toEqual({ conditions: [], active: 1, succeeded: 0, failed: 0 });
    await fixture.pass(2);
    const conditions = ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'];
    expect(ended(fixture)).toEqual({ conditions, active: 0, succeeded: 1, failed: 0 });
    expect(jobs(fixture)[0]!.status?.completionTime).toBe('2026-01-05T08:00:21Z');
  });

  it('runs as many pods at once as it may until it has its completions', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(job('load', { 'run-seconds': '10' }, { parallelism: 2, completions: 5 }));
    await fixture.pass(5);
    expect(ended(fixture).active).toBe(2);
    await fixture.pass(60);
    expect(ended(fixture)).toMatchObject({ succeeded: 5, active: 0 });
  });

  it('replaces failed pods after 10 and 20 seconds, and gives up at its limit', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(job('load', { 'crash-after-seconds': '1' }, { backoffLimit: 2 }));
    const failed: number[] = [];
    for (const seconds of [3, 8, 4, 19, 4]) {
      await fixture.pass(seconds);
      failed.push(ended(fixture).failed);
    }
    expect(failed).toEqual([1, 1, 2, 2, 3]);
    expect(ended(fixture).conditions).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
  });

  it('with OnFailure restarts its pod in place', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(job('load', { 'crash-after-seconds': '1', 'crash-times': '2', 'run-seconds': '5' }, {}, 'OnFailure'));
    await fixture.pass(60);
    expect(ended(fixture)).toMatchObject({ succeeded: 1, failed: 0 });
  });

  it('fails at its deadline, and is gone after its time to live', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(job('load', { 'run-seconds': '500' }, { activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 30 }));
    await fixture.pass(70);
    expect(ended(fixture).conditions).toEqual(['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
    await fixture.pass(30);
    expect(jobs(fixture)).toEqual([]);
    expect(fixture.pods()).toEqual([]);
  });
});

describe('a CronJob', () => {
  it('runs by its schedule and keeps three successes beside the running one', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(cronJob('*/10 * * * *'));
    await fixture.pass(605);
    expect(scheduled(fixture)).toEqual(['08:10']);
    expect(status(fixture)?.active).toHaveLength(1);
    expect(jobs(fixture)[0]!.metadata.name).toBe(`report-${Date.UTC(2026, 0, 5, 8, 10) / 60_000}`);
    await fixture.pass(3600);
    expect(scheduled(fixture)).toEqual(['08:40', '08:50', '09:00', '09:10']);
    expect(status(fixture)).toEqual({
      lastScheduleTime: '2026-01-05T09:10:00Z',
      lastSuccessfulTime: '2026-01-05T09:00:31Z',
      active: [expect.anything()],
    });
  });

  it('does nothing while suspended, and runs the latest missed run at once on resume', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(cronJob('*/10 * * * *', { suspend: true }));
    await fixture.pass(36 * 60);
    expect(jobs(fixture)).toEqual([]);
    fixture.edit('cronjobs.batch', 'report', { suspend: false });
    await fixture.pass(5);
    expect(scheduled(fixture)).toEqual(['08:30']);
  });

  it('does not make up for a run past its starting deadline', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(cronJob('*/10 * * * *', { suspend: true, startingDeadlineSeconds: 120 }));
    await fixture.pass(36 * 60);
    fixture.edit('cronjobs.batch', 'report', { suspend: false });
    await fixture.pass(60);
    expect(jobs(fixture)).toEqual([]);
    await fixture.pass(240);
    expect(scheduled(fixture)).toEqual(['08:40']);
  });

  const policies: Record<string, [policy: string, starts: readonly string[], running: number]> = {
    'Allow starts the next beside the last': ['Allow', ['08:10', '08:20', '08:30'], 3],
    'Forbid waits for the last': ['Forbid', ['08:10'], 1],
    'Replace ends the last': ['Replace', ['08:30'], 1],
  };
  it.each(Object.entries(policies))('%s', async (_sentence, [concurrencyPolicy, starts, running]) => {
    const fixture = new ClusterFixture();
    fixture.apply(cronJob('*/10 * * * *', { concurrencyPolicy }, '3000'));
    await fixture.pass(1860);
    expect(scheduled(fixture)).toEqual(starts);
    expect(status(fixture)?.active).toHaveLength(running);
  });

  it('says when its schedule cannot be read', async () => {
    const fixture = new ClusterFixture();
    fixture.cluster.store.create('cronjobs.batch', cronJob('whenever'));
    await fixture.pass(5);
    expect(fixture.events('UnparseableSchedule')).toEqual([
      'unparseable schedule: schedule "whenever" has 1 fields; it needs five, such as 30 2 * * 1-5.',
    ]);
  });
});
