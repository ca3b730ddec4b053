import { arrayOf, isObject, type JsonObject, objectOf } from '../../store/json-value.ts';

/** Given values win over defaults; nothing is copied when there is nothing to add. */
export function fill(object: JsonObject, defaults: JsonObject): JsonObject {
  let result: Record<string, unknown> | undefined;
  for (const field in defaults) {
    if (object[field] !== undefined || defaults[field] === undefined) continue;
    result ??= { ...object };
    result[field] = defaults[field];
  }
  return result ?? object;
}

const POD_SPEC = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};

const CONTAINER = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

export function defaultedPodSpec(spec: JsonObject): JsonObject {
  let result = withoutEmptyNodeSelector(fill(spec, POD_SPEC));
  for (const field of ['containers', 'initContainers']) {
    if (Array.isArray(spec[field])) result = withList(result, field, defaultedContainer);
  }
  if (Array.isArray(spec['volumes'])) result = withList(result, 'volumes', defaultedVolume);
  return result;
}

/** A typed map that is empty is not written, so the server forgets it. */
function withoutEmptyNodeSelector(spec: JsonObject): JsonObject {
  const { nodeSelector, ...rest } = spec;
  return isObject(nodeSelector) && Object.keys(nodeSelector).length === 0 ? rest : spec;
}

/** A pod template's spec, inside a workload's. */
export function defaultedTemplate(template: unknown): JsonObject {
  const given = fill(objectOf(template), { metadata: {} });
  const spec = objectOf(given['spec']);
  const defaulted = defaultedPodSpec(spec);
  return defaulted === spec ? given : { ...given, spec: defaulted };
}

/** The list with each element defaulted; the same object when no element gained anything. */
function withList(object: JsonObject, field: string, complete: (item: JsonObject) => JsonObject): JsonObject {
  const before = arrayOf(object[field]);
  const after = before.map((item) => (isObject(item) ? complete(item) : item));
  return after.every((item, index) => item === before[index]) ? object : { ...object, [field]: after };
}

function defaultedContainer(container: JsonObject): JsonObject {
  let result = fill(container, { ...CONTAINER, imagePullPolicy: pullPolicy(container['image']) });
  for (const probe of PROBES) {
    const given = result[probe];
    if (!isObject(given)) continue;
    const complete = defaultedProbe(given);
    if (complete !== given) result = { ...result, [probe]: complete };
  }
  return Array.isArray(container['ports'])
    ? withList(result, 'ports', (port) => fill(port, { protocol: 'TCP' }))
    : result;
}

function defaultedProbe(probe: JsonObject): JsonObject {
  const result = fill(probe, PROBE);
  const http = result['httpGet'];
  if (!isObject(http)) return result;
  const complete = fill(http, { path: '/', scheme: 'HTTP' });
  return complete === http ? result : { ...result, httpGet: complete };
}

/** `latest`, said or unsaid, is pulled every time. */
function pullPolicy(image: unknown): string | undefined {
  if (typeof image !== 'string') return undefined;
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const FILE_MODE = 420;

function defaultedVolume(volume: JsonObject): JsonObject {
  for (const source of ['configMap', 'secret', 'projected', 'downwardAPI']) {
    const given = volume[source];
    if (!isObject(given) || given['defaultMode'] !== undefined) continue;
    return { ...volume, [source]: { ...given, defaultMode: FILE_MODE } };
  }
  return volume;
}
