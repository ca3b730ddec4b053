import type { KubeObject } from '../../object-store.ts';
import { ApiError } from '../../store/api-error.ts';
import { valueAt } from '../../store/json-value.ts';
import type { ResourceType } from '../kinds/resource-type.ts';

export type FieldMatcher = ((object: KubeObject) => boolean) | undefined;

/** What each built-in resource can be selected by, besides its name and namespace. */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  namespaces: ['status.phase'],
  nodes: ['spec.unschedulable'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  'jobs.batch': ['status.successful'],
};

interface Term {
  readonly path: readonly string[];
  readonly value: string;
  readonly negated: boolean;
}

export function parseFieldSelector(text: string | null, type: ResourceType): FieldMatcher {
  if (text === null || text.trim() === '') return undefined;
  const terms = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => parseTerm(part, text, type));
  return (object) => terms.every((term) => (fieldText(object, term.path) === term.value) !== term.negated);
}

/** The one name that a selector leaves, which a watch or list can go straight to. */
export function selectedName(text: string | null): string | undefined {
  return text === null ? undefined : /(?:^|,)metadata\.name==?([^,]+)(?:,|$)/.exec(text)?.[1];
}

function parseTerm(part: string, whole: string, type: ResourceType): Term {
  const match = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*)$/.exec(part);
  if (match === null) throw invalidSelector(`invalid selector: '${whole}'; can't understand '${part}'`);
  const [, label, operator, value] = match;
  if (!isSelectable(label!, type)) {
    throw invalidSelector(unsupportedMessage(label!, type));
  }
  const path = label === 'source' ? ['source', 'component'] : label!.split('.');
  return { path, value: value!.replaceAll(/\\([,=\\])/g, '$1'), negated: operator === '!=' };
}

function isSelectable(label: string, type: ResourceType): boolean {
  if (label === 'metadata.name') return true;
  if (label === 'metadata.namespace') return type.namespaced || !type.custom;
  return SELECTABLE[type.storage]?.includes(label) ?? false;
}

function unsupportedMessage(label: string, type: ResourceType): string {
  if (type.storage === 'jobs.batch') return `field label "${label}" not supported for Job`;
  return SELECTABLE[type.storage] !== undefined || type.custom
    ? `field label not supported: ${label}`
    : `"${label}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function invalidSelector(why: string): ApiError {
  return new ApiError(400, 'BadRequest', why);
}

function fieldText(object: KubeObject, path: readonly string[]): string {
  const value = valueAt(object, ...path);
  if (value === undefined || value === null) return isFlag(path) ? 'false' : '';
  return String(value);
}

function isFlag(path: readonly string[]): boolean {
  const last = path.at(-1);
  return last === 'unschedulable' || last === 'hostNetwork';
}
