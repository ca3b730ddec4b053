import { ApiError, badRequest } from '../../store/api-error.ts';
import { isObject, type JsonObject, valueAt } from '../../store/json-value.ts';
import type { ResourceType } from './resource-type.ts';

type Expected = 'int32' | 'bool' | 'string';

const SPEC_FIELDS: Readonly<Record<string, readonly [field: string, expected: Expected]>> = {
  'deployments.apps': ['replicas', 'int32'],
  'statefulsets.apps': ['replicas', 'int32'],
  'replicasets.apps': ['replicas', 'int32'],
  'cronjobs.batch': ['suspend', 'bool'],
  'jobs.batch': ['suspend', 'bool'],
};

/** Maps whose every value is text. */
const TEXT_MAPS: readonly { readonly path: readonly string[]; readonly shown: string }[] = [
  { path: ['metadata', 'annotations'], shown: 'ObjectMeta.metadata.annotations' },
  { path: ['metadata', 'labels'], shown: 'ObjectMeta.metadata.labels' },
];

/** A value of the wrong JSON type in a field that is often written; undefined when there is none. */
function wrongType(type: ResourceType, object: JsonObject): string | undefined {
  for (const { path, shown } of TEXT_MAPS) {
    const complaint = textMapComplaint(valueAt(object, ...path), shown);
    if (complaint !== undefined) return complaint;
  }
  if (type.storage === 'configmaps') return textMapComplaint(object['data'], 'ConfigMap.data');
  const field = SPEC_FIELDS[type.storage];
  if (field === undefined) return undefined;
  const [name, expected] = field;
  return complaintOf(valueAt(object, 'spec', name), expected, `${type.kind}Spec.spec.${name}`);
}

/** For an object that was sent whole. */
export function refuseWrongType(type: ResourceType, object: JsonObject): void {
  const complaint = wrongType(type, object);
  if (complaint === undefined) return;
  throw badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${complaint}`);
}

/** For an object that a patch made: the apiserver shows all of it. */
export function refuseWrongTypeInPatch(type: ResourceType, object: JsonObject): void {
  const complaint = wrongType(type, object);
  if (complaint === undefined) return;
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(object))}: ${complaint}`;
  throw new ApiError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  });
}

function textMapComplaint(map: unknown, shown: string): string | undefined {
  if (!isObject(map)) return undefined;
  for (const key in map) {
    if (typeof map[key] !== 'string') return complaintOf(map[key], 'string', shown);
  }
  return undefined;
}

/** `shown` is how the apiserver's decoder names the field. */
function complaintOf(value: unknown, expected: Expected, shown: string): string | undefined {
  if (value === undefined || value === null || fits(value, expected)) return undefined;
  const what = typeof value === 'number' && expected === 'int32' ? `number ${value}` : goTypeOf(value);
  return `json: cannot unmarshal ${what} into Go struct field ${shown} of type ${expected}`;
}

function fits(value: unknown, expected: Expected): boolean {
  if (expected === 'int32') return Number.isInteger(value);
  return typeof value === (expected === 'bool' ? 'boolean' : 'string');
}

function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
