import type { KubeObject } from '../../object-store.ts';
import { ApiError, conflict } from '../../store/api-error.ts';
import { timestamp } from '../../store/identifiers.ts';
import { arrayOf, isObject, type JsonObject, numberOf, objectOf, textOf, valueAt } from '../../store/json-value.ts';
import { serviceAccountIdentity } from '../access/bearer-tokens.ts';
import { blockingBudget } from '../kinds/disruption-budget.ts';
import { type ApiResponse, type Call, jsonResponse, textResponse } from '../request/call.ts';
import { isDryRun, objectInBody } from '../request/request-body.ts';
import { existing } from './list.ts';
import { actorOf } from './write.ts';

const SUCCESS = JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
const DEFAULT_TOKEN_SECONDS = 3600;
const MIN_TOKEN_SECONDS = 600;
const LOG_ANNOTATION = 'embedded.svc.io/log';

/** Deletes the pod unless a disruption budget says no. */
export function evict(call: Call): ApiResponse {
  const pod = existing(call);
  const eviction = objectInBody(call, 'Eviction', 'policy/v1');
  const budget = blockingBudget(call.services.store, pod);
  if (budget !== undefined) throw budget;
  const options = objectOf(eviction['deleteOptions']);
  const grace = numberOf(options['gracePeriodSeconds']);
  const { name, namespace } = pod.metadata;
  call.services.store.remove('pods', namespace, name, {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    dryRun: isDryRun(call),
    origin: call,
  });
  return jsonResponse(201, SUCCESS);
}

/** What a scheduler posts: the pod goes to a node, once. */
export function bind(call: Call): ApiResponse {
  const pod = existing(call);
  const node = textOf(valueAt(objectInBody(call, 'Binding', 'v1'), 'target', 'name')) ?? '';
  const assigned = textOf(valueAt(pod, 'spec', 'nodeName')) ?? '';
  if (assigned !== '')
    throw conflict(
      'pods/binding',
      pod.metadata.name,
      `pod ${pod.metadata.name} is already assigned to node "${assigned}"`,
    );
  const condition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(call.services.clock.now()),
  };
  const bound = {
    ...pod,
    spec: { ...objectOf(pod['spec']), nodeName: node },
    status: withCondition(objectOf(pod['status']), condition),
  };
  call.services.store.update('pods', bound, { actor: actorOf(call), dryRun: isDryRun(call), origin: call });
  return jsonResponse(201, SUCCESS);
}

function withCondition(status: JsonObject, condition: { readonly type: string }): JsonObject {
  const others = arrayOf(status['conditions']).filter((item) => valueAt(item, 'type') !== condition.type);
  return { ...status, conditions: [...others, condition] };
}

/** Nothing runs in the embedded cluster, so a log is what an annotation says, or what became of the container. */
export function podLog(call: Call): ApiResponse {
  const pod = existing(call);
  const containers = arrayOf(valueAt(pod, 'spec', 'containers')).filter(isObject);
  const wanted = call.info.query.get('container') ?? textOf(containers[0]?.['name']) ?? '';
  if (!containers.some((container) => container['name'] === wanted)) {
    throw new ApiError(400, 'BadRequest', `container ${wanted} is not valid for pod ${pod.metadata.name}`);
  }
  if (valueAt(pod, 'spec', 'nodeName') === undefined) return textResponse(204, '');
  const status = arrayOf(valueAt(pod, 'status', 'containerStatuses')).find((item) => valueAt(item, 'name') === wanted);
  const waiting = textOf(valueAt(status, 'state', 'waiting', 'reason'));
  if (status === undefined || waiting !== undefined) {
    const why = waiting ?? 'ContainerCreating';
    throw new ApiError(
      400,
      'BadRequest',
      `container "${wanted}" in pod "${pod.metadata.name}" is waiting to start: ${why}`,
    );
  }
  return textResponse(200, logText(pod, wanted));
}

function logText(pod: KubeObject, container: string): string {
  return pod.metadata.annotations?.[LOG_ANNOTATION] ?? `${container} of ${pod.metadata.name} is running\n`;
}

/** A token for the service account that the HTTP server accepts until it expires. */
export function issueToken(call: Call): ApiResponse {
  const account = existing(call);
  const request = objectInBody(call, 'TokenRequest', 'authentication.k8s.io/v1');
  const spec = objectOf(request['spec']);
  const seconds = numberOf(spec['expirationSeconds']) ?? DEFAULT_TOKEN_SECONDS;
  const { name, namespace, uid } = account.metadata;
  if (seconds < MIN_TOKEN_SECONDS) {
    const message = `may not specify a duration less than 10 minutes`;
    throw new ApiError(
      422,
      'Invalid',
      `TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: ${seconds}: ${message}`,
      {
        group: 'authentication.k8s.io',
        kind: 'TokenRequest',
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: `Invalid value: ${seconds}: ${message}`,
            field: 'spec.expirationSeconds',
          },
        ],
      },
    );
  }
  const { token, expiresAt } = call.services.tokens.issue(serviceAccountIdentity(namespace ?? '', name, uid), seconds);
  const answer = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: timestamp(call.services.clock.now()) },
    spec: {
      audiences: spec['audiences'] ?? ['https://kubernetes.default.svc.cluster.local'],
      expirationSeconds: seconds,
      boundObjectRef: spec['boundObjectRef'] ?? null,
    },
    status: { token, expirationTimestamp: timestamp(expiresAt) },
  };
  return jsonResponse(201, JSON.stringify(answer));
}

/** A namespace's own finalizers, which only this subresource changes. */
export function finalizeNamespace(call: Call): ApiResponse {
  const namespace = existing(call);
  const body = objectInBody(call);
  const finalizers = arrayOf(valueAt(body, 'spec', 'finalizers'));
  const next = { ...namespace, spec: { ...objectOf(namespace['spec']), finalizers } };
  const stored = call.services.store.update('namespaces', next, { actor: actorOf(call), origin: call });
  return jsonResponse(200, JSON.stringify(stored));
}
