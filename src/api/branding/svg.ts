import { SaxesParser, type SaxesTagNS } from 'saxes';
import { readStyleSheet, referencesIn, referencesOf } from './svg-css.ts';
import { type Drawn, isDrawnWithin, type Reference, shapesOfAnEffect } from './svg-expansion.ts';
import { svgNamespace } from './svg-names.ts';
import { embeddedPixels } from './svg-picture.ts';
import { tagProblem } from './svg-tag.ts';
import { verticesOf } from './svg-vertices.ts';

const deepest = 64;
/** Far more than a logo has, and drawn in a blink. */
const mostDrawn = 20_000;
/** A picture of a thousand by a thousand pixels takes as long as a thousand shapes, or less. */
const pixelsOfAnElement = 1_000;

/** The DOCTYPE that drawing programs write. Browsers do not fetch it. One with a subset in brackets, which could define entities, does not match. */
const knownDoctype =
  /^\s*svg(?:\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN"\s+"https?:\/\/www\.w3\.org\/[\w./-]+")?\s*$/;

const isEntity = /<!ENTITY/i;
const withoutEntities =
  'declares entities, which stay out; in Illustrator choose Export As and SVG, or save it with "Preserve Illustrator Editing Capabilities" off';

/**
 * Why a text is no logo, or undefined when it is one. Only what is listed is allowed: nothing that runs, nothing that
 * loads from outside, nothing that grows without end. It is judged and never repaired.
 */
export function svgProblem(text: string): string | undefined {
  const logo = new ReadLogo();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => logo.refuse(`is not well-formed XML (${error.message})`));
  parser.on('doctype', (doctype) => {
    if (isEntity.test(doctype)) logo.refuse(withoutEntities);
    else if (!knownDoctype.test(doctype)) logo.refuse('has a DOCTYPE of its own');
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
  readonly #ofClass = new Map<string, readonly Reference[]>();
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
    const within = this.#path.at(-1);
    if (within?.isText) within.shapes += piece.replace(/\s+/g, '').length;
  }

  close(): void {
    this.#path.pop();
    if (this.#sheet === undefined) return;
    const read = readStyleSheet(this.#sheet);
    this.#sheet = undefined;
    if (!read.ok) this.refuse(read.problem);
    else
      for (const [name, references] of read.ofClass)
        this.#ofClass.set(name, [...(this.#ofClass.get(name) ?? []), ...references]);
  }

  problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    if (this.#root === undefined) return 'is empty';
    return isDrawnWithin(mostDrawn, this.#root, this.#ofClass)
      ? undefined
      : `draws more than ${mostDrawn} elements once its references are followed, or itself; a thousand pixels of a picture count as one`;
  }

  #openRoot(tag: SaxesTagNS): void {
    const why = rootProblem(tag);
    if (why !== undefined) this.refuse(why);
  }
}

type Attribute = SaxesTagNS['attributes'][string];

function drawnOf({ local, attributes: given }: SaxesTagNS): Drawn {
  const all = Object.values(given);
  const isText = textElements.has(local);
  return {
    id: given['id']?.value,
    classes: (given['class']?.value ?? '').split(/\s+/),
    references: all.flatMap(referencesOfAttribute),
    children: [],
    weight: weightOf(local, all),
    isText,
    shapes: shapeElements.has(local) ? 1 : 0,
    vertices: verticesOf(local, given['d']?.value ?? '', given['points']?.value ?? ''),
  };
}

const textElements: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath']);
const shapeElements: ReadonlySet<string> = new Set('path rect circle ellipse line polyline polygon image'.split(' '));

function referencesOfAttribute({ local, value }: Attribute): readonly Reference[] {
  if (local === 'href') return value.startsWith('#') ? [{ property: 'href', id: value.slice(1) }] : [];
  return local === 'style' ? referencesIn(value) : referencesOf(local, value);
}

function weightOf(local: string, given: readonly Attribute[]): number {
  if (local === 'stop') return 0;
  if (local.startsWith('fe')) return shapesOfAnEffect;
  if (local !== 'image') return 1;
  const pixels = given.map(({ local: name, value }) => (name === 'href' ? (embeddedPixels(value) ?? 0) : 0));
  return 1 + Math.max(0, ...pixels) / pixelsOfAnElement;
}

/** Without its namespace a browser takes it for some other XML, and shows nothing. */
function rootProblem({ local, uri, attributes }: SaxesTagNS): string | undefined {
  if (local !== 'svg') return 'does not begin with an svg element';
  if (uri !== svgNamespace) {
    const has = uri === '' ? 'no namespace' : `the namespace ${uri.slice(0, 80)}`;
    return `begins with an svg element of ${has}, which no browser draws; write <svg xmlns="${svgNamespace}"`;
  }
  const viewBox = attributes['viewBox']?.value;
  if (viewBox === undefined || viewBox.trim() === '') return 'has no viewBox';
  if (isViewBox(viewBox)) return undefined;
  return `has the viewBox "${viewBox.slice(0, 80)}"; it must be four decimal numbers, the last two above 0, such as "0 0 120 24"`;
}

const decimal = '[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?';
const fourNumbers = new RegExp(`^\\s*${[1, 2, 3, 4].map(() => `(${decimal})`).join('(?:\\s+|\\s*,\\s*)')}\\s*$`);

/** As browsers read it. */
function isViewBox(value: string): boolean {
  const numbers = (fourNumbers.exec(value) ?? []).slice(1).map(Number);
  return numbers.length === 4 && numbers.every(Number.isFinite) && numbers[2]! > 0 && numbers[3]! > 0;
}
