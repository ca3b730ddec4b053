import { describe, expect, it } from 'vitest';
import { scheduleResumed } from '../../domain/announcement/request.ts';
import { outbox } from '../../state/outbox.ts';
import { decodeState } from '../../state/snapshot.ts';
import { announced } from './announce.ts';

const act = scheduleResumed({ id: 'a', at: 0, by: 'ada@example.com' });

describe('announcing an act', () => {
  it('adds its announcement to those that wait', () => {
    const first = announced(decodeState({}), act);
    const second = announced(
      decodeState({ outbox: first.text! }),
      scheduleResumed({ id: 'b', at: 0, by: 'ada@example.com' }),
    );
    const waiting = outbox.decode(second.text);
    expect(waiting.ok && waiting.value.map(({ id, audit }) => [id, audit?.title])).toEqual([
      ['a', 'Schedule Resumed'],
      ['b', 'Schedule Resumed'],
    ]);
  });

  it('never puts one id in twice, which would make the key undecodable', () => {
    const first = announced(decodeState({}), act);
    const again = announced(decodeState({ outbox: first.text! }), act);
    expect(again.text).toBe(first.text);
  });

  it('writes nothing over a value that cannot be decoded', () => {
    expect(() => announced(decodeState({ outbox: 'x' }), act)).toThrow(
      'The value of outbox in ConfigMap svc-state cannot be decoded: it is not valid JSON.',
    );
  });
});
