import { isObject, type JsonObject } from '../../store/json-value.ts';

/** RFC 7386. What the patch leaves alone is shared with the original. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const base: JsonObject = isObject(target) ? target : {};
  const result: Record<string, unknown> = { ...base };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = applyMergePatch(base[field], value);
  }
  return result;
}
