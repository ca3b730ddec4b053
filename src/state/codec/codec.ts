import { configMaps } from '../../domain/names.ts';
import { ShapeError } from './shape.ts';

export type Decoded<T> =
  /** `givenUp`: parts of it that make no sense and that others can do without, each in a sentence. */
  | { readonly ok: true; readonly value: T; readonly givenUp?: readonly string[] }
  /** `rest`: what could be read of a list that goes on in several ConfigMaps. It is not the whole of it. */
  | { readonly ok: false; readonly message: string; readonly rest?: T };

/** How one key of `svc-state` is read and written. An absent key is empty; text that does not decode is never empty. */
export interface StateCodec<T> {
  readonly key: string;
  readonly empty: T;
  /** `configMap` is named in the message when the text cannot be decoded. */
  decode(text: string | undefined, configMap?: string): Decoded<T>;
  /** Undefined removes the key. */
  encode(value: T): string | undefined;
  /** How a list may go on in further ConfigMaps. */
  readonly elements?: ElementRules;
}

/** What has to be known of the elements of a list to spread them over several ConfigMaps. Made with `elementRules`. */
export interface ElementRules {
  /** Nothing is there twice. */
  keyOf(element: unknown): string;
  /** At most so many bytes for one more, if `group` is there already, and so many more if it is not. */
  cost(element: unknown): ElementCost;
  /** At most so many bytes of the list stay in `svc-state`. */
  readonly mostInState: number;
}

export interface ElementCost {
  readonly group: string;
  readonly line: number;
  readonly head: number;
}

/** Rules for elements of one type, for a list of which only the codec knows the type. */
export function elementRules<E>(rules: {
  keyOf(element: E): string;
  cost(element: E): ElementCost;
  readonly mostInState: number;
}): ElementRules {
  const { keyOf, cost, mostInState } = rules;
  return { keyOf: (element) => keyOf(element as E), cost: (element) => cost(element as E), mostInState };
}

interface CodecParts<T> {
  readonly key: string;
  readonly empty: T;
  /** Blank text means empty, for the keys that are cleared by emptying them. */
  readonly blankIsEmpty: boolean;
  /** `giveUp` takes note of a part that is left out. */
  readonly read: (json: unknown, giveUp: (why: string) => void) => T;
  readonly write: (value: T) => string | undefined;
  readonly elements?: ElementRules;
}

/** The last text and its value are kept: most passes find every key as the pass before left it. */
export function codec<T>(parts: CodecParts<T>): StateCodec<T> {
  const nothing: Decoded<T> = { ok: true, value: parts.empty };
  let last: { readonly text: string; readonly decoded: Decoded<T> } | undefined;
  return {
    key: parts.key,
    empty: parts.empty,
    decode(text, configMap = configMaps.state) {
      if (text === undefined) return nothing;
      if (configMap !== configMaps.state) return decodeText(parts, text, configMap);
      if (last?.text !== text) last = { text, decoded: decodeText(parts, text, configMap) };
      return last.decoded;
    },
    encode: parts.write,
    ...(parts.elements === undefined ? {} : { elements: parts.elements }),
  };
}

function decodeText<T>(parts: CodecParts<T>, text: string, configMap: string): Decoded<T> {
  if (parts.blankIsEmpty && text.trim() === '') return { ok: true, value: parts.empty };
  const givenUp: string[] = [];
  try {
    const value = parts.read(parse(text), (why) => givenUp.push(undecodable(parts.key, configMap, why)));
    return { ok: true, value, ...(givenUp.length === 0 ? {} : { givenUp }) };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return { ok: false, message: undecodable(parts.key, configMap, error.message) };
  }
}

/** A key that holds one object or nothing; `{}` counts as nothing, because it is what people write to clear one. */
export function optionalObjectCodec<T extends object>(
  key: string,
  read: (json: unknown) => T,
  write: (value: T) => object,
): StateCodec<T | null> {
  return codec<T | null>({
    key,
    empty: null,
    blankIsEmpty: true,
    read: (json) => (isEmptyObject(json) ? null : read(json)),
    write: (value) => (value === null ? undefined : JSON.stringify(write(value))),
  });
}

/** JSON with one element a line, so that `kubectl edit` shows a list and not one endless line. */
export function arrayText(elements: readonly string[]): string {
  return elements.length === 0 ? '[]' : `[\n${elements.join(',\n')}\n]`;
}

function undecodable(key: string, configMap: string, why: string): string {
  return `The value of ${key} in ConfigMap ${configMap} cannot be decoded: ${why}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ShapeError(text.trim() === '' ? 'it is blank.' : 'it is not valid JSON.');
  }
}

function isEmptyObject(json: unknown): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length === 0;
}
