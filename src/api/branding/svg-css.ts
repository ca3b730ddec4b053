import { effect, type Reference } from './svg-expansion.ts';

const inside = /url\(\s*(['"]?)#([\w.:-]{1,200})\1\s*\)/g;
const loading =
  /url\s*\(|src\s*\(|(?:image|image-set|cross-fade|element|paint)\s*\(|expression|behavior\s*:|binding\s*:|javascript|data:|https?:|\/\/|@|\\|[<>]|var\s*\(|env\s*\(|attr\s*\(/i;

/** What the value of a property, or of the attribute of that name, points to inside the drawing, by `url(#name)`. */
export function referencesOf(property: string, value: string): readonly Reference[] {
  const named = [...value.matchAll(inside)].map(([, , id]) => ({ property, id: id! }));
  if (!property.endsWith('filter')) return named;
  // Effects that need no element, such as blur(2px), one after the other.
  const effects = value.replace(inside, '').match(/\(/g) ?? [];
  return [...named, ...effects.map((_, index) => ({ property: `${property} ${index}`, id: effect }))];
}

/** The same for declarations, as in a style attribute or between the braces of a rule. */
export function referencesIn(declarations: string): readonly Reference[] {
  return declarations.split(';').flatMap((declaration) => {
    const [property = '', ...value] = declaration.split(':');
    return referencesOf(property.trim().toLowerCase(), value.join(':'));
  });
}

/** Whether a value points only into the drawing: nothing in it loads, imports, runs, or can be read in two ways. */
export function isHarmlessValue(css: string): boolean {
  return !loading.test(css.replace(inside, '')) && !/\/\*|[{}]/.test(css);
}

export type ReadSheet =
  | { readonly ok: true; readonly ofClass: ReadonlyMap<string, readonly Reference[]> }
  | { readonly ok: false };

/** A font that the drawing brings along, as CorelDRAW writes one. Browsers of today do not read it. */
const ownFont = /@font-face\s*\{[^{}]*\}/g;

/**
 * A style sheet as drawing programs write it: plain rules, and fonts of its own. What points into the drawing does so for classes,
 * so that it is known how often.
 */
export function readStyleSheet(css: string): ReadSheet {
  const plain = withoutComments(css)?.replace(ownFont, (rule) => rule.replace('@font-face', '.font-face'));
  if (plain === undefined || loading.test(plain.replace(inside, ''))) return { ok: false };
  const ofClass = new Map<string, readonly Reference[]>();
  let legible = true;
  const rest = plain.replace(/([^{}]*)\{([^{}]*)\}/g, (_, selectors: string, body: string) => {
    const references = referencesIn(body);
    for (const selector of references.length === 0 ? [] : selectors.split(',')) {
      const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1];
      if (name === undefined) legible = false;
      else ofClass.set(name, [...(ofClass.get(name) ?? []), ...references]);
    }
    return '';
  });
  return legible && rest.trim() === '' ? { ok: true, ofClass } : { ok: false };
}

/** What a browser reads: a comment is one outside of strings alone. Undefined where either has no end. */
function withoutComments(css: string): string | undefined {
  const pieces = /\/\*[\s\S]*?\*\/|"[^"\n\r\f]*"|'[^'\n\r\f]*'|[^"'/]+|\/(?!\*)/gy;
  let plain = '';
  let read = 0;
  for (const [piece] of css.matchAll(pieces)) {
    read += piece.length;
    plain += piece.startsWith('/*') ? '' : piece;
  }
  return read === css.length ? plain : undefined;
}
