import { utf8Bytes } from '../../kubectl/utf8-bytes.ts';
import type { KubeObject } from '../../object-store.ts';
import { invalid, type StatusCause } from '../../store/api-error.ts';
import { objectOf } from '../../store/json-value.ts';
import { KIND_RULES, UPDATE_RULES } from './kind-rules.ts';
import { nameRule } from './name-syntax.ts';
import type { ResourceType } from './resource-type.ts';

const MAX_ANNOTATION_BYTES = 262_144;
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const QUALIFIED_NAME = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Throws a 422 with every complaint about a new object. */
export function validateNew(type: ResourceType, object: KubeObject): void {
  refuse(type, object, [...nameCauses(type, object), ...metadataCauses(object), ...kindCauses(type, object)]);
}

/** The same for the successor of an object, which must also leave alone what cannot change. */
export function validateUpdate(type: ResourceType, before: KubeObject, after: KubeObject): void {
  const rules = type.custom ? undefined : UPDATE_RULES[type.storage];
  refuse(type, after, [...metadataCauses(after), ...kindCauses(type, after), ...(rules?.(before, after) ?? [])]);
}

function refuse(type: ResourceType, object: KubeObject, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalid(type.kind, type.group, object.metadata.name ?? '', causes);
}

function kindCauses(type: ResourceType, object: KubeObject): readonly StatusCause[] {
  return type.custom ? [] : (KIND_RULES[type.storage]?.(object) ?? []);
}

function nameCauses(type: ResourceType, object: KubeObject): readonly StatusCause[] {
  const name = object.metadata.name ?? '';
  if (name !== '') return badNames(nameRule(type.storage)(name), name, 'metadata.name');
  const base = String(object.metadata['generateName'] ?? '');
  if (base !== '') return badNames(nameRule(type.storage)(`${base.slice(0, 58)}x`), base, 'metadata.generateName');
  const message = 'Required value: name or generateName is required';
  return [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }];
}

function badNames(reasons: readonly string[], name: string, field: string): readonly StatusCause[] {
  return reasons.map((why) => ({ reason: 'FieldValueInvalid', message: `Invalid value: "${name}": ${why}`, field }));
}

function metadataCauses(object: KubeObject): readonly StatusCause[] {
  const annotations = objectOf(object.metadata.annotations);
  const causes: StatusCause[] = [];
  if (annotationBytes(annotations) > MAX_ANNOTATION_BYTES) {
    const message = `Too long: may not be more than ${MAX_ANNOTATION_BYTES} bytes`;
    causes.push({ reason: 'FieldValueTooLong', message, field: 'metadata.annotations' });
  }
  for (const key of Object.keys(annotations))
    if (!QUALIFIED_NAME.test(key.toLowerCase())) causes.push(badKey(key, 'metadata.annotations'));
  for (const [key, value] of Object.entries(objectOf(object.metadata.labels))) {
    if (!QUALIFIED_NAME.test(key)) causes.push(badKey(key, 'metadata.labels'));
    if (!LABEL_VALUE.test(String(value))) causes.push(badLabel(String(value)));
  }
  for (const [index, finalizer] of (object.metadata.finalizers ?? []).entries()) {
    if (!finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer)) causes.push(badFinalizer(finalizer, index));
  }
  return causes;
}

function badFinalizer(finalizer: string, index: number): StatusCause {
  const message = `Invalid value: "${finalizer}": name is neither a standard finalizer name nor is it fully qualified`;
  return { reason: 'FieldValueInvalid', message, field: `metadata.finalizers[${index}]` };
}

function annotationBytes(annotations: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  // A string's length is a lower bound of its bytes, and enough as long as it is far from the limit.
  for (const key in annotations) bytes += key.length + String(annotations[key]).length;
  if (bytes * 4 <= MAX_ANNOTATION_BYTES) return bytes;
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + utf8Bytes(key) + utf8Bytes(String(value)), 0);
}

function badKey(key: string, field: string): StatusCause {
  const why =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  return { reason: 'FieldValueInvalid', message: `Invalid value: "${key}": ${why}`, field };
}

function badLabel(value: string): StatusCause {
  const why =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  return { reason: 'FieldValueInvalid', message: `Invalid value: "${value}": ${why}`, field: 'metadata.labels' };
}
