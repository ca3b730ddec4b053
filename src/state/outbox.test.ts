import { describe, expect, it } from 'vitest';
import { ofEntry } from '../domain/announcement/announcement.ts';
import { auditEntry } from '../domain/audit/entry.ts';
import { outbox } from './outbox.ts';

const casualties = ['Deployment shop/cart could not be read'];
const audit = auditEntry({
  id: 'wake-1-ended',
  at: 5,
  kind: 'wake-failed',
  actor: 'schedule',
  workloads_failed_detail: casualties,
  workloads_recovered_detail: [],
});
const notice = {
  id: 'wake-1-ended',
  key: 'wakeFailed',
  at: 5,
  title: 'Wake Failed',
  color: 'red',
  casualties,
  recoveries: [],
} as const;

describe('the outbox', () => {
  it('stores no sentence twice, and reads it whole', () => {
    const whole = { ...ofEntry(audit, { notice }), sent: ['1a2b3c4d'] };
    const text = outbox.encode([whole])!;
    expect(text.split(casualties[0]!)).toHaveLength(2);
    expect(outbox.decode(text)).toEqual({ ok: true, value: [whole] });
  });

  it('keeps the lists of a card whose audit entry has been told', () => {
    const card = { id: 'wake-1-ended', at: 5, notice };
    expect(outbox.decode(outbox.encode([card]))).toEqual({ ok: true, value: [card] });
  });

  it('reads what an earlier version wrote, whose id and time are those of the entry', () => {
    const text = JSON.stringify([{ audit, notice }]);
    expect(outbox.decode(text)).toEqual({ ok: true, value: [{ id: 'wake-1-ended', at: 5, audit, notice }] });
  });

  it('reads the color of a card under the name that an earlier version gave it', () => {
    const { color, ...rest } = notice;
    const text = JSON.stringify([{ id: 'wake-1-ended', at: 5, notice: { ...rest, colour: color } }]);
    expect(outbox.decode(text)).toEqual({ ok: true, value: [{ id: 'wake-1-ended', at: 5, notice }] });
  });

  it('refuses two of one id', () => {
    expect(outbox.decode('[{"id":"a","at":1},{"id":"a","at":2}]')).toMatchObject({
      message: expect.stringContaining('announcement a is there twice.'),
    });
  });
});
