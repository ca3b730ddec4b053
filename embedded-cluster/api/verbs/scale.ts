import type { KubeObject } from '../../object-store.ts';
import { badRequest, conflict, invalid } from '../../store/api-error.ts';
import { type JsonObject, numberOf, objectOf, textOf, valueAt, withValueAt } from '../../store/json-value.ts';
import { groupResource, type ScalePaths } from '../kinds/resource-type.ts';
import { type ApiResponse, type Call, jsonResponse } from '../request/call.ts';
import { checkIdentity, isDryRun, mediaType, objectInBody } from '../request/request-body.ts';
import { selectorText } from './label-selector.ts';
import { existing } from './list.ts';
import { actorOf, patched } from './write.ts';

const SCALE_VERSION = 'autoscaling/v1';
const BUILTIN_PATHS: ScalePaths = { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] };

/** The scale subresource: the replica count of a workload and nothing else. */
export function scale(call: Call): ApiResponse {
  const object = existing(call);
  const current = scaleOf(call, object);
  switch (call.info.verb) {
    case 'get':
      return jsonResponse(200, JSON.stringify(current));
    case 'update': {
      const wanted = objectInBody(call, 'Scale', SCALE_VERSION);
      checkIdentity(call, wanted);
      return store(call, object, wanted);
    }
    default:
      return store(call, object, patched(current, call.body, mediaType(call.headers), 'Scale'));
  }
}

function pathsOf(call: Call): ScalePaths {
  return call.type.scale ?? BUILTIN_PATHS;
}

function scaleOf(call: Call, object: KubeObject): JsonObject {
  const paths = pathsOf(call);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = call.type.custom
    ? textOf(valueAt(object, ...(paths.labelSelector ?? [''])))
    : selectorText(valueAt(object, 'spec', 'selector'));
  return {
    kind: 'Scale',
    apiVersion: SCALE_VERSION,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // A count of 0 is left out, as the apiserver does.
    spec: numberOf(valueAt(object, ...paths.specReplicas)) ? { replicas: valueAt(object, ...paths.specReplicas) } : {},
    status: {
      replicas: numberOf(valueAt(object, ...paths.statusReplicas)) ?? 0,
      ...(selector === undefined || selector === '' ? {} : { selector }),
    },
  };
}

function store(call: Call, object: KubeObject, wanted: JsonObject): ApiResponse {
  const { type, services } = call;
  const { name } = object.metadata;
  refuseStale(call, object, wanted);
  const replicas = valueAt(wanted, 'spec', 'replicas') ?? 0;
  if (typeof replicas !== 'number') {
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas < 0) {
    throw invalid('Scale', 'autoscaling', name, [
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
        field: 'spec.replicas',
      },
    ]);
  }
  const next = withValueAt(object, pathsOf(call).specReplicas, replicas) as KubeObject;
  const options = { actor: actorOf(call), dryRun: isDryRun(call), origin: call };
  const stored = services.store.update(type.storage, next, options);
  return jsonResponse(200, JSON.stringify(scaleOf(call, stored)));
}

function refuseStale(call: Call, object: KubeObject, wanted: JsonObject): void {
  const { resourceVersion, uid } = objectOf(wanted['metadata']);
  const { metadata } = object;
  if (textOf(uid) !== undefined && uid !== '' && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw conflict(groupResource(call.type), metadata.name, why);
  }
  if (textOf(resourceVersion) === undefined || resourceVersion === '') return;
  if (resourceVersion !== metadata.resourceVersion) throw conflict(groupResource(call.type), metadata.name);
}
