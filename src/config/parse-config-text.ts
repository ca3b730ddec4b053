import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { type ConfigError, type PathSegment, pathText } from './config-error.ts';
import { checkConfig, type ParsedConfig } from './parse-config.ts';

/** The key of the ConfigMap `svc-config` that holds the text. */
export const configTextKey = 'config.yaml';

/** Like `parseConfig`, from YAML; every error also says where in the text it is. */
export function parseConfigText(text: string): ParsedConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return { ok: false, errors: document.errors.map((error) => syntaxError(error.message, error.pos[0], lines)) };
  }
  const input = plainValue(document);
  if ('failure' in input) return { ok: false, errors: [{ path: '', message: input.failure }] };
  const checked = checkConfig(input.value);
  if ('config' in checked) return { ok: true, config: checked.config };
  return {
    ok: false,
    readable: checked.readable,
    errors: checked.problems.map(({ at, message }) => ({
      path: pathText(at),
      message,
      ...placeOf(document, at, lines),
    })),
  };
}

/** Aliases that multiply beyond reason make the conversion fail, not the process. */
function plainValue(document: Document): { readonly value: unknown } | { readonly failure: string } {
  try {
    return { value: document.toJS() };
  } catch (error) {
    return { failure: `the YAML cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function syntaxError(message: string, offset: number, lines: LineCounter): ConfigError {
  return { path: '', message: `the YAML cannot be read: ${message}`, position: position(offset, lines) };
}

/** The place of a key, or of the nearest thing around it that is there: a missing key has no place of its own. */
function placeOf(document: Document, at: readonly PathSegment[], lines: LineCounter): Pick<ConfigError, 'position'> {
  for (let length = at.length; length > 0; length--) {
    const offset = offsetOf(document, at.slice(0, length));
    if (offset !== undefined) return { position: position(offset, lines) };
  }
  return {};
}

function offsetOf(document: Document, at: readonly PathSegment[]): number | undefined {
  const parent = at.length === 1 ? document.contents : document.getIn(at.slice(0, -1), true);
  const last = at.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === last);
    return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  }
  const node = document.getIn(at, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function position(offset: number, lines: LineCounter) {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
