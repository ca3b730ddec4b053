import { parse } from 'yaml';

/** One value of the chart as `values.yaml` documents it. */
export interface DocumentedValue {
  /** `image.api.repository` */
  readonly path: string;
  readonly section: string;
  readonly description: string;
  readonly default: unknown;
}

interface Place {
  readonly indent: number;
  readonly key: string;
}

const keyLine = /^( *)([A-Za-z][\w-]*):/;

/**
 * Reads the comments of a `values.yaml`: `# -- text`, continued on the comment lines that follow, describes the key under
 * it; `# @section Title` opens a section. The file is ours, so lines are enough: keys are plain words in block style.
 */
export function documentedValues(text: string): readonly DocumentedValue[] {
  const values: unknown = parse(text, { version: '1.1' });
  const found: DocumentedValue[] = [];
  let open: Place[] = [];
  let section = '';
  let description: string | undefined;
  for (const line of text.split('\n')) {
    const comment = /^ *# (.*)$/.exec(line)?.[1];
    if (comment !== undefined) {
      section = /^@section (.*)$/.exec(comment)?.[1] ?? section;
      description = continued(description, comment);
      continue;
    }
    const [, space, key] = keyLine.exec(line) ?? [];
    if (space !== undefined && key !== undefined) {
      open = [...open.filter(({ indent }) => indent < space.length), { indent: space.length, key }];
      const path = open.map((place) => place.key);
      if (description !== undefined) {
        found.push({ path: path.join('.'), section, description, default: valueAt(values, path) });
      }
    }
    description = undefined;
  }
  return found;
}

/** A description with one more line of comment; only `-- ` begins one. */
function continued(description: string | undefined, comment: string): string | undefined {
  if (comment.startsWith('-- ')) return comment.slice(3);
  return description === undefined ? undefined : `${description} ${comment.trim()}`;
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((place, key) => (place as Record<string, unknown>)[key], values);
}

/** The paths of everything that is not a map with keys of its own. */
export function leafPaths(value: unknown, path = ''): readonly string[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isMap ? Object.entries(value) : [];
  if (entries.length === 0) return [path];
  return entries.flatMap(([key, inner]) => leafPaths(inner, path === '' ? key : `${path}.${key}`));
}
