import { describe, expect, it } from 'vitest';
import {
  degraded,
  hostileTexts,
  message,
  noon,
  notice,
  place,
} from '../../../test/support/examples/notice-examples.ts';
import { wakeStarted } from '../announcement/wake.ts';
import { cleanText, messageOf } from './message.ts';
import { subjectOf } from './notice.ts';
import { webhookBody } from './webhook-body.ts';

describe('a message', () => {
  it('names every casualty, and three recoveries and how many more', () => {
    const casualties = Array.from({ length: 40 }, (_, index) => `Deployment shop/w${index} could not be read`);
    const { sections } = messageOf({ ...degraded, casualties }, place);
    expect(sections.map(({ heading, lines }) => [heading, lines.length])).toEqual([
      ['Failed', 40],
      ['Recovered', 4],
    ]);
    expect(sections[1]?.lines.at(-1)).toBe('and 2 more');
  });

  it('has no section for what did not happen', () => {
    expect(message({ casualties: [], recoveries: [] }).sections).toEqual([]);
  });

  it('says the time of the schedule, with its zone', () => {
    expect(message().when).toBe('2026-11-16 12:00 (Europe/Berlin)');
  });

  it('shortens addresses of listed domains wherever they stand, and no others', () => {
    const facts = [{ name: 'Initiated by', value: 'ann@example.com (stand-down)' }];
    const shown = message({ title: 'Stood Down by ann@example.com', text: 'bob@example.org asked', facts });
    expect([shown.title, shown.text, shown.facts[0]?.value]).toEqual([
      'Stood Down by a***@example.com',
      'bob@example.org asked',
      'a***@example.com (stand-down)',
    ]);
  });

  it('of a wake that begins is the progress card, in the name of who stood down', () => {
    const started = messageOf(
      wakeStarted({
        id: 'wake-1',
        startedAt: noon,
        trigger: { actor: 'configuration (stand-down)', cause: 'stand-down' },
      }).notice!,
      place,
    );
    expect(started).toMatchObject({
      key: 'wakeStarted',
      title: 'Waking Up Resources',
      facts: [{ name: 'Initiated by', value: 'configuration (stand-down)' }],
    });
  });

  it('carries nothing that breaks a line, turns the text around or never ends', () => {
    for (const text of hostileTexts) {
      const clean = cleanText(text);
      expect(clean).not.toMatch(/[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u);
      expect(clean.length).toBeLessThanOrEqual(2_000);
    }
    expect(cleanText('line one\r\nBcc: victim@example.net')).toBe('line one Bcc: victim@example.net');
  });
});

describe('the subject of a notice', () => {
  it('is the same on every occasion, whether the id names the occasion or not', () => {
    const at = (id: string) => subjectOf(notice({ id, key: 'licenseExpiring' }));
    expect(at(`licenseExpiring-${noon}`)).toBe('licenseExpiring licenseExpiring');
    expect(at('will-not-scale-shop/cart')).toBe('licenseExpiring will-not-scale-shop/cart');
  });
});

describe('the body of a signed webhook', () => {
  it('has the same words under stable names, and every recovery', () => {
    const body = webhookBody(messageOf(degraded, place));
    expect(Object.keys(body)).toEqual([
      'version',
      'id',
      'event',
      'priority',
      'at',
      'cluster',
      'title',
      'color',
      'facts',
      'failed',
      'recovered',
      'url',
    ]);
    expect(body).toMatchObject({
      version: 1,
      id: 'wake-2-ended',
      event: 'wakeFailed',
      priority: 'high',
      at: '2026-11-16T11:00:00.000Z',
      cluster: 'dev-eu',
      failed: degraded.casualties,
      recovered: degraded.recoveries,
    });
  });
});
