import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { automaticRestartMs, decideStop, type StopDecision, type StopQuestion } from './decide-stop.ts';

const now = Date.UTC(2026, 5, 10, 20);
const hour = 3_600_000;
const ours = (status: string, ago: number) => ({ status, stoppedByUs: true, at: now - ago });
const theirs = (status: string, ago: number) => ({ status, stoppedByUs: false, at: now - ago });

describe('decideStop', () => {
  const rows: Record<string, [Omit<StopQuestion, 'now'>, StopDecision]> = {
    'stops what is up': [{ condition: 'available' }, { act: 'stop', reason: 'up' }],
    'stops again what was told to stop and is still up': [
      { condition: 'available', known: ours('stopping', 60_000) },
      { act: 'stop', reason: 'up' },
    ],
    'waits for what is stopping': [{ condition: 'stopping' }, { act: 'wait', since: now }],
    'waits for what is starting, to stop it then': [{ condition: 'starting' }, { act: 'wait', since: now }],
    'notes what has stopped by our doing': [
      { condition: 'stopped', known: ours('stopping', 60_000) },
      { act: 'note-stopped' },
    ],
    'leaves what its owner stopped': [{ condition: 'stopped' }, { act: 'leave', reason: 'owner' }],
    'stops again what the cloud restarted after seven days': [
      { condition: 'available', known: ours('stopped', automaticRestartMs) },
      { act: 'stop', reason: 'restarted by the cloud' },
    ],
    'waits while the cloud restarts it, to stop it then': [
      { condition: 'starting', known: ours('stopped', automaticRestartMs + hour) },
      { act: 'wait', since: now },
    ],
    'respects a start by somebody in the night': [
      { condition: 'available', known: ours('stopped', 3 * hour) },
      { act: 'respect' },
    ],
    'goes on respecting it for as long as the cluster sleeps': [
      { condition: 'available', known: theirs('started by its owner', 9 * hour) },
      { act: 'leave', reason: 'owner' },
    ],
    'stops it at the next hibernation': [
      { condition: 'available', known: theirs('started by its owner', 9 * hour), hibernationStartedAt: now - hour },
      { act: 'stop', reason: 'up' },
    ],
    'does not take a record of an earlier night for a start by somebody': [
      { condition: 'available', known: ours('stopped', 30 * hour), hibernationStartedAt: now - hour },
      { act: 'stop', reason: 'up' },
    ],
    'does not ask again at once what the cloud refused': [
      { condition: 'available', known: theirs('refused', hour - 1) },
      { act: 'leave', reason: 'refused' },
    ],
    'asks again after an hour': [
      { condition: 'available', known: theirs('refused', hour) },
      { act: 'stop', reason: 'up' },
    ],
    'leaves what has failed': [{ condition: 'failed' }, { act: 'leave', reason: 'failed' }],
    'asks again when nobody can say': [{ condition: 'unknown' }, { act: 'ask-again', since: now }],
  };
  for (const [sentence, [question, decision]] of Object.entries(rows)) {
    it(sentence, () => expect(decideStop({ ...question, now })).toEqual(decision));
  }

  it('never stops anything that is not up', () => {
    const known = fc.option(
      fc.record({
        status: fc.constantFrom('stopping', 'stopped', 'refused', 'started by its owner'),
        stoppedByUs: fc.boolean(),
        at: fc.integer({ min: now - 20 * automaticRestartMs, max: now }),
      }),
      { nil: undefined },
    );
    const conditions = fc.constantFrom('starting', 'stopping', 'stopped', 'failed', 'unknown' as const);
    fc.assert(
      fc.property(conditions, known, (condition, record) => {
        const question = record === undefined ? { condition, now } : { condition, now, known: record };
        return decideStop(question).act !== 'stop';
      }),
    );
  });
});
