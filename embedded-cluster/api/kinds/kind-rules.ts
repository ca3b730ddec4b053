import { utf8Bytes } from '../../kubectl/utf8-bytes.ts';
import type { KubeObject } from '../../object-store.ts';
import type { StatusCause } from '../../store/api-error.ts';
import { arrayOf, isObject, type JsonObject, objectOf, sameJson, textOf, valueAt } from '../../store/json-value.ts';

type Rule = (object: KubeObject) => readonly StatusCause[];
type UpdateRule = (before: KubeObject, after: KubeObject) => readonly StatusCause[];

const MAX_DATA_BYTES = 1_048_576;
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const CHANGEABLE_IN_STATEFULSET = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

function required(field: string, detail = ''): StatusCause {
  const message = detail === '' ? 'Required value' : `Required value: ${detail}`;
  return { reason: 'FieldValueRequired', message, field };
}

function invalidValue(field: string, value: unknown, detail: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${detail}`, field };
}

function nonNegative(object: KubeObject, ...path: readonly string[]): readonly StatusCause[] {
  const value = valueAt(object, ...path);
  if (typeof value !== 'number' || value >= 0) return [];
  return [invalidValue(path.join('.'), value, 'must be greater than or equal to 0')];
}

function containersPresent(spec: unknown, path: string): readonly StatusCause[] {
  const containers = arrayOf(valueAt(spec, 'containers'));
  if (containers.length === 0) return [required(`${path}.containers`)];
  return containers.flatMap((container, index) => {
    const at = `${path}.containers[${index}]`;
    return ['name', 'image']
      .filter((field) => !textOf(valueAt(container, field)))
      .map((field) => required(`${at}.${field}`));
  });
}

/** A workload's selector must be there and select its own pods. */
function selectorMatchesTemplate(object: KubeObject): readonly StatusCause[] {
  const selector = valueAt(object, 'spec', 'selector');
  const labels = objectOf(valueAt(object, 'spec', 'template', 'metadata', 'labels'));
  const mismatch = invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
  if (!isObject(selector)) return [required('spec.selector'), mismatch];
  const wanted = Object.entries(objectOf(selector['matchLabels']));
  if (wanted.length === 0 && arrayOf(selector['matchExpressions']).length === 0) {
    return [invalidValue('spec.selector', selector, 'empty selector is invalid for deployment')];
  }
  if (wanted.every(([key, value]) => labels[key] === value)) return [];
  return [mismatch];
}

function workload(object: KubeObject): readonly StatusCause[] {
  return [
    ...nonNegative(object, 'spec', 'replicas'),
    ...selectorMatchesTemplate(object),
    ...containersPresent(valueAt(object, 'spec', 'template', 'spec'), 'spec.template.spec'),
  ];
}

function configMap(object: KubeObject): readonly StatusCause[] {
  const data = objectOf(object['data']);
  const binary = objectOf(object['binaryData']);
  const keys = [...Object.keys(data), ...Object.keys(binary)].filter((key) => !CONFIG_KEY.test(key)).map(badKey);
  const texts = Object.values(data).reduce<number>((sum, value) => sum + utf8Bytes(String(value)), 0);
  return texts + decodedBytes(binary) > MAX_DATA_BYTES ? [...keys, tooLong('[]')] : keys;
}

function badKey(key: string): StatusCause {
  const why =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  return invalidValue(`data[${key}]`, key, why);
}

function tooLong(field: string): StatusCause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${MAX_DATA_BYTES} bytes`, field };
}

function decodedBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>(
    (sum, value) => sum + Math.floor((String(value).replace(/=+$/, '').length * 3) / 4),
    0,
  );
}

function secret(object: KubeObject): readonly StatusCause[] {
  return decodedBytes(objectOf(object['data'])) > MAX_DATA_BYTES ? [tooLong('data')] : [];
}

