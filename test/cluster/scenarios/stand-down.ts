import { expect } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit/entry.ts';
import { manualHibernation } from '../../../src/state/manual-hibernation.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import {
  ann,
  auditOf,
  deleteStandDown,
  eventsOf,
  hibernateByHand,
  hours,
  levels,
  postStandDown,
  setLicense,
  stateOf,
  summaryOf,
  untilAwake,
  untilHibernated,
  untilLogged,
} from './acts.ts';
import type { Stage } from './stage.ts';
import { createWorkloads, type WorkloadParts } from './workload-manifests.ts';

export interface Scenario {
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

const team: readonly WorkloadParts[] = [
  { name: 'web', replicas: 3 },
  { kind: 'StatefulSet', name: 'db', replicas: 2 },
  { kind: 'CronJob', name: 'report' },
];
const up = { db: 2, report: 'running', web: 3 };
const down = { db: 0, report: 'suspended', web: 0 };

/** Long enough for several passes: nothing of it may have happened after that. */
const aWhileMs = 1_500;

async function running(stage: Stage, workloads = team): Promise<void> {
  await createWorkloads(stage.client, stage.namespace, workloads);
  await stage.start();
}

async function hibernated(stage: Stage, workloads = team): Promise<void> {
  await stage.configure(hours('off'));
  await running(stage, workloads);
  await untilHibernated(stage);
}

async function stoodDown(stage: Stage, reason?: string): Promise<void> {
  expect(await postStandDown(stage, reason)).toBeUndefined();
  await untilHandedBack(stage);
}

function untilHandedBack(stage: Stage): Promise<true> {
  return stage.until('the handback is finished', async () => (await summaryOf(stage))?.handbackDone);
}

function untilEvent(stage: Stage, reason: string, count = 1) {
  return stage.until(`there are ${count} events ${reason}`, async () => {
    const found = (await eventsOf(stage)).filter((event) => event.reason === reason);
    return found.length >= count && found;
  });
}

/** The entry of a hibernation that came right after a stand-down. */
function untilHibernatedBy(stage: Stage): Promise<AuditEntry> {
  return stage.until('the hibernation after the stand-down is recorded', async () =>
    (await auditOf(stage)).find(
      ({ title, trigger }) => title === 'Hibernation Complete' && trigger === 'stand-down ended',
    ),
  );
}

function untilAudit(stage: Stage, kind: string): Promise<AuditEntry> {
  return stage.until(`there is an audit entry ${kind}`, async () =>
    (await auditOf(stage)).find((entry) => entry.kind === kind),
  );
}

async function titles(stage: Stage): Promise<readonly string[]> {
  return (await auditOf(stage)).map(({ title, actor }) => `${title}: ${actor}`);
}

function said(stage: Stage, message: string): number {
  return stage.logs.filter(({ msg }) => msg.startsWith(message)).length;
}

/** Each row of the table of transitions, in its order. */
export const rows: readonly Scenario[] = [
  {
    name: 'not stood down, POST: stored, recorded, told, and the handback starts at once',
    async play(stage) {
      await hibernated(stage);
      await stoodDown(stage, 'a release');
      expect(await levels(stage)).toEqual(up);
      expect(await summaryOf(stage)).toEqual({
        source: 'admin',
        actor: ann,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        reason: 'a release',
        configuration: false,
        handbackDone: true,
      });
      expect(JSON.parse((await stateOf(stage)).data['stand_down'] ?? '{}')).toMatchObject({ admin: { actor: ann } });
      const entry = (await auditOf(stage)).find(({ kind }) => kind === 'stand-down');
      expect(entry).toMatchObject({ title: 'Stood Down', actor: ann, reason: 'a release' });
      const [event] = await untilEvent(stage, 'StoodDown');
      expect(event).toMatchObject({
        namespace: stage.releaseNamespace,
        type: 'Warning',
        message: expect.stringContaining(`Stood down by ${ann}: a release.`),
      });
      expect(await untilLogged(stage, 'Stood down: ')).toMatchObject({ source: 'admin', actor: ann });
      await stage.until('the update was sent to the api', async () =>
        stage.frames.some(({ kind, payload }) => {
          const { standDown } = payload as { standDown?: { handbackDone: boolean } | null };
          return kind === 'stand-down-update' && standDown?.handbackDone === true;
        }),
      );
    },
  },
  {
    name: 'not stood down, config.global.enabled false: the same with the actor configuration, and no restart',
    async play(stage) {
      await hibernated(stage);
      await stage.configure({ global: { enabled: false } });
      await untilHandedBack(stage);
      expect(await levels(stage)).toEqual(up);
      expect(await summaryOf(stage)).toMatchObject({
        source: 'configuration',
        actor: 'configuration',
        configuration: true,
      });
      expect(await titles(stage)).toContain('Stood Down: configuration');
      const [event] = await untilEvent(stage, 'StoodDown');
      expect(event?.message).toContain('Stood down by configuration.');
      expect(await untilLogged(stage, 'Stood down: ')).toMatchObject({ source: 'configuration' });
      expect(said(stage, 'Controller started')).toBe(1);
    },
  },
  {
    name: 'stood down by admin, POST: refused with already_stood_down, and nothing changes',
    async play(stage) {
      await running(stage);
      await stoodDown(stage, 'first');
      const before = await summaryOf(stage);
      expect(await postStandDown(stage, 'second')).toMatchObject({ status: 409, code: 'already_stood_down' });
      expect(await summaryOf(stage)).toEqual(before);
      expect(await titles(stage)).toEqual([`Stood Down: ${ann}`]);
    },
  },
  {
    name: 'stood down by admin, DELETE: not stood down, recorded, told, and scaling resumes',
    async play(stage) {
      await hibernated(stage);
      await stoodDown(stage);
      expect(await deleteStandDown(stage)).toBeUndefined();
      await stage.until('it hibernates again', async () => (await levels(stage))['web'] === 0);
      await untilHibernated(stage);
      expect(await summaryOf(stage)).toBeNull();
      expect(await titles(stage)).toContain(`Stand-down Ended: ${ann}`);
      const [event] = await untilEvent(stage, 'StandDownEnded');
      expect(event).toMatchObject({ type: 'Normal', message: `Stand-down ended by ${ann}. Scaling resumes.` });
      expect(await untilLogged(stage, 'Stand-down ended')).toMatchObject({ source: 'admin', scalingResumes: true });
    },
  },
  {
    name: 'stood down by admin and configuration, DELETE: the configuration still holds, and the ended source is told',
    async play(stage) {
      await hibernated(stage);
      await stage.configure({ global: { enabled: false } });
      await untilHandedBack(stage);
      await stoodDown(stage);
      expect(await summaryOf(stage)).toMatchObject({ source: 'admin', configuration: true });
      expect(await deleteStandDown(stage)).toBeUndefined();
      const [event] = await untilEvent(stage, 'StandDownEnded');
      expect(event?.message).toBe(
        `Stand-down ended by ${ann}. Scaling does not resume: the configuration still holds a stand-down.`,
      );
      await stage.pass(aWhileMs);
      expect(await summaryOf(stage)).toMatchObject({
        source: 'configuration',
        actor: 'configuration',
        handbackDone: true,
      });
      expect(await levels(stage)).toEqual(up);
    },
  },
  {
    name: 'stood down by configuration, DELETE: refused with stand_down_by_configuration, and nothing changes',
    async play(stage) {
      await running(stage);
      await stage.configure({ global: { enabled: false } });
      await untilHandedBack(stage);
      expect(await deleteStandDown(stage)).toMatchObject({ status: 409, code: 'stand_down_by_configuration' });
      expect(await summaryOf(stage)).toMatchObject({ source: 'configuration' });
    },
  },
  {
    name: 'stood down by configuration, config.global.enabled true: not stood down, and scaling resumes',
    async play(stage) {
      await hibernated(stage);
      await stage.configure({ global: { enabled: false } });
      await untilHandedBack(stage);
      await stage.configure({ global: { enabled: true } });
      await stage.until('it hibernates again', async () => (await levels(stage))['web'] === 0);
      await untilHibernated(stage);
      expect(await summaryOf(stage)).toBeNull();
      expect(await titles(stage)).toContain('Stand-down Ended: configuration');
      expect(await untilHibernatedBy(stage)).toMatchObject({
        actor: 'configuration (stand-down ended)',
      });
    },
  },
  {
    name: 'not stood down, DELETE: refused with not_stood_down, and nothing changes',
    async play(stage) {
      await running(stage);
      expect(await deleteStandDown(stage)).toMatchObject({ status: 409, code: 'not_stood_down' });
      expect(await summaryOf(stage)).toBeNull();
      expect(await auditOf(stage)).toEqual([]);
    },
  },
  {
    name: 'handback running, everything restored: handbackDone, and the log says so',
    async play(stage) {
      const slow = { name: 'slow', replicas: 1, behaviour: { 'start-seconds': '3' } };
      await hibernated(stage, [...team, slow]);
      expect(await postStandDown(stage)).toBeUndefined();
      await untilLogged(stage, 'Stood down: ');
      await stage.until('the handback runs', async () => {
        return (await levels(stage))['slow'] === 1 && (await summaryOf(stage))?.handbackDone === false;
      });
      await untilHandedBack(stage);
      expect(await levels(stage)).toEqual({ ...up, slow: 1 });
      await untilLogged(stage, 'Handback finished: ');
      await untilAudit(stage, 'wake');
      expect(said(stage, 'Handback finished: ')).toBe(1);
      expect((await stateOf(stage)).read(resourceStates)).toEqual({ ok: true, value: [] });
    },
  },
];

const ordered = (namespace: string, names: readonly string[]) => ({
  tiers: names.map((name) => ({ name, select: [{ namespace, name }] })),
});

/** The rules of a handback, in their order. */
export const rules: readonly Scenario[] = [
  {
    name: 'rule 1: counts come back as they were recorded, and one that was at 0 stays at 0',
    async play(stage) {
      await hibernated(stage, [
        ...team,
        { name: 'idle', replicas: 0 },
        { kind: 'StatefulSet', name: 'wide', replicas: 7 },
      ]);
      expect(await levels(stage)).toEqual({ ...down, idle: 0, wide: 0 });
      await stoodDown(stage);
      expect(await levels(stage)).toEqual({ ...up, idle: 0, wide: 7 });
    },
  },
  {
    name: 'rule 2: CronJobs that the service suspended resume, one that its owner suspended stays suspended',
    async play(stage) {
      await hibernated(stage, [...team, { kind: 'CronJob', name: 'parked', suspended: true }]);
      expect(await levels(stage)).toEqual({ ...down, parked: 'suspended' });
      await stoodDown(stage);
      expect(await levels(stage)).toEqual({ ...up, parked: 'suspended' });
    },
  },
  {
    name: 'rule 3: a manual hibernation is cleared',
    async play(stage) {
      await running(stage);
      await hibernateByHand(stage);
      await untilHibernated(stage);
      await stoodDown(stage);
      expect(await levels(stage)).toEqual(up);
      expect((await stateOf(stage)).read(manualHibernation)).toEqual({ ok: true, value: null });
    },
  },
  {
    name: 'rule 4: workloads come up in the wake order',
    async play(stage) {
      await stage.configure({ wakeOrdering: ordered(stage.namespace, ['db', 'web']) });
      const db = { kind: 'StatefulSet', name: 'db', replicas: 2, behaviour: { 'start-seconds': '3' } } as const;
      await hibernated(stage, [{ name: 'web', replicas: 3 }, db, { name: 'late', replicas: 1 }]);
      expect(await postStandDown(stage)).toBeUndefined();
      await stage.until('the first tier alone is up', async () => {
        const { db: first, web, late } = await levels(stage);
        return first === 2 && web === 0 && late === 0;
      });
      await untilHandedBack(stage);
      expect(await levels(stage)).toEqual({ db: 2, late: 1, web: 3 });
    },
  },
  {
    name: 'rule 4: a hibernation that runs when the stand-down arrives stops where it is',
    async play(stage) {
      await stage.configure({ hibernateOrdering: ordered(stage.namespace, ['slow', 'web']), ...hours('off') });
      const slow = {
        kind: 'StatefulSet',
        name: 'slow',
        replicas: 1,
        behaviour: { 'terminate-seconds': '12' },
      } as const;
      await running(stage, [slow, { name: 'web', replicas: 3 }]);
      await stage.until('the first tier goes down', async () => (await levels(stage))['slow'] === 0);
      expect(await postStandDown(stage)).toBeUndefined();
      await untilLogged(stage, 'Hibernation stopped');
      await untilHandedBack(stage);
      expect(await levels(stage)).toEqual({ slow: 1, web: 3 });
      const stopped = (await auditOf(stage)).find(({ title }) => title === 'Hibernation Stopped');
      expect(stopped).toMatchObject({ actor: `${ann} (stand-down)`, result: 'incomplete' });
    },
  },
  {
    name: 'rule 5: a failing step is retried, the log names what is missing, and the handback ends once it is back',
    async play(stage) {
      await hibernated(stage);
      const allow = await stage.refuseChanges('web', 'web is frozen today');
      expect(await postStandDown(stage)).toBeUndefined();
      const line = await untilLogged(stage, 'Handback not finished, retrying on the next pass');
      await stage.until('only the frozen one is missing', async () =>
        stage.logs.some(
          ({ msg, pending }) =>
            msg === line.msg && JSON.stringify(pending) === JSON.stringify([`Deployment ${stage.namespace}/web`]),
        ),
      );
      expect((await levels(stage))['db']).toBe(2);
      expect((await summaryOf(stage))?.handbackDone).toBe(false);
      await allow();
      // The next pass: any reason for one will do.
      await stage.configure({ operations: { logLevel: 'debug' } });
      await untilHandedBack(stage);
      expect(await levels(stage)).toEqual(up);
      const wake = await untilAudit(stage, 'wake-failed');
      expect(wake.title).toBe('Wake Complete - 1 workload failed');
      expect(wake.workloads_failed_detail).toHaveLength(1);
      expect(wake.workloads_failed_detail?.[0]).toMatch(
        new RegExp(`^Deployment ${stage.namespace}/web: svc could not scale it up: .*web is frozen today`),
      );
    },
  },
  {
    name: 'rule 5: a controller that has just started hands back after its first license check',
    async play(stage) {
      await hibernated(stage);
      await stage.kill();
      expect(await postStandDown(stage)).toBeUndefined();
      const before = stage.logs.length;
      await stage.start();
      await untilHandedBack(stage);
      expect(await levels(stage)).toEqual(up);
      const messages = stage.logs.slice(before).map(({ msg }) => msg);
      const check = messages.findIndex((msg) => msg.startsWith('License check: licensed'));
      const wake = messages.indexOf('Wake started');
      expect(check).toBeGreaterThanOrEqual(0);
      expect(wake).toBeGreaterThan(check);
    },
  },
  {
    name: 'rule 6: the handback appears as a wake initiated by <actor> (stand-down)',
    async play(stage) {
      await hibernated(stage);
      await stoodDown(stage);
      expect(await untilAudit(stage, 'wake')).toMatchObject({
        title: 'Wake Complete',
        actor: `${ann} (stand-down)`,
        result: 'success',
      });
      const wakes = stage.frames.filter(({ kind, payload }) => {
        return kind === 'transition' && (payload as { kind?: string }).kind === 'wake';
      });
      expect(wakes.length).toBeGreaterThan(0);
      for (const { payload } of wakes) expect(payload).toMatchObject({ trigger: { actor: `${ann} (stand-down)` } });
      await untilEvent(stage, 'WakeComplete');
    },
  },
  {
    name: 'rule 6: when nothing is hibernated no wake opens',
    async play(stage) {
      await running(stage);
      await untilLogged(stage, 'License check: licensed');
      await stoodDown(stage);
      expect(await titles(stage)).toEqual([`Stood Down: ${ann}`]);
      expect(stage.frames.filter(({ kind }) => kind === 'transition')).toEqual([]);
      expect(await levels(stage)).toEqual(up);
    },
  },
  {
    name: 'a handback also runs while dry run is on, and nothing else does',
    async play(stage) {
      await hibernated(stage);
      await stage.configure({ operations: { dryRun: true } });
      await stoodDown(stage);
      expect(await levels(stage)).toEqual(up);
      expect(await deleteStandDown(stage)).toBeUndefined();
      await untilLogged(stage, 'Stand-down ended');
      await stage.pass(aWhileMs);
      expect(await levels(stage)).toEqual(up);
    },
  },
  {
    name: 'while stood down nothing is scaled and nothing hibernates on schedule, over a crash and a reinstall too',
    async play(stage) {
      await running(stage);
      await stoodDown(stage);
      await stage.configure(hours('off'));
      await createWorkloads(stage.client, stage.namespace, [{ name: 'new', replicas: 2 }]);
      await stage.pass(aWhileMs);
      await stage.kill();
      await stage.start();
      await stage.until(
        'the new process checked its license',
        async () => said(stage, 'License check: licensed') === 2,
      );
      await stage.pass(aWhileMs);
      expect(await levels(stage)).toEqual({ ...up, new: 2 });
      expect(await summaryOf(stage)).toMatchObject({ source: 'admin', actor: ann, handbackDone: true });
    },
  },
];

/** What happens when the last cause ends. */
export const endings: readonly Scenario[] = [
  {
    name: 'inside a hibernation window the cluster is hibernated at once in the name of <actor> (stand-down ended)',
    async play(stage) {
      await hibernated(stage);
      await stoodDown(stage);
      expect(await deleteStandDown(stage, 'bob@example.com')).toBeUndefined();
      await stage.until('it hibernates again', async () => (await levels(stage))['db'] === 0);
      await untilHibernated(stage);
      expect(await levels(stage)).toEqual(down);
      expect(await untilHibernatedBy(stage)).toMatchObject({
        actor: 'bob@example.com (stand-down ended)',
        trigger: 'stand-down ended',
      });
    },
  },
  {
    name: 'outside a window the cluster stays up, and a manual hibernation from before does not return',
    async play(stage) {
      await running(stage);
      await hibernateByHand(stage);
      await untilHibernated(stage);
      await stoodDown(stage);
      expect(await deleteStandDown(stage)).toBeUndefined();
      await untilLogged(stage, 'Stand-down ended');
      await stage.pass(aWhileMs);
      expect(await levels(stage)).toEqual(up);
      expect(await stateOf(stage).then((state) => state.read(manualHibernation))).toEqual({ ok: true, value: null });
    },
  },
  {
    name: 'while an unlicensed verdict still holds nothing is scaled',
    async play(stage) {
      await hibernated(stage);
      await stoodDown(stage);
      await setLicense(stage, 'not a license');
      await untilLogged(stage, 'License check: unlicensed');
      expect(await deleteStandDown(stage)).toBeUndefined();
      const [event] = await untilEvent(stage, 'StandDownEnded');
      expect(event?.message).toBe(
        `Stand-down ended by ${ann}. Scaling does not resume: the license does not let the service act.`,
      );
      await stage.pass(aWhileMs);
      expect(await levels(stage)).toEqual(up);
      await setLicense(stage, '');
      await stage.until('it hibernates once licensed', async () => (await levels(stage))['web'] === 0);
      await untilHibernated(stage);
      expect(await levels(stage)).toEqual(down);
    },
  },
  {
    name: 'an unlicensed verdict alone wakes everything, and scaling goes on once a check succeeds',
    async play(stage) {
      await hibernated(stage);
      await setLicense(stage, 'not a license');
      await stage.until('everything is handed back', async () => {
        return JSON.stringify(await levels(stage)) === JSON.stringify(up);
      });
      await untilAwake(stage);
      expect(await untilAudit(stage, 'wake')).toMatchObject({ actor: 'license' });
      await setLicense(stage, '');
      await stage.until('it hibernates once licensed', async () => (await levels(stage))['web'] === 0);
      await untilHibernated(stage);
    },
  },
];
