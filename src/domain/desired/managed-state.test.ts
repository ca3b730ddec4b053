import { describe, expect, it } from 'vitest';
import { nothingTaken } from '../../../test/support/examples/desired-examples.ts';
import { notStoodDown } from '../stops/stand-down-state.ts';
import { isHandedBack, type ManagedState } from './managed-state.ts';

const plain: ManagedState = {
  undecodable: { awake: [], hibernated: [] },
  ...nothingTaken,
  standDown: notStoodDown,
  wakeOverride: null,
  manualHibernation: null,
  externalSessions: [],
};

const rows: Record<string, [state: Partial<ManagedState>, handedBack: boolean]> = {
  'nothing is down': [{}, true],
  'nothing was ever down': [{ phase: null }, true],
  'a workload is down': [{ records: [{}] }, false],
  'a service points to a stand-in': [{ satellites: [{}] }, false],
  'a database was stopped by us': [{ databases: new Map([['orders', { stoppedByUs: true }]]) }, false],
  'a database was stopped by its owner': [{ databases: new Map([['orders', { stoppedByUs: false }]]) }, true],
  'node autoscalers are held off': [{ autoscalerProtection: {} }, false],
  'records that cannot be decoded': [{ records: 'unreadable' }, false],
  'databases that cannot be decoded': [{ databases: 'unreadable' }, false],
  'a protection that cannot be decoded': [{ autoscalerProtection: 'unreadable' }, false],
  'a hibernation or wake runs': [{ transition: {} }, false],
  'the cluster went to sleep': [{ phase: { phase: 'hibernated' } }, false],
  'a stand-down whose handback is done': [
    { standDown: { ...notStoodDown, configuration: { at: 0 }, handbackDone: true }, records: [{}] },
    true,
  ],
  'a stand-down that has nothing to hand back, and has not said so yet': [
    { standDown: { ...notStoodDown, configuration: { at: 0 } } },
    false,
  ],
};

describe('isHandedBack', () => {
  for (const [name, [state, handedBack]] of Object.entries(rows)) {
    it(`${name}: ${handedBack}`, () => expect(isHandedBack({ ...plain, ...state })).toBe(handedBack));
  }
});
