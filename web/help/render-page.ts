import { posix } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { Marked } from 'marked';
import { Anchors } from './anchors.ts';
import { linkFrom, placeOf } from './places.ts';

/** A document of the repository as a page of the app's help: no script, nothing from another host. */
export function renderPage(page: string, markdown: string): string {
  const anchors = new Anchors();
  let heading = '';
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        heading = text;
        return `<h${depth} id="${anchors.next(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang }) {
        if (lang === 'mermaid') return diagram(text, heading);
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      link({ href, tokens, raw }) {
        const inner = this.parser.parseInline(tokens);
        // An address of an example is text: nobody meant it as a link.
        const to = raw.startsWith('[') ? linkFrom(page, href) : undefined;
        return to === undefined ? inner : `<a href="${escaped(to)}">${inner}</a>`;
      },
      image({ href, text }) {
        const to = linkFrom(page, href);
        return to === undefined ? escaped(text) : `<img src="${escaped(to)}" alt="${escaped(text)}" loading="lazy">`;
      },
      // A comment is for whoever edits the page; other markup is not ours.
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escaped(text)),
    },
  });
  const body = (marked.parse(markdown) as string)
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? page;
  const place = placeOf(page) ?? '';
  const top = posix.relative(posix.dirname(place), '.') || '.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(plain(title))} · Help</title>
<link rel="icon" href="${top}/icon.svg">
<link rel="stylesheet" href="${top}/help.css">
</head>
<body>
<nav aria-label="Help"><a href="${top}/index.html">All pages</a> <a href="${top}/../">Back to the app</a></nav>
<main>
${body}</main>
</body>
</html>
`;
}

function diagram(text: string, heading: string): string {
  const svg = renderMermaidSVG(text, { bg: 'var(--page)', fg: 'var(--ink)', transparent: true })
    // A font of another host: the page's own does.
    .replace(/\s*@import url\([^)]*\);/g, '')
    .replace('<svg ', `<svg role="img" aria-label="${escaped(`Diagram: ${plain(heading)}`)}" `);
  return `<figure class="wide" tabindex="0">${svg}</figure>\n`;
}

function plain(markdown: string): string {
  return markdown.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
