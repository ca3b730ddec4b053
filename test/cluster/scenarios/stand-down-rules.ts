import { expect } from 'vitest';
import { manualHibernation } from '../../../src/state/intents/manual-hibernation.ts';
import {
  ann,
  auditOf,
  deleteStandDown,
  hibernateByHand,
  hours,
  levels,
  postStandDown,
  stateOf,
  summaryOf,
  untilHibernated,
  untilLogged,
} from './acts.ts';
import {
  aWhileMs,
  down,
  hibernated,
  running,
  type Scenario,
  said,
  stoodDown,
  team,
  titles,
  untilAudit,
  untilEvent,
  untilHandedBack,
  up,
} from './stand-down-steps.ts';
import { createWorkloads } from './workload-manifests.ts';

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
      const db = { kind: 'StatefulSet', name: 'db', replicas: 2, behaviour: { 'start-seconds': '8' } } as const;
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
      const slow = { name: 'slow', replicas: 1, behaviour: { 'terminate-seconds': '12' } };
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
      // What is refused for a moment only is no failure of the wake.
      await untilLogged(stage, 'A write keeps failing and is tried again');
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
      expect(await titles(stage, 'stand-down')).toEqual([`Stood Down: ${ann}`]);
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
