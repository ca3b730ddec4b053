import { describe, expect, it } from 'vitest';
import { degraded, hostileTexts, message, place } from '../../../test/support/examples/notice-examples.ts';
import { mailContent } from './mail-text.ts';
import { messageOf } from './message.ts';

describe('a mail', () => {
  it('has a text part with everything that is said', () => {
    expect(mailContent(messageOf(degraded, place)).text).toBe(`Wake Complete - 2 workloads failed

Initiated by: ann@example.org (stand-down)
Duration: 17m20s

Failed
- Deployment shop/cart was still Unschedulable after 15 minutes
- StatefulSet shop/orders-db could not pull its image in 15 minutes

Recovered
- Deployment shop/a restarted twice before it was ready, came up less than 1 minute after the restart
- Deployment shop/b restarted twice before it was ready, came up less than 1 minute after the restart
- Deployment shop/c restarted twice before it was ready, came up less than 1 minute after the restart
- and 2 more

dev-eu, 2026-11-16 12:00 (Europe/Berlin)
https://svc.example.com/hibernate
`);
  });

  it('names the cluster and the title in its subject', () => {
    expect(mailContent(messageOf(degraded, place)).subject).toBe('[dev-eu] Wake Complete - 2 workloads failed');
  });

  it('gives recoveries a panel and heading of their own', () => {
    const { html } = mailContent(messageOf(degraded, place));
    expect(html).toContain('<div class="recovered"');
    expect(html.match(/<h2[^>]*>(Failed|Recovered)<\/h2>/g)).toHaveLength(2);
  });

  it('loads nothing from outside and runs nothing', () => {
    const { html } = mailContent(messageOf(degraded, place));
    expect(html).not.toMatch(/<(script|img|link|iframe|object|embed)\b|url\(|@import/i);
  });

  it('holds hostile text without becoming part of it', () => {
    const tags = (html: string) => html.match(/<[a-z/!][^>]*>/gi)!.map((tag) => tag.replace(/\s.*/s, ''));
    const harmless = (text: string) =>
      mailContent(message({ title: text, text, facts: [{ name: text, value: text }], casualties: [text] }));
    const usual = tags(harmless('plain').html);
    for (const text of hostileTexts) {
      const { html, subject } = harmless(text);
      expect(tags(html)).toEqual(usual);
      expect(html).not.toContain(' onerror=alert(1)>');
      expect(subject).not.toMatch(/[\r\n]/);
    }
  });
});
