import { expect } from 'vitest';
import { manualHibernation } from '../../../src/state/intents/manual-hibernation.ts';
import {
  ann,
  deleteStandDown,
  hibernateByHand,
  levels,
  setLicense,
  stateOf,
  untilAwake,
  untilHibernated,
  untilLogged,
} from './acts.ts';
import {
  aWhileMs,
  down,
  hibernated,
  running,
  type Scenario,
  stoodDown,
  untilAudit,
  untilEvent,
  untilHibernatedBy,
  up,
} from './stand-down-steps.ts';

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
