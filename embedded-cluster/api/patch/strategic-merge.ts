import { ApiError, badRequest } from '../../store/api-error.ts';
import { arrayOf, isObject, type JsonObject, objectOf, sameJson } from '../../store/json-value.ts';
import { isMergedSet, mergeKey } from './merge-keys.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';
const ELEMENT_ORDER = '$setElementOrder/';

/** Kubernetes' strategic merge patch: lists of objects are merged by their keys, `$patch` deletes or replaces. */
export function applyStrategicMerge(target: JsonObject, patch: unknown, kind: string): JsonObject {
  if (!isObject(patch)) throw badRequest('json: cannot unmarshal array into Go value of type map[string]interface {}');
  return mergeObject(target, patch, kind);
}

function mergeObject(target: JsonObject, patch: JsonObject, kind: string): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') throw badRequest(`Unknown patch type found: ${directive}`);
  const result: Record<string, unknown> = retained(target, patch[RETAIN_KEYS]);
  for (const [field, value] of Object.entries(patch)) {
    if (field === DIRECTIVE || field === RETAIN_KEYS || field.startsWith(ELEMENT_ORDER)) continue;
    if (field.startsWith(DELETE_FROM_LIST)) {
      const list = field.slice(DELETE_FROM_LIST.length);
      const gone = arrayOf(value);
      result[list] = arrayOf(result[list]).filter((item) => !gone.some((other) => sameJson(item, other)));
    } else if (value === null) delete result[field];
    else result[field] = mergeField(target[field], value, { field, kind, patch });
  }
  return result;
}

/** `$retainKeys` clears every field it does not name. */
function retained(target: JsonObject, keys: unknown): Record<string, unknown> {
  if (!Array.isArray(keys)) return { ...target };
  return Object.fromEntries(Object.entries(target).filter(([field]) => keys.includes(field)));
}

function mergeField(
  target: unknown,
  value: unknown,
  { field, kind, patch }: { readonly field: string; readonly kind: string; readonly patch: JsonObject },
): unknown {
  if (isObject(value)) return mergeObject(objectOf(target), value, kind);
  if (!Array.isArray(value)) return value;
  const order = patch[`${ELEMENT_ORDER}${field}`];
  if (isMergedSet(field)) {
    const known = arrayOf(target);
    return [...known, ...value.filter((item) => !known.includes(item))];
  }
  const key = mergeKey(field, kind);
  return key === undefined || !value.every(isObject)
    ? value.map(withoutDirectivesIn)
    : mergeList(arrayOf(target), value, { key, kind, order });
}

function mergeList(
  target: readonly unknown[],
  patch: readonly JsonObject[],
  { key, kind, order }: { readonly key: string; readonly kind: string; readonly order: unknown },
): readonly unknown[] {
  const replaces = patch.some((item) => item[DIRECTIVE] === 'replace' && item[key] === undefined);
  let result: unknown[] = replaces ? [] : [...target];
  for (const item of patch) {
    if (item[DIRECTIVE] === 'replace' && item[key] === undefined) continue;
    const value = item[key];
    if (value === undefined) throw missingKey(key, item);
    const at = result.findIndex((existing) => sameJson(objectOf(existing)[key], value));
    if (item[DIRECTIVE] === 'delete') result = result.filter((existing) => !sameJson(objectOf(existing)[key], value));
    else if (at < 0) result.push(withoutDirectives(item));
    else result[at] = mergeObject(objectOf(result[at]), item, kind);
  }
  return inOrder(result, target, Array.isArray(order) ? order : patch, key);
}

function missingKey(key: string, item: JsonObject): ApiError {
  const shown = Object.entries(item).map(([field, value]) => `${field}:${value}`);
  return new ApiError(500, '', `map: map[${shown.join(' ')}] does not contain declared merge key: ${key}`);
}

/**
 * What the patch names comes in the patch's order; the others keep theirs. Where the two meet, the old order decides
 * between elements that were both there, and else the patch's element goes first.
 */
function inOrder(
  list: readonly unknown[],
  before: readonly unknown[],
  order: readonly unknown[],
  key: string,
): readonly unknown[] {
  const rankIn = (where: readonly unknown[], item: unknown): number =>
    where.findIndex((other) => sameJson(objectOf(other)[key], objectOf(item)[key]));
  const named = list.filter((item) => rankIn(order, item) >= 0).sort((a, b) => rankIn(order, a) - rankIn(order, b));
  const others = list.filter((item) => rankIn(order, item) < 0);
  const result: unknown[] = [];
  while (named.length > 0 && others.length > 0) {
    const other = rankIn(before, others[0]);
    const patched = rankIn(before, named[0]);
    result.push((other >= 0 && patched >= 0 && other < patched ? others : named).shift());
  }
  return [...result, ...named, ...others];
}

function withoutDirectives(value: JsonObject): JsonObject {
  const fields: [string, unknown][] = [];
  for (const [field, inner] of Object.entries(value)) {
    if (field === DIRECTIVE || field === RETAIN_KEYS || field.startsWith(ELEMENT_ORDER)) continue;
    if (inner !== null) fields.push([field, withoutDirectivesIn(inner)]);
  }
  return Object.fromEntries(fields);
}

function withoutDirectivesIn(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => objectOf(item)[DIRECTIVE] !== 'delete').map(withoutDirectivesIn);
  }
  return isObject(value) ? withoutDirectives(value) : value;
}