/** An event lives in the namespace of what it is about; about something without a namespace, in `default`. */
function event(object: KubeObject): readonly StatusCause[] {
  const namespace = object.metadata.namespace ?? '';
  const about = textOf(valueAt(object, 'involvedObject', 'namespace')) ?? '';
  const isNew = textOf(object['eventTime']) !== undefined;
  const mismatch = () => [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
  if (!isNew) return (about === '' ? namespace === 'default' : namespace === about) ? [] : mismatch();
  if (about === '' && namespace !== 'default' && namespace !== 'kube-system') return mismatch();
  return ['reportingComponent', 'reportingInstance', 'action', 'reason']
    .filter((field) => !textOf(object[field]))
    .map((field) => required(field));
}

function cronJob(object: KubeObject): readonly StatusCause[] {
  const schedule = textOf(valueAt(object, 'spec', 'schedule')) ?? '';
  const template = valueAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec');
  const path = 'spec.jobTemplate.spec.template.spec';
  const causes = schedule === '' ? [required('spec.schedule')] : [];
  return [...causes, ...containersPresent(template, path), ...jobRestartPolicy(template, path)];
}

function jobRestartPolicy(podSpec: unknown, path: string): readonly StatusCause[] {
  const policy = valueAt(podSpec, 'restartPolicy');
  if (policy === 'OnFailure' || policy === 'Never') return [];
  return [required(`${path}.restartPolicy`, 'valid values: "OnFailure", "Never"')];
}

function job(object: KubeObject): readonly StatusCause[] {
  const template = valueAt(object, 'spec', 'template', 'spec');
  return [...containersPresent(template, 'spec.template.spec'), ...jobRestartPolicy(template, 'spec.template.spec')];
}

/** Several ports need names to be told apart. */
function service(object: KubeObject): readonly StatusCause[] {
  const ports = arrayOf(valueAt(object, 'spec', 'ports'));
  if (ports.length < 2) return [];
  return ports.flatMap((port, index) => (textOf(valueAt(port, 'name')) ? [] : [required(`spec.ports[${index}].name`)]));
}

function autoscaler(object: KubeObject): readonly StatusCause[] {
  const max = valueAt(object, 'spec', 'maxReplicas');
  const min = valueAt(object, 'spec', 'minReplicas');
  if (typeof max !== 'number' || max < 1) return [invalidValue('spec.maxReplicas', max ?? 0, 'must be greater than 0')];
  if (typeof min !== 'number' || min <= max) return [];
  return [invalidValue('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')];
}

export const KIND_RULES: Readonly<Record<string, Rule>> = {
  pods: (object) => containersPresent(object['spec'], 'spec'),
  configmaps: configMap,
  secrets: secret,
  events: event,
  services: service,
  'deployments.apps': workload,
  'replicasets.apps': workload,
  'statefulsets.apps': workload,
  'jobs.batch': job,
  'cronjobs.batch': cronJob,
  'horizontalpodautoscalers.autoscaling': autoscaler,
};

function immutable(...path: readonly string[]): UpdateRule {
  return (before, after) => {
    const value = valueAt(after, ...path);
    return sameJson(valueAt(before, ...path), value) ? [] : [invalidValue(path.join('.'), value, 'field is immutable')];
  };
}

function statefulSet(before: KubeObject, after: KubeObject): readonly StatusCause[] {
  const old = objectOf(before['spec']);
  const spec = objectOf(after['spec']);
  const fields = new Set([...Object.keys(old), ...Object.keys(spec)]);
  const changed = [...fields].some(
    (field) => !CHANGEABLE_IN_STATEFULSET.has(field) && !sameJson(old[field], spec[field]),
  );
  if (!changed) return [];
  const message =
    "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [{ reason: 'FieldValueForbidden', message, field: 'spec' }];
}

/** Data that its owner has declared unchangeable. */
function sealed(before: KubeObject, after: KubeObject): readonly StatusCause[] {
  if (before['immutable'] !== true || sameJson(before['data'], after['data'])) return [];
  return [
    { reason: 'FieldValueForbidden', message: 'Forbidden: field is immutable when `immutable` is set', field: 'data' },
  ];
}

export const UPDATE_RULES: Readonly<Record<string, UpdateRule>> = {
  configmaps: sealed,
  secrets: (before, after) => [...sealed(before, after), ...immutable('type')(before, after)],
  'deployments.apps': immutable('spec', 'selector'),
  'replicasets.apps': immutable('spec', 'selector'),
  'statefulsets.apps': statefulSet,
};
