import { apiVersionOf, type ResourceType, SUBRESOURCES } from '../api/kinds/resource-type.ts';
import type { Verb } from '../api/request/request-info.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export interface Document {
  readonly contentType: string;
  readonly body: unknown;
}

/** `/api`, `/apis` and what lies below them: which resources there are. Undefined when the path is none of these. */
export function discovery(path: string, accept: string, types: readonly ResourceType[]): Document | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const [root, first, second] = parts;
  if (root === 'api' && parts.length <= 2)
    return first === undefined ? coreRoot(accept, types) : resourceList('', first, types);
  if (root !== 'apis') return undefined;
  if (first === undefined) return groupsRoot(accept, types);
  if (second === undefined) return plain(groupOf(first, types));
  return parts.length === 3 ? resourceList(first, second, types) : undefined;
}

function coreRoot(accept: string, types: readonly ResourceType[]): Document | undefined {
  if (wantsAggregated(accept)) return aggregated(types.filter((type) => type.group === ''));
  return plain({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1' }],
  });
}

function groupsRoot(accept: string, types: readonly ResourceType[]): Document | undefined {
  const named = types.filter((type) => type.group !== '');
  if (wantsAggregated(accept)) return aggregated(named);
  const groups = [...new Set(named.map((type) => type.group))].map((group) => groupOf(group, types));
  return plain({ kind: 'APIGroupList', apiVersion: 'v1', groups });
}

function wantsAggregated(accept: string): boolean {
  return accept.includes('as=APIGroupDiscoveryList') && accept.includes('v=v2');
}

function groupOf(group: string, types: readonly ResourceType[]): object | undefined {
  const names = [...new Set(types.filter((type) => type.group === group).map((type) => type.version))];
  if (names.length === 0) return undefined;
  const versions = names.map((version) => ({ groupVersion: apiVersionOf(group, version), version }));
  return { kind: 'APIGroup', apiVersion: 'v1', name: group, versions, preferredVersion: versions[0] };
}

function resourceList(group: string, version: string, types: readonly ResourceType[]): Document | undefined {
  const found = types.filter((type) => type.group === group && type.version === version);
  if (found.length === 0) return undefined;
  const resources = found.flatMap((type) => [
    resourceEntry(type),
    ...type.subresources.map((name) => subEntry(type, name)),
  ]);
  return plain({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf(group, version), resources });
}

function resourceEntry(type: ResourceType): object {
  return {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
  };
}

function subEntry(type: ResourceType, name: string): object {
  const { group, version, kind, verbs } = subresource(type, name);
  const foreign = group === type.group && version === type.version ? {} : { group, version };
  return { name: `${type.plural}/${name}`, singularName: '', namespaced: type.namespaced, ...foreign, kind, verbs };
}

interface Responding {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
}

function subresource(type: ResourceType, name: string): Responding {
  const { kind, apiVersion, verbs } = SUBRESOURCES[name] ?? { verbs: [] };
  const [group, version] = apiVersion === undefined ? [type.group, type.version] : splitVersion(apiVersion);
  return { group, version, kind: kind ?? type.kind, verbs };
}

function splitVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** Everything in one document, which is what kubectl asks for. */
function aggregated(types: readonly ResourceType[]): Document {
  const items = [...Map.groupBy(types, (type) => type.group)].map(([group, members]) => ({
    metadata: { name: group, creationTimestamp: null },
    versions: [...Map.groupBy(members, (type) => type.version)].map(([version, resources]) => ({
      version,
      freshness: 'Current',
      resources: resources.map(aggregatedResource),
    })),
  }));
  return {
    contentType: AGGREGATED,
    body: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items },
  };
}

function aggregatedResource(type: ResourceType): object {
  return {
    resource: type.plural,
    responseKind: { group: type.group, version: type.version, kind: type.kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    subresources: type.subresources.map((name) => {
      const { group, version, kind, verbs } = subresource(type, name);
      return { subresource: name, responseKind: { group, version, kind }, verbs };
    }),
  };
}

function plain(body: object | undefined): Document | undefined {
  return body === undefined ? undefined : { contentType: 'application/json', body };
}
