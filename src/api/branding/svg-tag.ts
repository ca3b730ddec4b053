import type { SaxesTagNS } from 'saxes';
import { isHarmlessValue } from './svg-css.ts';
import {
  attributes,
  elements,
  isEditorNamespace,
  linkAttributes,
  svgNamespace,
  texts,
  xlinkNamespace,
} from './svg-names.ts';
import { embeddedPixels } from './svg-picture.ts';

/** What programs write where SVG does not suffice, and how to do without. */
const instead: Readonly<Record<string, string>> = {
  foreignObject: '; flatten effects such as a background blur before the export',
};

/** What is wrong with an element and its attributes. Only what is listed is allowed. */
export function tagProblem(tag: SaxesTagNS): string | undefined {
  const known = tag.uri === svgNamespace ? elements.has(tag.local) : isEditorNamespace(tag.uri);
  if (!known) return `has the element ${tag.name}${instead[tag.local] ?? ''}`;
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
  if (local === 'href' && (uri === '' || uri === xlinkNamespace)) return hrefProblem(attribute, tag);
  if (isPlain(attribute) || isNote(attribute, tag)) return undefined;
  if (uri !== '' || !attributes.has(local)) return `has the attribute ${name}`;
  return isAllowedValue(attribute, tag) ? undefined : `has a value of ${name} that is not allowed`;
}

function isKnownNamespace(uri: string): boolean {
  return uri === svgNamespace || uri === xlinkNamespace || isEditorNamespace(uri);
}

function hrefProblem({ name, value }: Attribute, { local }: SaxesTagNS): string | undefined {
  const isPicture = local === 'image' && value.trim().toLowerCase().startsWith('data:image/');
  if (isPicture && embeddedPixels(value) === undefined) {
    return `has a picture in ${name} that is no PNG, JPEG or WebP in base64`;
  }
  // The drawing itself as a picture in itself has no end.
  const leadsInside = isPicture || (local !== 'style' && local !== 'image' && /^#[\w.:-]{1,200}$/.test(value));
  return leadsInside ? undefined : `has a ${name} that leads outside`;
}

/** Read by nobody as more than it is. */
function isPlain({ name, local, uri, value }: Attribute): boolean {
  if (name === 'xml:space' || name === 'xml:lang') return true;
  return uri === xlinkNamespace ? linkAttributes.has(local) && isHarmlessValue(value) : uri === '' && texts.has(local);
}

/** Notes of drawing programs for themselves: in their own words, on elements of their own, or as data. */
function isNote({ local, uri }: Attribute, tag: SaxesTagNS): boolean {
  if (/^on/i.test(local)) return false;
  if (isEditorNamespace(uri)) return true;
  return uri === '' && (isEditorNamespace(tag.uri) || /^data-[\w.-]+$/.test(local));
}

function isAllowedValue({ local, value }: Attribute, tag: SaxesTagNS): boolean {
  return tag.local === 'style' && local === 'type' ? value === 'text/css' : isHarmlessValue(value);
}
