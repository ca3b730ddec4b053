import { renderMermaidSVG } from 'beautiful-mermaid';
import { Marked } from 'marked';
import { Anchors } from './anchors.ts';
import { linkFrom } from './places.ts';

/** A document of the repository as the inside of a page of the app: no script, nothing from another host. */
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
        if (to === undefined) return inner;
        const apart = to.startsWith('#') ? '' : ' target="_blank" rel="noopener"';
        return `<a href="${escaped(to)}"${apart}>${inner}</a>`;
      },
      image({ href, text }) {
        const to = linkFrom(page, href);
        return to === undefined ? escaped(text) : `<img src="${escaped(to)}" alt="${escaped(text)}" loading="lazy">`;
      },
      // A comment is for whoever edits the page; other markup is not ours.
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escaped(text)),
    },
  });
  return (marked.parse(markdown) as string)
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
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
