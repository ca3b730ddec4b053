import { describe, expect, it } from 'vitest';
import type { Announcement } from '../domain/announcement/announcement.ts';
import { auditEntry } from '../domain/audit/entry.ts';
import { outbox } from './outbox.ts';

const failed = [
  'Deployment shop/cart: svc could not scale it up: no',
  'Deployment shop/web: svc could not scale it up: no',
];
const recovered = ['Deployment shop/api: came up 2 minutes after the restart'];
const notice = { id: 'w-ended', key: 'wakeFailed', at: 5, title: 'Wake Failed', colour: 'red' } as const;
const audit = auditEntry({
  id: 'w-ended',
  at: 5,
  kind: 'wake-failed',
  actor: 'schedule',
  workloads_failed_detail: failed,
  workloads_recovered_detail: recovered,
});

describe('an announcement in the outbox', () => {
  const rows: Record<string, Announcement> = {
    'with the sentences of its audit entry on its card': {
      audit,
      notice: { ...notice, casualties: failed, recoveries: recovered },
    },
    'with other sentences on its card': {
      audit,
      notice: { ...notice, casualties: ['another'], recoveries: recovered },
    },
    'with none on its card': { audit, notice: { ...notice, casualties: [] } },
    'without a card': { audit },
  };
  for (const [name, announcement] of Object.entries(rows)) {
    it(`${name} is the same after a restart`, () => {
      expect(outbox.decode(outbox.encode([announcement]))).toEqual({ ok: true, value: [announcement] });
    });
  }

  it('holds each sentence once', () => {
    const stored = outbox.encode([{ audit, notice: { ...notice, casualties: failed, recoveries: recovered } }])!;
    for (const sentence of [...failed, ...recovered]) expect(stored.split(sentence)).toHaveLength(2);
  });

  it('of an older release, with its sentences twice, is read as it is', () => {
    const announcement = { audit, notice: { ...notice, casualties: failed } };
    expect(outbox.decode(JSON.stringify([announcement]))).toEqual({ ok: true, value: [announcement] });
  });
});
