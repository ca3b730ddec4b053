import { tableList, tableOf, wantsTable } from '../../kubectl/table.ts';
import type { KubeObject } from '../../object-store.ts';
import { ApiError, badRequest, expired, invalid, notFound } from '../../store/api-error.ts';
import { keyOf } from '../../store/history.ts';
import { apiVersionOf, type ResourceType } from '../kinds/resource-type.ts';
import { toServed } from '../kinds/versions.ts';
import { type ApiResponse, type Call, jsonResponse } from '../request/call.ts';
import { itemText, jsonText } from '../request/json-text.ts';
import { decodeContinue, encodeContinue, INCONSISTENT } from './continue-token.ts';
import { parseFieldSelector, selectedName } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';
import { listMetadata, type Page } from './list-page.ts';

export function get(call: Call): ApiResponse {
  const object = existing(call);
  if (wantsTable(call.headers)) return jsonResponse(200, tableOf(call, [object]));
  return jsonResponse(200, jsonText(toServed(object, call.type)));
}

/** The object a request names, or the apiserver's 404. */
export function existing(call: Call): KubeObject {
  const { type, info, services } = call;
  const object = services.store.get(type.storage, type.namespaced ? info.namespace : undefined, info.name);
  if (object === undefined) throw notFound(groupResourceOf(type), info.name);
  return object;
}

function groupResourceOf(type: ResourceType): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

export function list(call: Call): ApiResponse {
  const page = readPage(call);
  if (wantsTable(call.headers)) return jsonResponse(200, tableList(call, page));
  return jsonResponse(200, listText(call.type, page));
}

function listText(type: ResourceType, page: Page): string {
  const write = type.custom ? jsonText : itemText;
  const items = page.objects.map((object) => write(toServed(object, type))).join(',');
  const apiVersion = apiVersionOf(type.group, type.version);
  return `{"kind":"${type.kind}List","apiVersion":"${apiVersion}","metadata":${listMetadata(page, type.custom)},"items":[${items}]}`;
}

function readPage(call: Call): Page {
  const { query } = call.info;
  const limit = wholeNumber(query.get('limit'), 'limit');
  const token = query.get('continue');
  const start = token === null || token === '' ? undefined : decodeContinue(token);
  checkOptions(query, start !== undefined);
  const { objects, version } = snapshot(call, start?.version);
  const selected = select(call, objects);
  const rest = start === undefined ? selected : selected.filter((object) => keyOf(object) > start.after);
  if (limit === 0 || rest.length <= limit) return { objects: rest, version };
  const page = rest.slice(0, limit);
  const continueToken = encodeContinue({ version, after: keyOf(page[page.length - 1]!) });
  // With a selector the apiserver does not know how many of the rest would match.
  const filtered = isSet(query, 'labelSelector') || isSet(query, 'fieldSelector');
  return { objects: page, version, continueToken, ...(filtered ? {} : { remaining: rest.length - limit }) };
}

function checkOptions(query: URLSearchParams, continues: boolean): void {
  const resourceVersion = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  if (continues && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (match === '') return;
  if (resourceVersion === '') throw forbiddenMatch('is forbidden unless resourceVersion is provided');
  if (continues) throw forbiddenMatch('is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const message = `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan", ""`;
    throw listOptionsInvalid('FieldValueNotSupported', message);
  }
  if (match === 'Exact' && resourceVersion === '0') {
    throw forbiddenMatch('"exact" is forbidden for resourceVersion "0"');
  }
}

function forbiddenMatch(why: string): ApiError {
  return listOptionsInvalid('FieldValueForbidden', `Forbidden: resourceVersionMatch ${why}`);
}

function listOptionsInvalid(reason: string, message: string): ApiError {
  return invalid('ListOptions', 'meta.k8s.io', '', [{ reason, message, field: 'resourceVersionMatch' }]);
}

/** The objects as of the version that the request (or its continue token) asks for. */
function snapshot(call: Call, continued: number | undefined): { objects: readonly KubeObject[]; version: number } {
  const { store } = call.services;
  const { storage } = call.type;
  const namespace = call.type.namespaced ? call.info.namespace : undefined;
  const wanted = continued ?? exactVersion(call);
  if (wanted === undefined || wanted === INCONSISTENT) {
    return { objects: store.list(storage, namespace), version: store.version };
  }
  const objects = store.listAt(storage, namespace, wanted);
  if (objects !== undefined) return { objects, version: wanted };
  if (continued === undefined) throw expired('The resourceVersion for the provided list is too old.');
  throw tooOldToContinue(call);
}

/** The version that must be served exactly; undefined when the newest will do. */
function exactVersion(call: Call): number | undefined {
  const { query } = call.info;
  const version = wholeNumber(query.get('resourceVersion'), 'resourceVersion');
  if (version === 0) return undefined;
  const current = call.services.store.version;
  if (version > current) throw tooLarge(version, current);
  const match = query.get('resourceVersionMatch') ?? '';
  const exact = match === 'Exact' || (match === '' && wholeNumber(query.get('limit'), 'limit') > 0);
  return exact ? version : undefined;
}

function tooLarge(version: number, current: number): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${version}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

const TOO_OLD_TO_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

function tooOldToContinue(call: Call): ApiError {
  const { after } = decodeContinue(call.info.query.get('continue') ?? '');
  return expired(TOO_OLD_TO_CONTINUE, encodeContinue({ version: INCONSISTENT, after }));
}

function select(call: Call, objects: readonly KubeObject[]): readonly KubeObject[] {
  const { query } = call.info;
  const labels = parseLabelSelector(query.get('labelSelector'));
  const fields = parseFieldSelector(query.get('fieldSelector'), call.type);
  if (labels === undefined && fields === undefined) return objects;
  const name = selectedName(query.get('fieldSelector'));
  return objects.filter(
    (object) =>
      (name === undefined || object.metadata.name === name) &&
      (labels === undefined || labels(object.metadata.labels)) &&
      (fields === undefined || fields(object)),
  );
}

/** Every object that the request's namespace and selectors leave, for deletecollection. */
export function selectedObjects(call: Call): readonly KubeObject[] {
  return readPage(call).objects;
}

function isSet(query: URLSearchParams, option: string): boolean {
  return (query.get(option) ?? '') !== '';
}

function wholeNumber(text: string | null, option: string): number {
  if (text === null || text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  if (option === 'limit') throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
  );
}
