import { apiVersionOf, type ResourceType } from '../api/kinds/resource-type.ts';
import type { Document } from './discovery.ts';
import { VERSION } from './version.ts';

/** What kubectl looks for before it leaves validation and dry runs to the server. */
const PATCH_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}));

const OPENAPI_V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/**
 * The OpenAPI documents, without schemas: enough for kubectl to see that the server validates fields and runs dry,
 * after which it needs no schema of its own.
 */
export function openApi(path: string, accept: string, types: readonly ResourceType[]): Document | undefined {
  if (path === '/openapi/v2') return v2(accept);
  if (path === '/openapi/v3' || path === '/openapi/v3/') return json(v3Index(types));
  if (!path.startsWith('/openapi/v3/')) return undefined;
  const found = types.filter((type) => rootOf(type) === path.slice('/openapi/v3/'.length));
  return found.length === 0 ? undefined : json(v3Document(found));
}

function json(body: unknown): Document {
  return { contentType: 'application/json', body };
}

function rootOf(type: ResourceType): string {
  return type.group === '' ? `api/${type.version}` : `apis/${type.group}/${type.version}`;
}

function v3Index(types: readonly ResourceType[]): object {
  const roots = [...new Set(types.map(rootOf))];
  return { paths: Object.fromEntries(roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}` }])) };
}

function v3Document(types: readonly ResourceType[]): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: VERSION },
    paths: Object.fromEntries(types.map((type) => [objectPath(type), { patch: patchOperation(type) }])),
    components: { schemas: Object.fromEntries(types.map((type) => [schemaName(type), schema(type)])) },
  };
}

function objectPath(type: ResourceType): string {
  const scope = type.namespaced ? 'namespaces/{namespace}/' : '';
  return `/${rootOf(type)}/${scope}${type.plural}/{name}`;
}

function patchOperation(type: ResourceType): object {
  return {
    parameters: PATCH_PARAMETERS,
    responses: { 200: { description: 'OK' } },
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': kindOf(type),
  };
}

function kindOf(type: ResourceType): object {
  return { group: type.group, version: type.version, kind: type.kind };
}

function schemaName(type: ResourceType): string {
  return `${apiVersionOf(type.group, type.version).replaceAll('/', '.')}.${type.kind}`;
}

function schema(type: ResourceType): object {
  return {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-group-version-kind': [kindOf(type)],
  };
}

/** Older kubectls want the second version of the document, encoded: its version and its title, and nothing else. */
function v2(accept: string): Document {
  const info = { title: 'Kubernetes', version: VERSION };
  if (!accept.includes('protobuf')) return json({ swagger: '2.0', info, paths: {}, definitions: {} });
  const encodedInfo = `${field(1, info.title)}${field(2, info.version)}`;
  return { contentType: OPENAPI_V2_PROTOBUF, body: `${field(1, '2.0')}${field(2, encodedInfo)}` };
}

/** A length-delimited protobuf field; everything here is short ASCII, so that each length is one byte. */
function field(number: number, text: string): string {
  return `${String.fromCharCode((number << 3) | 2)}${String.fromCharCode(text.length)}${text}`;
}
