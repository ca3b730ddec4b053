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
    const log = { level: 'info', message: 'Wake finished', fields: { result: 'failed', failed: casualties } } as const;
    const whole = { ...ofEntry(audit, { notice, log }), sent: ['1a2b3c4d'] };
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

  const message = (why: string) => `The value of outbox in ConfigMap svc-state cannot be decoded: ${why}`;
  const whole = { id: 'b', at: 1, log: { level: 'info', message: 'm', fields: { n: 1, list: ['x'] } } };
  const spoilt: readonly (readonly [unknown, unknown, string])[] = [
    [7, undefined, 'entry 1 must be an object, not 7.'],
    [{ id: 'b', at: 2 }, { id: 'b', at: 2 }, 'entry 2 is given up: announcement b is there twice.'],
    [{ id: 'a', at: 'soon' }, undefined, 'entry 1, field at must be a time in milliseconds since 1970, not "soon".'],
    [{ id: 'a', at: 1, sent: 5, notice }, { id: 'a', at: 1, notice }, 'entry 1, field sent must be an array, not 5.'],
    [
      { id: 'a', at: 1, notice: null, audit },
      { id: 'a', at: 1, audit },
      'entry 1, field notice must be an object, not null.',
    ],
    [
      { id: 'a', at: 1, notice: { ...notice, key: 'toString' }, audit },
      { id: 'a', at: 1, audit },
      'entry 1, field notice, field key must be one of ',
    ],
    [
      { id: 'a', at: 1, log: { level: 'loud', message: 'm', fields: {} }, notice },
      { id: 'a', at: 1, notice },
      'entry 1, field log, field level must be one of info, warn, error, not "loud".',
    ],
    [
      { id: 'a', at: 1, event: { where: 'default', type: 'Normal', reason: 'R' }, notice },
      { id: 'a', at: 1, notice },
      'entry 1, field event, field message must be a text, not absent.',
    ],
    [
      { id: 'a', at: 1, audit: { ...audit, details: { a: null } }, notice },
      { id: 'a', at: 1, notice },
      'entry 1, field audit, field details, a must be a text, a number, true, false or a list of texts, not null.',
    ],
  ];

  it.each(spoilt)('gives up what makes no sense, alone and by name: %j', (element, left, why) => {
    const twice = (element as { id?: string }).id === 'b';
    const decoded = outbox.decode(JSON.stringify([element, whole]));
    const kept = twice ? [left] : [...(left === undefined ? [] : [left]), whole];
    expect(decoded).toMatchObject({ ok: true, value: kept });
    expect(decoded.ok && decoded.givenUp).toEqual([expect.stringContaining(message(why))]);
  });
});
