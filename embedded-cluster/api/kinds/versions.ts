import type { KubeObject } from '../../object-store.ts';
import { type JsonObject, objectOf } from '../../store/json-value.ts';
import { servedAutoscaler, storedAutoscaler } from './autoscaler-versions.ts';
import { servedEvent, storedEvent } from './event-versions.ts';
import { apiVersionOf, type ResourceType } from './resource-type.ts';

const served = new WeakMap<KubeObject, Map<string, KubeObject>>();

/** The stored object as this version of the API shows it. The usual case is the object itself. */
export function toServed(object: KubeObject, type: ResourceType): KubeObject {
  const apiVersion = apiVersionOf(type.group, type.version);
  if (object.apiVersion === apiVersion) return object;
  let versions = served.get(object);
  if (versions === undefined) {
    versions = new Map();
    served.set(object, versions);
  }
  let converted = versions.get(apiVersion);
  if (converted === undefined) {
    converted = { ...(convert(object, type, 'served') as KubeObject), kind: type.kind, apiVersion };
    versions.set(apiVersion, converted);
  }
  return converted;
}

/** What a caller of this version sent, as it is stored; kind and apiVersion first. */
export function toStored(object: JsonObject, type: ResourceType): KubeObject {
  const converted =
    apiVersionOf(type.group, type.version) === type.storedApiVersion ? object : convert(object, type, 'stored');
  const { kind: _k, apiVersion: _a, metadata, ...rest } = converted;
  return { kind: type.kind, apiVersion: type.storedApiVersion, metadata: objectOf(metadata), ...rest } as KubeObject;
}

function convert(object: JsonObject, type: ResourceType, direction: 'served' | 'stored'): JsonObject {
  if (type.group === 'events.k8s.io') return direction === 'served' ? servedEvent(object) : storedEvent(object);
  if (type.storage === 'horizontalpodautoscalers.autoscaling') {
    return direction === 'served' ? servedAutoscaler(object) : storedAutoscaler(object);
  }
  return object;
}
