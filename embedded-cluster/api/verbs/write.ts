import { parse as parseYaml } from 'yaml';
import type { KubeObject, NewObject } from '../../object-store.ts';
import { badRequest, conflict, invalid, unroutableMediaType, unsupportedMediaType } from '../../store/api-error.ts';
import { uuid } from '../../store/identifiers.ts';
import { isObject, type JsonObject, objectOf } from '../../store/json-value.ts';
import type { WriteActor } from '../../store/managed-fields.ts';
import { withDefaults } from '../kinds/defaults.ts';
import { namespaceIsThere } from '../kinds/namespace-check.ts';
import { groupResource, type ResourceType } from '../kinds/resource-type.ts';
import { refuseWrongType, refuseWrongTypeInPatch } from '../kinds/typed-fields.ts';
import { validateNew, validateUpdate } from '../kinds/validation.ts';
import { toServed, toStored } from '../kinds/versions.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyServerSide } from '../patch/server-side-apply.ts';
import { applyStrategicMerge } from '../patch/strategic-merge.ts';
import { type ApiResponse, type Call, jsonResponse } from '../request/call.ts';
import { jsonText } from '../request/json-text.ts';
import { checkIdentity, isDryRun, mediaType, objectInBody, reasonOf } from '../request/request-body.ts';
import { existing } from './list.ts';
import { initialStatus, withStatusOf } from './status-part.ts';

/** Resources that refuse an update without a resourceVersion. */
const CONDITIONAL_ONLY = new Set([
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

export function create(call: Call): ApiResponse {
  return createObject(call, objectInBody(call), actorOf(call));
}

function createObject(call: Call, body: JsonObject, actor: WriteActor): ApiResponse {
  const { type, info, services } = call;
  checkIdentity(call, body);
  refuseWrongType(type, body);
  const stored = toStored(body, type);
  const placed = place(stored, type.namespaced ? info.namespace : undefined);
  const uid = uuid(services.random);
  const prepared = withDefaults(type, initialStatus(type, withUid(placed, uid)), services);
  if (type.namespaced) namespaceIsThere(call, prepared);
  validateNew(type, prepared);
  const dryRun = isDryRun(call);
  const created = services.store.create(type.storage, prepared as NewObject, { actor, dryRun, origin: call, uid });
  return jsonResponse(201, jsonText(toServed(created, type)));
}

/** A job's selector and labels name its uid, so it must be known before the defaults are. */
function withUid(object: KubeObject, uid: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid } };
}

function place(object: KubeObject, namespace: string | undefined): KubeObject {
  const { namespace: _given, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } } as KubeObject;
}

export function update(call: Call): ApiResponse {
  const body = objectInBody(call);
  checkIdentity(call, body);
  refuseWrongType(call.type, body);
  return put(call, existing(call), toStored(body, call.type), actorOf(call));
}

/** Checks and stores the successor of an object, whole or only its status. */
function put(call: Call, before: KubeObject, wanted: KubeObject, actor: WriteActor): ApiResponse {
  const { type, info, services } = call;
  const placed = place(wanted, before.metadata.namespace);
  requireVersion(type, before, placed);
  const merged = withStatusOf(type, info.subresource, before, placed);
  const prepared = info.subresource === '' ? withDefaults(type, merged, services) : merged;
  refuseStale(type, before, prepared);
  validateUpdate(type, before, prepared);
  const stored = services.store.update(type.storage, prepared, { actor, dryRun: isDryRun(call), origin: call });
  return jsonResponse(200, jsonText(toServed(stored, type)));
}

/** The version is compared before the content is judged, as the apiserver does. */
function refuseStale(type: ResourceType, before: KubeObject, wanted: KubeObject): void {
  const { resourceVersion, name } = wanted.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== before.metadata.resourceVersion) {
    throw conflict(groupResource(type), name);
  }
}

