import { dirname, join, normalize } from 'node:path';
import { isTest, lineAt, type SourceFile, type Violation } from './violation.ts';

/** Parts whose default is the one that every process has, by name. */
const withDefault: ReadonlyMap<string, string> = new Map([
  ['watchClock', 'watches keep the pace of the clock itself; a simulation alone has another one for them'],
  ['resolve', "the system's own resolver of names"],
]);

/** There functions belong to the description of a value, and nobody injects them. */
const describesData = /^src\/(?:domain|contract|config|state\/(?:codec|snapshot))\b/;

/**
 * Parts that may be left out, whatever the interface or function is called that takes them: a property or parameter with `?`
 * whose type leads to something that acts. Who forgets it is not told, and the feature is off without a word.
 */
export function optionalParts(files: readonly SourceFile[]): Violation[] {
  const ours = files.filter(({ path }) => path.startsWith('src/') && !isTest(path));
  const acting = new Set(
    ours
      .filter(({ path }) => !describesData.test(path))
      .flatMap(({ path, text }) => actingIn(text).map((name) => `${path}#${name}`)),
  );
  return ours.flatMap(({ path, text }) => {
    const places = placesOfNames({ path, text });
    return optionalsOf(text).flatMap(({ name, type, at }) => {
      const part = namesIn(type).find((one) => acting.has(`${places.get(one) ?? path}#${one}`));
      if (part === undefined || withDefault.has(name)) return [];
      const message = `${name} may be left out, and ${part} acts; require it, with an Off or an undefined that is passed`;
      return [{ file: path, line: lineAt(text, at), message }];
    });
  });
}

/** What a file exports that does something: classes, functions by type, interfaces with a method. An error is only told. */
function actingIn(text: string): readonly string[] {
  const classes = [...text.matchAll(/^export (?:abstract )?class (\w+)(?!.*\bextends \w*Error\b)/gm)];
  const functions = [...text.matchAll(/^export type (\w+)[^=;]*= (?:<[^;]*?>)?\([^;]*\) =>/gm)];
  const interfaces = [...text.matchAll(/^export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)].filter(([, , body]) =>
    /^ {2}(?:readonly )?\w+(?:<[^>]*>)?\??\(/m.test(body!),
  );
  return [...classes, ...functions, ...interfaces].map((match) => match[1]!);
}

const namedImport = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"](\.[^'"]+)['"]/g;

/** The file that each imported name comes from. */
function placesOfNames({ path, text }: SourceFile): ReadonlyMap<string, string> {
  const imports = [...text.matchAll(namedImport)].flatMap(([, names, from]) => {
    const target = normalize(join(dirname(path), from!)).replaceAll('\\', '/');
    return names!.split(',').map((name) => [name.trim().replace(/^type /, ''), target] as const);
  });
  return new Map(imports);
}

interface Optional {
  readonly name: string;
  readonly type: string;
  readonly at: number;
}

function optionalsOf(text: string): readonly Optional[] {
  return [...text.matchAll(/\b(\w+)\?:/g)].map((match) => ({
    name: match[1]!,
    type: typeFrom(text, match.index + match[0].length),
    at: match.index,
  }));
}

/** The text of a type, to the end of the member or the parameter. */
function typeFrom(text: string, from: number): string {
  let depth = 0;
  let at = from;
  for (; at < text.length && depth >= 0; at++) {
    const char = text[at]!;
    const isArrow = text.startsWith('=>', at);
    if (depth === 0 && (char === ',' || char === ';' || (char === '=' && !isArrow))) break;
    if ('([{<'.includes(char)) depth++;
    if (')]}'.includes(char) || (char === '>' && text[at - 1] !== '=')) depth--;
  }
  return text.slice(from, at);
}

/** Names of types, without what is looked up in them: `Config['databases']` is data. */
function namesIn(type: string): readonly string[] {
  return [...type.matchAll(/(?<![\w.'"])([A-Z]\w*)(?!\w|\[')/g)].map((match) => match[1]!);
}
