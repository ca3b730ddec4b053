import type { StringMap } from '../../../domain/workload.ts';

const entriesOfAGeneration = 16_384;
const emptyMap: StringMap = Object.freeze({});

/**
 * One copy of each text and each label map, however many objects carry it. Two generations bound it: what nobody asked
 * for during a whole generation is forgotten, so that names which come and go do not pile up.
 */
export class StringPool {
  readonly #texts = new TwoGenerations<string, string>();
  readonly #maps = new TwoGenerations<number, StringMap>();
  readonly #values = new TwoGenerations<string, object>();

  text(value: string): string {
    return this.#texts.get(value) ?? this.#texts.put(flat(value), flat(value));
  }

  /** One copy of a small value; `key` must tell different values, and different kinds of them, apart. */
  value<V extends object>(key: string, make: () => V): V {
    return (this.#values.get(key) as V | undefined) ?? (this.#values.put(flat(key), make()) as V);
  }

  /** The same map for equal content; undefined and {} are one empty map. */
  map(value: Readonly<Record<string, string>> | undefined): StringMap {
    if (value === undefined || value === null) return emptyMap;
    const hash = hashOf(value);
    if (hash === emptyHash) return emptyMap;
    const known = this.#maps.get(hash);
    if (known !== undefined && isSameMap(known, value)) return known;
    const entries = Object.entries(value).map(([key, text]) => [this.text(key), this.text(String(text))]);
    return this.#maps.put(hash, Object.fromEntries(entries) as StringMap);
  }
}

class TwoGenerations<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    return old === undefined ? undefined : this.put(key, old);
  }

  put(key: K, value: V): V {
    if (this.#young.size >= entriesOfAGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}

/** A copy that owns its characters: V8 lets a part of a text, or a joined text, keep the whole alive. */
export function flat(text: string): string {
  return text.isWellFormed() ? Buffer.from(text).toString() : text;
}

const emptyHash = 0x811c9dc5;

function hashOf(map: Readonly<Record<string, string>>): number {
  let hash = emptyHash;
  for (const key in map) hash = mix(mix(hash, key), String(map[key]));
  return hash;
}

/** FNV-1a; the separator keeps {ab: c} and {a: bc} apart. */
function mix(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return Math.imul(hash ^ 0xffff, 0x01000193) >>> 0;
}

function isSameMap(a: StringMap, b: Readonly<Record<string, string>>): boolean {
  let count = 0;
  for (const key in b) {
    if (a[key] !== b[key]) return false;
    count++;
  }
  return Object.keys(a).length === count;
}
