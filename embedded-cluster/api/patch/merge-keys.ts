/** The lists whose elements the strategic merge finds by a key; every other list is replaced as a whole. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  addresses: 'type',
  conditions: 'type',
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  hostIPs: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  matchConditions: 'name',
  ownerReferences: 'uid',
  podIPs: 'ip',
  resourceClaims: 'name',
  schedulingGates: 'name',
  secrets: 'name',
  topologySpreadConstraints: 'topologyKey',
  variables: 'name',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
  webhooks: 'name',
};

/** Lists of plain values that are merged as sets. */
const MERGED_SETS = new Set(['finalizers', 'podCIDRs']);

export function mergeKey(field: string, kind: string): string | undefined {
  if (field === 'ports') return portsKey(kind);
  return MERGE_KEYS[field];
}

/** A Service's ports go by their number, a container's by the container's. */
function portsKey(kind: string): string | undefined {
  if (kind === 'Service') return 'port';
  return kind === 'Endpoints' || kind === 'EndpointSlice' || kind === 'NetworkPolicy' ? undefined : 'containerPort';
}

export function isMergedSet(field: string): boolean {
  return MERGED_SETS.has(field);
}
