import { configMaps } from '../domain/names.ts';
import { ShapeError } from './shape.ts';

export type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** How one key of `svc-state` is read and written. An absent key is empty; text that does not decode is never empty. */
export interface StateCodec<T> {
  readonly key: string;
  readonly empty: T;
  decode(text: string | undefined): Decoded<T>;
  /** Undefined removes the key. */
  encode(value: T): string | undefined;
}

interface CodecParts<T> {
  readonly key: string;
  readonly empty: T;
  /** Blank text means empty, for the keys that are cleared by emptying them. */
  readonly blankIsEmpty: boolean;
  readonly read: (json: unknown) => T;
  readonly write: (value: T) => string | undefined;
}

/** The last text and its value are kept: most passes find every key as the pass before left it. */
export function codec<T>(parts: CodecParts<T>): StateCodec<T> {
  const nothing: Decoded<T> = { ok: true, value: parts.empty };
  let last: { readonly text: string; readonly decoded: Decoded<T> } | undefined;
  return {
    key: parts.key,
    empty: parts.empty,
    decode(text) {
      if (text === undefined) return nothing;
      if (last?.text !== text) last = { text, decoded: decodeText(parts, text) };
      return last.decoded;
    },
    encode: parts.write,
  };
}

function decodeText<T>(parts: CodecParts<T>, text: string): Decoded<T> {
  if (parts.blankIsEmpty && text.trim() === '') return { ok: true, value: parts.empty };
  try {
    return { ok: true, value: parts.read(parse(text)) };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return { ok: false, message: undecodable(parts.key, error.message) };
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

function undecodable(key: string, why: string): string {
  return `The value of ${key} in ConfigMap ${configMaps.state} cannot be decoded: ${why}`;
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
