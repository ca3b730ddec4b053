import { Anchors } from '../../../web/help/anchors.ts';
/** A page of Markdown, as far as its words can be wrong. */
export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly lines: number;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Word[];
  /** Code spans of the prose. */
  readonly spans: readonly Word[];
  readonly fences: readonly Fence[];
}

export interface Word {
  readonly text: string;
  readonly line: number;
}

export interface Fence {
  /** The words after the three backticks: `sh runnable`. */
  readonly info: readonly string[];
  readonly text: string;
  readonly line: number;
}

export function readPage(path: string, text: string): Page {
  const { prose, fences } = split(text);
  const headings = prose.filter(({ text: line }) => /^#{1,6} /.test(line)).map(({ text: line }) => line);
  return {
    path,
    lines: text.split('\n').length - 1,
    anchors: anchorsOf(headings),
    links: prose.flatMap(({ text: line, line: at }) =>
      [...withoutSpans(line).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => ({ text: match[1] ?? '', line: at })),
    ),
    spans: prose.flatMap(({ text: line, line: at }) =>
      [...line.matchAll(/`([^`]+)`/g)].map((match) => ({ text: match[1] ?? '', line: at })),
    ),
    fences,
  };
}

function split(text: string): { readonly prose: readonly Word[]; readonly fences: readonly Fence[] } {
  const prose: Word[] = [];
  const fences: Fence[] = [];
  let open: { info: string; lines: string[]; line: number } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```(.*)$/.exec(line);
    if (fence === null) {
      if (open === undefined) prose.push({ text: line, line: index + 1 });
      else open.lines.push(line);
    } else if (open === undefined) open = { info: fence[1] ?? '', lines: [], line: index + 1 };
    else {
      const info = open.info.split(/\s+/).filter((word) => word !== '');
      fences.push({ info, text: open.lines.join('\n'), line: open.line });
      open = undefined;
    }
  }
  // A span may go on in the next line; then both halves have one backtick.
  return { prose: joined(prose), fences };
}

function joined(prose: readonly Word[]): readonly Word[] {
  const lines: Word[] = [];
  for (const word of prose) {
    const last = lines.at(-1);
    const goesOn =
      last !== undefined && word.line > 1 && (last.text.split('`').length - 1) % 2 === 1 && word.text !== '';
    if (goesOn) lines[lines.length - 1] = { text: `${last.text} ${word.text.trimStart()}`, line: last.line };
    else lines.push(word);
  }
  return lines;
}

function withoutSpans(line: string): string {
  return line.replace(/`[^`]*`/g, (span) => ' '.repeat(span.length));
}

function anchorsOf(headings: readonly string[]): ReadonlySet<string> {
  const anchors = new Anchors();
  return new Set(headings.map((heading) => anchors.next(heading)));
}
