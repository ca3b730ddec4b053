import { describe, expect, it } from 'vitest';
import { RecordingLogger } from '../../test/support/recording-logger.ts';
import { mostWaiting } from '../domain/announcement/bounds.ts';
import { scheduleResumed } from '../domain/announcement/request.ts';
import { outbox } from './outbox.ts';
import { planStateWrite } from './session/plan-write.ts';
import { decodeState, outboxSetAsideKey } from './snapshot.ts';
import { logLostAnnouncements, storing } from './storing.ts';

const act = (id: string) => scheduleResumed({ id, at: 0, by: 'ada@example.com' });

/** What `svc-state` holds once the announcements of some acts are stored, and the lines that are said of it. */
function stored(data: Record<string, string>, ...ids: readonly string[]) {
  const snapshot = decodeState(data);
  const edits = storing(snapshot, ids.map(act));
  const plan = planStateWrite(snapshot, edits);
  if (plan.outcome === 'refused') throw new Error(plan.message);
  const log = new RecordingLogger();
  logLostAnnouncements(log, edits);
  const after = plan.outcome === 'nothing' ? data : { ...data, ...plan.changes };
  const waiting = outbox.decode(after['outbox']);
  return { after, ids: waiting.ok ? waiting.value.map(({ id }) => id) : waiting.message, lines: log.lines, plan };
}

describe('storing an announcement with its act', () => {
  it('adds it to those that wait', () => {
    const first = stored({}, 'a').after as Record<string, string>;
    expect(stored(first, 'b')).toMatchObject({ ids: ['a', 'b'], lines: [] });
  });

  it('never puts one id in twice', () => {
    const first = stored({}, 'a').after as Record<string, string>;
    expect(stored(first, 'a').plan.outcome).toBe('nothing');
  });

  it('writes nothing for an act that announces nothing', () => {
    expect(storing(decodeState({ outbox: 'x' }), [])).toEqual([]);
  });

  it('moves an outbox that cannot be decoded aside, whole, begins a new one, and says so', () => {
    const { after, ids, lines } = stored({ outbox: '{broken' }, 'a');
    expect([ids, after[outboxSetAsideKey]]).toEqual([['a'], '{broken']);
    expect(lines).toMatchObject([
      {
        level: 'error',
        message: expect.stringContaining('a new one is begun'),
        fields: {
          error: 'The value of outbox in ConfigMap svc-state cannot be decoded: it is not valid JSON.',
          keptAs: outboxSetAsideKey,
        },
      },
    ]);
  });

  it('says which waiting part it gives up, and keeps the others', () => {
    const { ids, lines } = stored(
      { outbox: '[{"id":"w","at":1,"log":{"level":"info","message":"m","fields":{}}},7]' },
      'a',
    );
    expect(ids).toEqual(['w', 'a']);
    expect(lines.map(({ level, fields }) => [level, fields['error']])).toEqual([
      ['error', 'The value of outbox in ConfigMap svc-state cannot be decoded: entry 2 must be an object, not 7.'],
    ]);
  });

  it('says which the oldest are that find no room any more', () => {
    const many = Array.from({ length: mostWaiting }, (_, index) => `n${index}`);
    const full = stored({}, ...many).after as Record<string, string>;
    const { ids, lines } = stored(full, 'a', 'b');
    expect([ids.length, ids.at(-1)]).toEqual([mostWaiting, 'b']);
    expect(lines.map(({ level, message, fields }) => [level, message, fields['id']])).toEqual([
      ['error', 'Too many announcements wait, and the oldest is given up', 'n0'],
      ['error', 'Too many announcements wait, and the oldest is given up', 'n1'],
    ]);
  });
});
