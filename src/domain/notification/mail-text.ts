import type { Message } from './message.ts';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function mailContent(message: Message): MailContent {
  return { subject: `[${message.cluster}] ${message.title}`, text: plainPart(message), html: htmlPart(message) };
}

function plainPart({ title, text, facts, sections, cluster, when, url }: Message): string {
  const blocks = [
    title,
    ...(text === undefined ? [] : [text]),
    ...(facts.length === 0 ? [] : [facts.map(({ name, value }) => `${name}: ${value}`).join('\n')]),
    ...sections.map(({ heading, lines }) => [heading, ...lines.map((line) => `- ${line}`)].join('\n')),
    `${cluster}, ${when}\n${url}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

const accents = {
  green: { light: '#1b5e20', dark: '#81c784' },
  red: { light: '#b71c1c', dark: '#ef9a9a' },
  amber: { light: '#8a4b00', dark: '#ffcc80' },
  blue: { light: '#0d47a1', dark: '#90caf9' },
} as const;

/** Styles are inline for clients that drop the head; the head adds the dark colors for those that do not. */
function htmlPart({ title, text, facts, sections, color, cluster, when, url }: Message): string {
  const { light, dark } = accents[color];
  const rows = [
    `<h1 class="title" style="margin:0;font-size:20px;line-height:28px;color:${light}">${escapeHtml(title)}</h1>`,
    ...(text === undefined ? [] : [`<p style="margin:12px 0 0">${escapeHtml(text)}</p>`]),
    ...(facts.length === 0 ? [] : [factTable(facts)]),
    ...sections.map(panel),
    `<p class="quiet" style="margin:20px 0 0;font-size:13px;color:#5f6368">${escapeHtml(cluster)} · ${escapeHtml(when)}` +
      ` · <a class="link" href="${escapeHtml(url)}" style="color:#0d47a1">Open</a></p>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #121212 !important; color: #e8eaed !important; }
  .card { background: #1e1e1e !important; border-color: #3c4043 !important; border-top-color: ${dark} !important; }
  .title { color: ${dark} !important; }
  .quiet { color: #9aa0a6 !important; }
  .link { color: #90caf9 !important; }
  .failed { background: #3b1f1f !important; border-color: #ef9a9a !important; }
  .recovered { background: #1c3320 !important; border-color: #81c784 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f1f3f4;color:#202124;font:15px/22px Arial,Helvetica,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;background:#ffffff;border:1px solid #dadce0;border-top:4px solid ${light};border-radius:8px"><tr><td style="padding:24px;text-align:left;overflow-wrap:anywhere">
${rows.join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

function factTable(facts: Message['facts']): string {
  const rows = facts.map(
    ({ name, value }) =>
      `<tr><td class="quiet" style="padding:2px 16px 2px 0;color:#5f6368;vertical-align:top;white-space:nowrap">${escapeHtml(name)}:</td>` +
      `<td style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0 0">${rows.join('')}</table>`;
}

const panels = {
  Failed: { name: 'failed', look: 'background:#fdecea;border-left:4px solid #b71c1c' },
  Recovered: { name: 'recovered', look: 'background:#e8f5e9;border-left:4px solid #1b5e20' },
} as const;

function panel({ heading, lines }: Message['sections'][number]): string {
  const { name, look } = panels[heading];
  const items = lines.map((line) => `<li style="margin:4px 0">${escapeHtml(line)}</li>`).join('');
  return (
    `<div class="${name}" style="margin:16px 0 0;padding:12px 16px;${look}">` +
    `<h2 style="margin:0;font-size:15px;line-height:22px">${heading}</h2>` +
    `<ul style="margin:4px 0 0;padding:0 0 0 20px">${items}</ul></div>`
  );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
