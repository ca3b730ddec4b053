import { expect } from 'vitest';
import { resourceStates } from '../../../src/state/resource-states.ts';
import {
  ann,
  auditOf,
  deleteStandDown,
  levels,
  postStandDown,
  stateOf,
  summaryOf,
  untilHibernated,
  untilLogged,
} from './acts.ts';
import {
  aWhileMs,
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
  untilHibernatedBy,
  up,
} from './stand-down-steps.ts';

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
      expect(await titles(stage, 'stand-down')).toContain('Stood Down: configuration');
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
      expect(await titles(stage, 'stand-down')).toEqual([`Stood Down: ${ann}`]);
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
      expect(await titles(stage, 'stand-down-ended')).toContain(`Stand-down Ended: ${ann}`);
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
      expect(await titles(stage, 'stand-down-ended')).toContain('Stand-down Ended: configuration');
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
      const slow = { name: 'slow', replicas: 1, behaviour: { 'start-seconds': '8' } };
      const first = { name: 'first', select: [{ namespace: stage.namespace, name: 'slow' }] };
      await stage.configure({ wakeOrdering: { tiers: [first] } });
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
