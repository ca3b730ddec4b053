import type { KubeObject } from '../../object-store.ts';
import { ApiError, type StatusCause } from '../../store/api-error.ts';
import { isObject, type JsonObject, objectOf, sameJson, valueAt, withValueAt } from '../../store/json-value.ts';
import { appliedPaths, leafPaths, otherOwners } from '../../store/managed-fields.ts';
import { mergeKey } from './merge-keys.ts';

const IDENTITY_FIELDS = new Set(['apiVersion', 'kind']);

/** What an apply makes of an object: the applied fields on top, and what this manager applied before and no more, gone. */
export function applyServerSide(current: KubeObject, applied: JsonObject, manager: string, force: boolean): JsonObject {
  if (!force) refuseConflicts(current, applied, manager);
  const kept = new Set(leafPaths(applied).map((path) => path.join('\n')));
  let result: JsonObject = current;
  for (const path of appliedPaths(current, manager)) {
    if (!kept.has(path.join('\n'))) result = withValueAt(result, path, undefined);
  }
  return overlay(result, applied, current.kind);
}

function overlay(target: JsonObject, applied: JsonObject, kind: string): JsonObject {
  const result: Record<string, unknown> = { ...target };
  for (const [field, value] of Object.entries(applied)) {
    if (IDENTITY_FIELDS.has(field) || value === null) continue;
    result[field] = overlayField(target[field], value, field, kind);
  }
  return result;
}

function overlayField(target: unknown, value: unknown, field: string, kind: string): unknown {
  if (isObject(value)) return overlay(objectOf(target), value, kind);
  const key = mergeKey(field, kind);
  if (key === undefined || !Array.isArray(value) || !Array.isArray(target)) return value;
  const known = new Map(target.map((item) => [objectOf(item)[key], item]));
  return value.map((item) => (isObject(item) ? overlay(objectOf(known.get(item[key])), item, kind) : item));
}

function refuseConflicts(current: KubeObject, applied: JsonObject, manager: string): void {
  const changed = leafPaths(applied).filter((path) => !sameJson(valueAt(current, ...path), valueAt(applied, ...path)));
  const owners = otherOwners(current, changed, manager);
  if (owners.size === 0) return;
  const causes: StatusCause[] = [...owners].map(([path, owner]) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field: `.${path.replaceAll('\n', '.')}`,
  }));
  throw new ApiError(409, 'Conflict', conflictMessage(causes), { causes });
}

function conflictMessage(causes: readonly StatusCause[]): string {
  const first = causes[0]!;
  if (causes.length === 1) return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  const byOwner = Map.groupBy(causes, (cause) => cause.message);
  const parts = [...byOwner].map(
    ([message, list]) => `${message}:\n${list.map((cause) => `- ${cause.field}`).join('\n')}`,
  );
  return `Apply failed with ${causes.length} conflicts: ${parts.join('\n')}`;
}
