import { SaxesParser, type SaxesTagNS } from 'saxes';
import { isHarmlessValue, readStyleSheet, referencesIn } from './svg-css.ts';
import { type Drawn, isDrawnWithin } from './svg-expansion.ts';
import { attributes, editorNamespaces, elements, svgNamespace, xlinkNamespace } from './svg-names.ts';

const deepest = 64;
/** Far more than a logo has, and drawn in a blink. */
const mostDrawn = 20_000;

/** The DOCTYPE that drawing programs write. Browsers do not fetch it. One with a subset in brackets, which could define entities, does not match. */
const knownDoctype =
  /^\s*svg(?:\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN"\s+"https?:\/\/www\.w3\.org\/[\w./-]+")?\s*$/;

/**
 * Why a text is no logo, or undefined when it is one. Only what is listed is allowed: nothing that runs, nothing that
 * loads from outside, nothing that grows without end. It is judged and never repaired.
 */
export function svgProblem(text: string): string | undefined {
  const logo = new ReadLogo();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => logo.refuse(`is not well-formed XML (${error.message})`));
  parser.on('doctype', (doctype) => {
    if (!knownDoctype.test(doctype)) logo.refuse('has a DOCTYPE of its own');
  });
  parser.on('processinginstruction', ({ target }) => logo.refuse(`has the processing instruction ${target}`));
  parser.on('opentag', (tag) => logo.open(tag));
  parser.on('closetag', () => logo.close());
  parser.on('text', (piece) => logo.text(piece));
  parser.on('cdata', (piece) => logo.text(piece));
  try {
    parser.write(text).close();
  } catch (error) {
    logo.refuse(`is not well-formed XML (${String(error)})`);
  }
  return logo.problem();
}

/** What has been read of a logo; the first thing wrong with it is what is told. */
class ReadLogo {
  readonly #path: Drawn[] = [];
  readonly #ofClass = new Map<string, readonly string[]>();
  #root: Drawn | undefined;
  #sheet: string | undefined;
  #problem: string | undefined;

  refuse(why: string): void {
    this.#problem ??= why;
  }

  open(tag: SaxesTagNS): void {
    const parent = this.#path.at(-1);
    if (parent === undefined) this.#openRoot(tag);
    if (this.#path.length >= deepest) this.refuse(`is nested deeper than ${deepest} elements`);
    if (this.#sheet !== undefined) this.refuse('has an element in its style');
    const why = tagProblem(tag);
    if (why !== undefined) this.refuse(why);
    const drawn = drawnOf(tag);
    parent?.children.push(drawn);
    this.#root ??= drawn;
    this.#path.push(drawn);
    if (tag.local === 'style') this.#sheet = '';
  }

  text(piece: string): void {
    if (this.#sheet !== undefined) this.#sheet += piece;
  }

  close(): void {
    this.#path.pop();
    if (this.#sheet === undefined) return;
    const read = readStyleSheet(this.#sheet);
    this.#sheet = undefined;
    if (!read.ok) this.refuse('has a style sheet with more than plain rules');
    else
      for (const [name, ids] of read.referencesOf)
        this.#ofClass.set(name, [...(this.#ofClass.get(name) ?? []), ...ids]);
  }

  problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    if (this.#root === undefined) return 'is empty';
    return isDrawnWithin(mostDrawn, this.#root, this.#ofClass)
      ? undefined
      : `draws more than ${mostDrawn} elements once its references are followed, or itself`;
  }

  #openRoot(tag: SaxesTagNS): void {
    if (tag.local !== 'svg') this.refuse('does not begin with an svg element');
    else if (!validViewBox(tag.attributes['viewBox']?.value)) this.refuse('has no viewBox');
  }
}

function drawnOf({ attributes: given }: SaxesTagNS): Drawn {
  const all = Object.values(given);
  const hrefs = all.filter(({ local }) => local === 'href').map(({ value }) => value.slice(1));
  return {
    id: given['id']?.value,
    classes: (given['class']?.value ?? '').split(/\s+/),
    references: [...hrefs, ...all.flatMap(({ value }) => referencesIn(value))],
    children: [],
  };
}

function tagProblem(tag: SaxesTagNS): string | undefined {
  const known = tag.uri === svgNamespace ? elements.has(tag.local) : editorNamespaces.has(tag.uri);
  if (!known) return `has the element ${tag.name}`;
  for (const attribute of Object.values(tag.attributes)) {
    const why = attributeProblem(attribute, tag);
    if (why !== undefined) return `${why} on ${tag.name}`;
  }
  return undefined;
}

type Attribute = SaxesTagNS['attributes'][string];

function attributeProblem(attribute: Attribute, tag: SaxesTagNS): string | undefined {
  const { name, prefix, local, uri, value } = attribute;
  if (prefix === 'xmlns' || name === 'xmlns') {
    return isKnownNamespace(value) ? undefined : `declares the namespace ${value.slice(0, 80)}`;
  }
  if (local === 'href' && (uri === '' || uri === xlinkNamespace)) {
    return leadsInside(tag, value) ? undefined : `has a ${name} that leads outside`;
  }
  if (name === 'xml:space' || name === 'xml:lang' || isNote(attribute, tag)) return undefined;
  if (uri !== '' || !attributes.has(local)) return `has the attribute ${name}`;
  return isAllowedValue(attribute, tag) ? undefined : `has a value of ${name} that is not allowed`;
}

function isKnownNamespace(uri: string): boolean {
  return uri === svgNamespace || uri === xlinkNamespace || editorNamespaces.has(uri);
}

function leadsInside({ local }: SaxesTagNS, href: string): boolean {
  return local !== 'style' && /^#[\w.:-]{1,200}$/.test(href);
}

/** Notes of drawing programs for themselves: in their own words, on elements of their own, or as data. */
function isNote({ local, uri }: Attribute, tag: SaxesTagNS): boolean {
  if (/^on/i.test(local)) return false;
  if (editorNamespaces.has(uri)) return true;
  return uri === '' && (editorNamespaces.has(tag.uri) || /^data-[\w.-]+$/.test(local));
}

function isAllowedValue({ local, value }: Attribute, tag: SaxesTagNS): boolean {
  return tag.local === 'style' && local === 'type' ? value === 'text/css' : isHarmlessValue(value);
}

function validViewBox(value: string | undefined): boolean {
  const numbers = (value ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return numbers.length === 4 && numbers.every(Number.isFinite) && numbers[2]! > 0 && numbers[3]! > 0;
}
