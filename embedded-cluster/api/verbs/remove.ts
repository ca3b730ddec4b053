import type { DeleteOptions, KubeObject } from '../../object-store.ts';
import { badRequest, invalid } from '../../store/api-error.ts';
import { isObject, type JsonObject, numberOf, objectOf, textOf } from '../../store/json-value.ts';
import { apiVersionOf } from '../kinds/resource-type.ts';
import { toServed } from '../kinds/versions.ts';
import { type ApiResponse, type Call, jsonResponse } from '../request/call.ts';
import { itemText, jsonText } from '../request/json-text.ts';
import { isDryRun, mediaType } from '../request/request-body.ts';
import { existing, selectedObjects } from './list.ts';

type Options = DeleteOptions & { readonly dryRun?: boolean };

/** Resources whose deletion answers with the object rather than with a Status. */
const ANSWERS_OBJECT = new Set(['pods', 'services', 'serviceaccounts', 'persistentvolumeclaims', 'persistentvolumes']);

export function remove(call: Call): ApiResponse {
  const { type, services } = call;
  const before = existing(call);
  const options = deleteOptions(call);
  const { namespace, name } = before.metadata;
  const { object, gone } = services.store.remove(type.storage, namespace, name, { ...options, origin: call });
  if (!gone || ANSWERS_OBJECT.has(type.storage)) return jsonResponse(200, jsonText(toServed(object, type)));
  return jsonResponse(200, successText(call, object));
}

function successText(call: Call, object: KubeObject): string {
  const { group, plural } = call.type;
  const details = {
    name: object.metadata.name,
    ...(group === '' ? {} : { group }),
    kind: plural,
    uid: object.metadata.uid,
  };
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}

export function removeCollection(call: Call): ApiResponse {
  const { type, services } = call;
  const options = { ...deleteOptions(call), origin: call };
  const objects = selectedObjects(call);
  for (const { metadata } of objects) services.store.remove(type.storage, metadata.namespace, metadata.name, options);
  const items = objects.map((object) => (type.custom ? jsonText : itemText)(toServed(object, type))).join(',');
  const apiVersion = apiVersionOf(type.group, type.version);
  const metadata = JSON.stringify({ resourceVersion: String(services.store.version) });
  return jsonResponse(
    200,
    `{"kind":"${type.kind}List","apiVersion":"${apiVersion}","metadata":${metadata},"items":[${items}]}`,
  );
}

/** From the body, or, without one, from the query. */
function deleteOptions(call: Call): Options {
  const body = call.body === '' ? {} : parseOptions(call);
  const { query } = call.info;
  const grace = numberOf(body['gracePeriodSeconds']) ?? optionalNumber(query.get('gracePeriodSeconds'));
  const policy = policyOf(textOf(body['propagationPolicy']) ?? query.get('propagationPolicy') ?? undefined, body);
  const preconditions = objectOf(body['preconditions']);
  const uid = textOf(preconditions['uid']);
  const resourceVersion = textOf(preconditions['resourceVersion']);
  const dryRun = isDryRun(call) || (Array.isArray(body['dryRun']) && body['dryRun'].includes('All'));
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    preconditions: {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    ...(dryRun ? { dryRun } : {}),
  };
}

function parseOptions(call: Call): JsonObject {
  if (mediaType(call.headers) === 'application/vnd.kubernetes.protobuf') return {};
  try {
    const parsed: unknown = JSON.parse(call.body);
    if (isObject(parsed)) return parsed;
  } catch {
    // Told below: it is not an object either way.
  }
  throw badRequest('the delete options in the body are not a JSON object');
}

function policyOf(policy: string | undefined, body: JsonObject): DeleteOptions['propagationPolicy'] {
  if (policy === undefined) return body['orphanDependents'] === true ? 'Orphan' : undefined;
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy;
  throw invalid('DeleteOptions', 'meta.k8s.io', '', [
    {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${policy}": supported values: "Foreground", "Background", "Orphan", "nil"`,
      field: 'propagationPolicy',
    },
  ]);
}

function optionalNumber(text: string | null): number | undefined {
  return text === null || text === '' ? undefined : Number(text);
}
