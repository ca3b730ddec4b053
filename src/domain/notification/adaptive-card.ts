import type { Message } from './message.ts';
import { inParts } from './parts.ts';

// Microsoft Teams. Text blocks and fact sets of a card read Markdown, and names are not ours to trust; runs of rich text
// show what they are given.

type Json = Readonly<Record<string, unknown>>;

const styles = { green: 'good', red: 'attention', amber: 'warning', blue: 'accent' } as const;

/** Teams takes 28 KB; the rest of the budget is for what surrounds the lines. */
const lineBudget = 18_000;
const aroundLine = 90;

/** The messages for an incoming webhook of Teams: one, unless the casualties need more room. */
export function teamsMessages(message: Message): readonly Json[] {
  const parts = inParts(
    message,
    lineBudget,
    (line) => new TextEncoder().encode(JSON.stringify(line)).length + aroundLine,
  );
  return parts.map((part) => ({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: adaptiveCard(part) },
    ],
  }));
}

function adaptiveCard({ title, text, facts, sections, color, cluster, when, url }: Message): Json {
  return {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.5',
    lang: 'en',
    fallbackText: title.replace(/[\\`*_{}[\]()#+\-.!<>|~]/g, '\\$&'),
    body: [
      {
        type: 'Container',
        style: styles[color],
        bleed: true,
        items: [paragraph([run(title, { size: 'Large', weight: 'Bolder' })])],
      },
      ...(text === undefined ? [] : [paragraph([run(text)])]),
      ...facts.map(({ name, value }) => paragraph([run(`${name}: `, { weight: 'Bolder' }), run(value)], 'Small')),
      ...sections.flatMap(({ heading, lines }) => [
        paragraph([run(heading, { weight: 'Bolder', color: heading === 'Failed' ? 'Attention' : 'Good' })], 'Medium'),
        ...lines.map((line) => paragraph([run(line)], 'Small')),
      ]),
      paragraph([run(`${cluster} · ${when}`, { isSubtle: true, size: 'Small' })], 'Medium'),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open', url }],
  };
}

function paragraph(inlines: readonly Json[], spacing?: 'Small' | 'Medium'): Json {
  return { type: 'RichTextBlock', inlines, ...(spacing === undefined ? {} : { spacing }) };
}

function run(text: string, look: Json = {}): Json {
  return { type: 'TextRun', text, ...look };
}