function requireVersion(type: ResourceType, before: KubeObject, wanted: KubeObject): void {
  if (!type.custom && !CONDITIONAL_ONLY.has(type.storage)) return;
  if ((wanted.metadata.resourceVersion ?? '') !== '') return;
  throw invalid(type.plural, type.group, before.metadata.name, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ]);
}

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const CUSTOM_PATCH_TYPES = PATCH_TYPES.filter((type) => !type.includes('strategic'));

export function patch(call: Call): ApiResponse {
  const accepted = call.type.custom ? CUSTOM_PATCH_TYPES : PATCH_TYPES;
  const type = mediaType(call.headers);
  if (!accepted.includes(type)) throw call.type.custom ? unsupportedMediaType(accepted) : unroutableMediaType();
  if (type === 'application/apply-patch+yaml') return apply(call);
  const before = existing(call);
  const wanted = patched(toServed(before, call.type), call.body, type, call.type.kind);
  refuseWrongTypeInPatch(call.type, wanted);
  checkIdentity(call, wanted);
  refuseOtherUid(call.type, before, wanted);
  return put(call, before, toStored(wanted, call.type), actorOf(call));
}

/** A patch may not name another uid. (In a replaced object it is a precondition, and a conflict.) */
function refuseOtherUid(type: ResourceType, before: KubeObject, wanted: JsonObject): void {
  const { uid, name } = objectOf(wanted['metadata']);
  if (uid === before.metadata.uid) return;
  const message = `Invalid value: ${JSON.stringify(uid ?? '')}: field is immutable`;
  throw invalid(type.kind, type.group, String(name), [{ reason: 'FieldValueInvalid', message, field: 'metadata.uid' }]);
}

/** An object with a patch of one of the three classic kinds applied. */
export function patched(target: JsonObject, body: string, type: string, kind: string): JsonObject {
  const parsed = parsePatch(body);
  switch (type) {
    case 'application/json-patch+json':
      return objectOf(applyJsonPatch(target, parsed));
    case 'application/merge-patch+json':
      if (!isObject(parsed)) {
        throw badRequest(
          'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
        );
      }
      return objectOf(applyMergePatch(target, parsed));
    default:
      return applyStrategicMerge(target, parsed, kind);
  }
}

function parsePatch(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw badRequest(`error decoding patch: ${reasonOf(error)}`);
  }
}

function apply(call: Call): ApiResponse {
  const { type, info, services } = call;
  const manager = info.query.get('fieldManager') ?? '';
  if (manager === '') {
    throw invalid('PatchOptions', 'meta.k8s.io', '', [
      { reason: 'FieldValueRequired', message: 'Required value: is required for apply patch', field: 'fieldManager' },
    ]);
  }
  const applied = appliedObject(call);
  const actor: WriteActor = { ...actorOf(call), manager, operation: 'Apply', applied };
  const namespace = type.namespaced ? info.namespace : undefined;
  const before = services.store.get(type.storage, namespace, info.name);
  if (before === undefined && info.subresource === '') return createObject(call, applied, actor);
  const current = toServed(existing(call), type) as KubeObject;
  const wanted = applyServerSide(current, applied, manager, info.query.get('force') === 'true');
  return put(call, existing(call), toStored(wanted, type), actor);
}

function appliedObject(call: Call): JsonObject {
  let applied: unknown;
  try {
    applied = parseYaml(call.body);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(applied)) throw badRequest('error decoding YAML: the patch must be an object');
  const { kind, apiVersion } = applied;
  if (kind === undefined || apiVersion === undefined) throw badRequest(`invalid object type: /, Kind=${kind ?? ''}`);
  checkIdentity(call, applied);
  return applied;
}

/** Who is recorded as the owner of what this request changes: the named field manager, or the program's name. */
export function actorOf(call: Call): WriteActor {
  const named = call.info.query.get('fieldManager') ?? '';
  const agent = (call.headers['user-agent'] ?? 'unknown').split('/')[0]!;
  const { subresource } = call.info;
  return {
    manager: named === '' ? agent : named,
    operation: 'Update',
    ...(subresource === '' ? {} : { subresource }),
  };
}
