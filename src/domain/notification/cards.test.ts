import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { adaptiveCardSchema } from '../../../test/support/card-schema.ts';
import { degraded, hostileTexts, message, notice, place } from '../../../test/support/examples/notice-examples.ts';
import { teamsMessages } from './adaptive-card.ts';
import { messageOf } from './message.ts';
import { slackMessages } from './slack-message.ts';

const validCard = new Ajv().compile(adaptiveCardSchema);

interface TeamsMessage {
  readonly attachments: readonly { readonly contentType: string; readonly content: unknown }[];
}

function cards(...args: Parameters<typeof teamsMessages>): readonly unknown[] {
  // The adapter takes JSON; the tests look into it.
  return teamsMessages(...args).map((one) => (one as unknown as TeamsMessage).attachments[0]!.content);
}

/** Every text that a reader of the JSON would see, in order. */
function texts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'text' && typeof one === 'string' ? [one] : texts(one),
  );
}

const casualties = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `Deployment shop/workload-${index} was still Unschedulable after 15 minutes`,
  );

describe('an Adaptive Card', () => {
  it('says title, facts, every casualty, three recoveries and the rest as a number', () => {
    const [card] = cards(messageOf(degraded, place));
    expect(validCard(card), JSON.stringify(validCard.errors)).toBe(true);
    expect(texts(card)).toEqual([
      'Wake Complete - 2 workloads failed',
      'Initiated by: ',
      'ann@example.org (stand-down)',
      'Duration: ',
      '17m20s',
      'Failed',
      ...degraded.casualties!,
      'Recovered',
      ...degraded.recoveries!.slice(0, 3),
      'and 2 more',
      'dev-eu · 2026-11-16 12:00 (Europe/Berlin)',
    ]);
  });

  it('has the color of the notice', () => {
    const styles = (['green', 'red', 'amber', 'blue'] as const).map((color) => {
      const [card] = cards(message({ color })) as [{ body: [{ style: string }] }];
      return card.body[0].style;
    });
    expect(styles).toEqual(['good', 'attention', 'warning', 'accent']);
  });

  it('goes on in further cards rather than cut a casualty, each under the 28 KB that Teams takes', () => {
    const all = casualties(1_000);
    const sent = teamsMessages(messageOf({ ...degraded, casualties: all }, place));
    const read = sent.flatMap(texts);
    expect(all.every((line) => read.includes(line))).toBe(true);
    expect(sent.length).toBeGreaterThan(1);
    for (const one of sent) expect(Buffer.byteLength(JSON.stringify(one))).toBeLessThan(28_000);
    for (const card of cards(messageOf({ ...degraded, casualties: all }, place))) expect(validCard(card)).toBe(true);
    expect(read.filter((line) => line.startsWith('Wake Complete'))).toEqual(
      sent.map((_, index) => `Wake Complete - 2 workloads failed (${index + 1} of ${sent.length})`),
    );
  });

  it('shows hostile text as text: no element of the card reads Markdown, and none is longer than it may be', () => {
    for (const text of hostileTexts) {
      const [card] = cards(message({ title: text, text, facts: [{ name: text, value: text }], casualties: [text] }));
      expect(validCard(card), JSON.stringify(validCard.errors)).toBe(true);
      expect(JSON.stringify(card)).not.toContain('"TextBlock"');
      expect(JSON.stringify(card)).not.toMatch(/FactSet|\\r|\\n|\\u0000/);
    }
  });
});

describe('a Slack message', () => {
  interface SlackMessage {
    readonly text: string;
    readonly attachments: readonly [{ readonly color: string; readonly blocks: readonly Record<string, unknown>[] }];
  }
  // The adapter takes JSON; the tests look into it.
  const slack = (...args: Parameters<typeof slackMessages>) => slackMessages(...args) as unknown as SlackMessage[];

  it('says the same as the card', () => {
    const [sent] = slack(messageOf(degraded, place));
    expect(texts(sent!.attachments)).toEqual([
      'Wake Complete - 2 workloads failed',
      'Initiated by: ann@example.org (stand-down)',
      'Duration: 17m20s',
      'Failed',
      degraded.casualties!.join('\n'),
      'Recovered',
      [...degraded.recoveries!.slice(0, 3), 'and 2 more'].join('\n'),
      'dev-eu · 2026-11-16 12:00 (Europe/Berlin)',
      'Open',
    ]);
  });

  it('keeps to what Slack takes, however many casualties there are, and cuts none', () => {
    const all = casualties(2_000);
    const sent = slack(messageOf({ ...notice(), casualties: all }, place));
    const read = sent.flatMap((one) => texts(one.attachments)).flatMap((text) => text.split('\n'));
    expect(all.every((line) => read.includes(line))).toBe(true);
    for (const { attachments } of sent) {
      expect(attachments[0].blocks.length).toBeLessThanOrEqual(50);
      for (const text of texts(attachments)) expect(text.length).toBeLessThanOrEqual(3_000);
    }
  });

  it('never reads a name as markup', () => {
    for (const text of hostileTexts) {
      const [sent] = slack(message({ title: text, text, facts: [{ name: 'x', value: text }], casualties: [text] }));
      expect(JSON.stringify(sent)).not.toContain('mrkdwn');
      expect(sent!.text).not.toMatch(/[<>]/);
      expect((sent!.attachments[0].blocks[0]!['text'] as { text: string }).text.length).toBeLessThanOrEqual(150);
    }
  });
});
