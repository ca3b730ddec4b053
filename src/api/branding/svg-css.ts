const inside = /url\(\s*(['"]?)#([\w.:-]{1,200})\1\s*\)/g;
const loading =
  /url\s*\(|src\s*\(|(?:image|image-set|cross-fade|element|paint)\s*\(|expression|behavior\s*:|binding\s*:|javascript|data:|https?:|\/\/|@|\\|[<>]|var\s*\(|env\s*\(|attr\s*\(/i;

/** What a paint, a style or a style sheet points to inside the drawing, by `url(#name)`. */
export function referencesIn(css: string): readonly string[] {
  return [...css.matchAll(inside)].map(([, , id]) => id!);
}

/** Whether a value points only into the drawing: nothing in it loads, imports, runs, or can be read in two ways. */
export function isHarmlessValue(css: string): boolean {
  return !loading.test(css.replace(inside, '')) && !/\/\*|[{}]/.test(css);
}

export type ReadSheet =
  | { readonly ok: true; readonly referencesOf: ReadonlyMap<string, readonly string[]> }
  | { readonly ok: false };

/**
 * A style sheet as drawing programs write it: plain rules. It is judged with its comments and without, since what is one to us
 * may not be one to a browser. What points into the drawing does so for classes, so that it is known how often.
 */
export function readStyleSheet(css: string): ReadSheet {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '');
  if ([css, plain].some((text) => loading.test(text.replace(inside, '')))) return { ok: false };
  const referencesOf = new Map<string, string[]>();
  let legible = true;
  const rest = plain.replace(/([^{}]*)\{([^{}]*)\}/g, (_, selectors: string, body: string) => {
    const references = referencesIn(body);
    for (const selector of references.length === 0 ? [] : selectors.split(',')) {
      const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1];
      if (name === undefined) legible = false;
      else referencesOf.set(name, [...(referencesOf.get(name) ?? []), ...references]);
    }
    return '';
  });
  return legible && rest.trim() === '' ? { ok: true, referencesOf } : { ok: false };
}
