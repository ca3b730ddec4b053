/** A JSON object of unknown shape, as it comes from a caller or stands in the store. */
export type JsonObject = { readonly [field: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one when it is something else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : EMPTY;
}

const EMPTY: JsonObject = Object.freeze({});

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The value at a path of field names; undefined as soon as a step is missing. */
export function valueAt(root: unknown, ...path: readonly string[]): unknown {
  let value = root;
  for (const field of path) {
    if (!isObject(value)) return undefined;
    value = value[field];
  }
  return value;
}

/** A copy of the object with the field at the path replaced; undefined removes it. Everything else is shared. */
export function withValueAt(root: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [field, ...rest] = path;
  if (field === undefined) return objectOf(value);
  if (rest.length > 0) return { ...root, [field]: withValueAt(objectOf(root[field]), rest, value) };
  if (value !== undefined) return { ...root, [field]: value };
  const { [field]: _removed, ...others } = root;
  return others;
}

/** Equality of JSON values. Shared parts cost nothing, which is the usual case here. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameJson(item, b[index]));
  }
  return !Array.isArray(b) && sameFields(a as JsonObject, b as JsonObject);
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  let fields = 0;
  for (const field in a) {
    if (a[field] === undefined) continue;
    if (!sameJson(a[field], b[field])) return false;
    fields++;
  }
  for (const field in b) if (b[field] !== undefined) fields--;
  return fields === 0;
}
