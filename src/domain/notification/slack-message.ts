import type { Message } from './message.ts';
import { inParts } from './parts.ts';

// Slack. Every text is `plain_text`, so that no name becomes a link or calls a whole channel.

type Json = Readonly<Record<string, unknown>>;

const colors = { green: '#2e7d32', red: '#c62828', amber: '#b26a00', blue: '#1565c0' } as const;

const longestSection = 3_000;
const longestHeader = 150;
/** Slack takes 50 blocks of 3,000 characters; fewer, longer messages would be refused by their total size first. */
const lineBudget = 30_000;

/** The messages for an incoming webhook of Slack: one, unless the casualties need more room. */
export function slackMessages(message: Message): readonly Json[] {
  return inParts(message, lineBudget, (line) => line.length + 1).map(slackMessage);
}

function slackMessage({ title, text, facts, sections, color, cluster, when, url }: Message): Json {
  const blocks: Json[] = [{ type: 'header', text: plain(clipped(title, longestHeader)) }];
  if (text !== undefined) blocks.push(section(text));
  // Ten fields are all that a section takes; no notice has more.
  if (facts.length > 0) {
    blocks.push({ type: 'section', fields: facts.slice(0, 10).map(({ name, value }) => plain(`${name}: ${value}`)) });
  }
  for (const { heading, lines } of sections) {
    blocks.push(section(heading), ...packed(lines).map(section));
  }
  blocks.push({ type: 'context', elements: [plain(`${cluster} · ${when}`)] });
  blocks.push({ type: 'actions', elements: [{ type: 'button', text: plain('Open'), url }] });
  return { text: escaped(`${cluster}: ${title}`), attachments: [{ color: colors[color], blocks }] };
}

/** As many lines in a section as it holds. */
function packed(lines: readonly string[]): readonly string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= longestSection) {
      sections[sections.length - 1] = `${last}\n${line}`;
    } else sections.push(line);
  }
  return sections;
}

function section(text: string): Json {
  return { type: 'section', text: plain(clipped(text, longestSection)) };
}

function plain(text: string): Json {
  return { type: 'plain_text', text, emoji: false };
}

function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** The fallback text is Slack's own markup, with these three characters for its controls. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
