import { effect, type Reference } from './svg-expansion.ts';

/** With white space as CSS has it: any other would be the beginning of an address. */
const inside = /url\([ \t\n\r\f]*(['"]?)#([\w.:-]{1,200})\1[ \t\n\r\f]*\)/g;
const loading =
  /url\s*\(|src\s*\(|(?:image|image-set|image-rect|cross-fade|element|paint)\s*\(|expression|behavior\s*:|binding\s*:|javascript|data:|https?:|\/\/|@|\\|[<>]|var\s*\(|env\s*\(|attr\s*\(/i;

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
  | { readonly ok: false; readonly problem: string };

/**
 * A style sheet as drawing programs and people write it: rules, fonts of its own, and those at-rules that only say when rules hold. What
 * points into the drawing does so for classes, so that it is known how often.
 */
export function readStyleSheet(css: string): ReadSheet {
  const plain = withoutComments(css);
  const rules = plain === undefined ? undefined : withoutAtRules(plain);
  if (rules === undefined) return refused;
  const [left] = /@[\w-]+/.exec(rules) ?? [];
  if (left !== undefined) return { ok: false, problem: `has ${left.slice(0, 40)} in its style sheet${instead(left)}` };
  return loading.test(rules.replace(inside, '')) ? refused : readRules(rules);
}

function readRules(rules: string): ReadSheet {
  const ofClass = new Map<string, readonly Reference[]>();
  let legible = true;
  let read = 0;
  // One rule behind the other: to look for the next one from every letter would take seconds for a sheet without any.
  for (const [rule, selectors = '', body = ''] of rules.matchAll(/([^{}]*)\{([^{}]*)\}/gy)) {
    read += rule.length;
    const references = referencesIn(body);
    for (const selector of references.length === 0 ? [] : selectors.split(',')) {
      const name = /^[\s;]*\.([\w-]+)\s*$/.exec(selector)?.[1];
      if (name === undefined) legible = false;
      else ofClass.set(name, [...(ofClass.get(name) ?? []), ...references]);
    }
  }
  return legible && /^[\s;]*$/.test(rules.slice(read)) ? { ok: true, ofClass } : refused;
}

const refused: ReadSheet = { ok: false, problem: 'has a style sheet with more than plain rules' };

function instead(atRule: string): string {
  return /^@(?:import|namespace)$/i.test(atRule)
    ? ', which could load something; convert text to outlines before the export'
    : '';
}

/** A font that the drawing brings along, as CorelDRAW writes one. Browsers of today do not read it. */
const ownFont = /@font-face(?=\s*\{)/gi;
/** At the very beginning: anywhere else it is part of a rule that a browser drops, and what stands behind it is not. */
const charset = /^\s*@charset\s+(?:"[\w-]{1,40}"|'[\w-]{1,40}')\s*;/i;
/** With the rules within it, or the steps of an animation, but no further at-rule: from the innermost outwards. */
const conditional =
  /@(?:media|supports|layer|(?:-webkit-|-moz-)?keyframes)\b([^{};@]*)\{((?:[^{}@]*\{[^{}@]*\})*[^{}@]*)\}/gi;
const deepest = 8;

/** What holds under any of their conditions is taken to hold always: that is more than is drawn, and safe. Undefined for a condition that is none. */
function withoutAtRules(css: string): string | undefined {
  let plain = css.replace(charset, '').replace(ownFont, '.font-face');
  let harmless = true;
  for (let depth = 0; depth < deepest; depth++) {
    const outer = plain.replace(conditional, (_, condition: string, rules: string) => {
      // Ranges such as (width >= 600px) are no tags.
      if (!isHarmlessValue(condition.replace(/[<>]=?/g, ''))) harmless = false;
      // Whatever stands before and behind is a declaration of its own, as to a browser.
      return `;${rules};`;
    });
    if (outer === plain) break;
    plain = outer;
  }
  return harmless ? plain : undefined;
}

/**
 * What a browser reads: a comment is one outside of strings and of `url(` alone. Undefined where any of them has no end, a string has
 * braces, so that none is taken for that of a rule, or what looks like a comment is in a `url(`, where it is part of the address.
 */
function withoutComments(css: string): string | undefined {
  const pieces =
    /\/\*[\s\S]*?\*\/|"[^"\n\r\f{}]*"|'[^'\n\r\f{}]*'|url\([^()/]*(?:\/(?!\*)[^()/]*)*\)|u(?!rl\()|[^"'/u]+|\/(?!\*)/giy;
  let plain = '';
  let read = 0;
  for (const [piece] of css.matchAll(pieces)) {
    read += piece.length;
    plain += piece.startsWith('/*') ? '' : piece;
  }
  return read === css.length ? plain : undefined;
}
