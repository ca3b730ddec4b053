import { parse as parseYaml } from 'yaml';
import { decodeProtobuf } from '../../kubectl/protobuf.ts';
import { ApiError, badRequest, unsupportedMediaType } from '../../store/api-error.ts';
import { isObject, type JsonObject, textOf, valueAt } from '../../store/json-value.ts';
import { apiVersionOf } from '../kinds/resource-type.ts';
import type { Call } from './call.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const READABLE = ['application/json', 'application/yaml'];
const ACCEPTED = [...READABLE, PROTOBUF];
const MAX_BODY_BYTES = 3 * 1024 * 1024;
const SUMMARY_LENGTH = 30;

export function mediaType(headers: Readonly<Record<string, string>>): string {
  return (headers['content-type'] ?? '').split(';')[0]!.trim();
}

/** The object in the body of a POST or PUT; its kind and version must be what the path serves. */
export function objectInBody(call: Call, kind = call.type.kind, apiVersion?: string): JsonObject {
  const type = mediaType(call.headers);
  if (call.body.length > MAX_BODY_BYTES) throw tooLarge();
  if (type !== '' && !ACCEPTED.includes(type)) throw unsupportedMediaType(ACCEPTED);
  const object = type === PROTOBUF ? decodeProtobuf(call.body) : parse(call.body, kind, type);
  if (object === undefined) throw unsupportedMediaType(READABLE);
  if (call.type.custom && isObject(object)) requireType(object, kind, call.body);
  const given = typed(object, kind, apiVersion ?? apiVersionOf(call.type.group, call.type.version), call.type.custom);
  return !call.type.custom && call.body.includes('null') ? (withoutNulls(given) as JsonObject) : given;
}

/** In a built-in kind null means the same as nothing; Go clients write it for a time that is not set. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(fields.map(([field, inner]) => [field, withoutNulls(inner)]));
}

function tooLarge(): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY_BYTES}`);
}

function parse(body: string, kind: string, type: string): unknown {
  try {
    return type === 'application/yaml' ? parseYaml(body) : JSON.parse(body);
  } catch (error) {
    throw unrecognized(kind, `couldn't get version/kind; json parse error: ${reasonOf(error)}`, body);
  }
}

/** The parser's own words, but for an end that came too soon. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith('Unexpected end of JSON') ? 'unexpected end of JSON input' : message;
}

/** A custom resource has no type of its own to fall back on: the body must say what it is. */
function requireType(object: JsonObject, kind: string, body: string): void {
  if ((textOf(object['kind']) ?? '') === '') throw unrecognized(kind, `Object 'Kind' is missing in '${body}'`, body);
  if ((textOf(object['apiVersion']) ?? '') === '') {
    throw unrecognized(kind, `Object 'apiVersion' is missing in '${body}'`, body);
  }
}

function unrecognized(kind: string, why: string, body: string): ApiError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(body)})`);
}

/** The apiserver shows the first bytes, in hexadecimal when they are not JSON. */
function summary(body: string): string {
  if (body === '') return '<empty>';
  if (body.startsWith('{')) return body.length > SUMMARY_LENGTH ? `${body.slice(0, SUMMARY_LENGTH)} ...` : body;
  const bytes = new TextEncoder().encode(body.slice(0, SUMMARY_LENGTH)).slice(0, SUMMARY_LENGTH);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return body.length > SUMMARY_LENGTH ? `${hex} ...` : hex;
}

function typed(object: unknown, kind: string, apiVersion: string, custom: boolean): JsonObject {
  if (!isObject(object)) throw notAnObject(object, kind);
  const givenVersion = textOf(object['apiVersion']) ?? '';
  const givenKind = textOf(object['kind']) ?? '';
  if (!custom && givenKind !== '' && givenKind !== kind) throw wrongKind(givenKind, givenVersion, kind, apiVersion);
  if (givenVersion !== '' && givenVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (object['metadata'] !== undefined && !isObject(object['metadata'])) {
    const version = apiVersion.split('/').at(-1);
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: json: cannot unmarshal ${typeof object['metadata']} into Go struct field ${kind}.metadata of type v1.ObjectMeta`,
    );
  }
  return object;
}

function notAnObject(value: unknown, kind: string): ApiError {
  const what = Array.isArray(value) ? 'array' : typeof value;
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
  return unrecognized(kind, why, JSON.stringify(value));
}

function wrongKind(given: string, givenVersion: string, kind: string, apiVersion: string): ApiError {
  const version = (givenVersion === '' ? apiVersion : givenVersion).split('/').at(-1);
  const group = apiVersion.includes('/') ? apiVersion.split(/[./]/)[0] : 'core';
  return badRequest(
    `${given} in version "${version}" cannot be handled as a ${kind}: converting (${version}.${given}) to (${group}.${kind}): unknown conversion`,
  );
}

/** Name and namespace in the body must not contradict the path. */
export function checkIdentity(call: Call, object: JsonObject): void {
  const { info, type } = call;
  const name = textOf(valueAt(object, 'metadata', 'name')) ?? '';
  const namespace = textOf(valueAt(object, 'metadata', 'namespace')) ?? '';
  if (info.name !== '' && name !== info.name) {
    if (name === '')
      throw badRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`);
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  }
  if (type.namespaced && namespace !== '' && namespace !== info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

export function isDryRun(call: Call): boolean {
  const values = call.info.query.getAll('dryRun').filter((value) => value !== '');
  if (values.length === 0) return false;
  if (values.every((value) => value === 'All')) return true;
  const causes = [
    {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`,
      field: 'dryRun',
    },
  ];
  throw new ApiError(422, 'Invalid', `${optionsKind(call)}.meta.k8s.io "" is invalid: dryRun: ${causes[0]!.message}`, {
    group: 'meta.k8s.io',
    kind: optionsKind(call),
    causes,
  });
}

function optionsKind(call: Call): string {
  const { verb } = call.info;
  const word = verb === 'deletecollection' ? 'delete' : verb;
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}Options`;
}
