import type { ClusterStatus } from './cluster-status.ts';
import { actWords, pageScript, statusPath } from './page-script.ts';
import type { Wording } from './wording.ts';

/** The page around the one thing that differs between two visitors: the address to come back to. */
export interface Page {
  readonly before: string;
  readonly after: string;
}

const style = `
:root{color-scheme:light dark;--text:#1f2933;--soft:#52606d;--back:#f5f7fa;--card:#fff;--line:#d9e2ec;--accent:#1976d2;--on:#fff}
@media (prefers-color-scheme:dark){:root{--text:#e4e7eb;--soft:#b0bac4;--back:#12181f;--card:#1c2530;--line:#323f4b;--accent:#90caf9;--on:#12181f}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:34rem;width:100%;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:clamp(20px,5vw,40px)}
h1{margin:0 0 12px;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}p{margin:0 0 12px;overflow-wrap:anywhere}
.soft{color:var(--soft);font-size:.9rem}a.act{display:inline-block;margin:8px 0 16px;padding:12px 20px;border-radius:8px;background:var(--accent);color:var(--on);text-decoration:none;font-weight:600}
a.act:focus-visible{outline:3px solid var(--text);outline-offset:2px}ol{margin:0 0 12px;padding-left:1.4rem}li[data-done="true"]::marker{content:"\\2713  "}li[aria-current]{font-weight:600}
progress{width:100%;accent-color:var(--accent)}[hidden]{display:none}`;

/** Written down, since loading a hash function would cost every satellite memory; a test holds them to the two texts. */
const scriptHash = 'sha256-PrBtqAaoRYLJPUwojU9131eXD9DXc0Pfq4axgC9k+60=';
const styleHash = 'sha256-cmMtOlSMbCkZznpG8iCD2OG5aeGTJg44OjrT+KU6oy0=';

/** Nothing but the script and the style of this page runs or paints here, and nothing is loaded from anywhere. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function renderPage(wording: Wording, status: ClusterStatus): Page {
  const title = escapeHtml(wording.title);
  const before = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style>
<noscript><meta http-equiv="refresh" content="15"></noscript></head>
<body><main data-status="${statusPath}"><h1 id="title">${title}</h1>
<p id="message" role="status" aria-live="polite">${escapeHtml(wording.message)}</p>
<p id="until"${wording.until === undefined ? ' hidden' : ''}>It is expected back on <strong>${escapeHtml(wording.until ?? '')}</strong>.</p>
<p><a class="act" id="act" href="`;
  const asleep = reachedBy(status) === 0;
  const after = `">${asleep ? actWords.asleep : actWords.waking}</a></p>
<ol id="steps">${stepsOf(status)}</ol>
<progress id="bar" max="${status.progress?.total ?? 1}" value="${status.progress?.up ?? 0}" aria-label="Workloads that are up"${status.progress === undefined ? ' hidden' : ''}></progress>
<p class="soft"><span id="need"${asleep ? '' : ' hidden'}>Waking it needs a sign-in. </span>This page comes back to the same address by itself as soon as the service answers; without JavaScript it reloads every 15 seconds.</p>
</main><script>${pageScript}</script></body></html>
`;
  return { before, after };
}

const steps = ['Asleep', 'Waking up', 'Ready'] as const;

function reachedBy({ state }: ClusterStatus): number {
  return state === 'waking' ? 1 : state === 'awake' ? 2 : 0;
}

function stepsOf(status: ClusterStatus): string {
  const reached = reachedBy(status);
  return steps
    .map((name, index) => {
      const current = index === reached ? ' aria-current="step"' : '';
      return `<li data-done="${index < reached}"${current}>${name}</li>`;
    })
    .join('');
}

/** Everything outside of ASCII becomes a reference too: a page of single bytes is sent without being encoded first. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']|[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`);
}
