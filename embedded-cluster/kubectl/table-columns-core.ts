import type { KubeObject } from '../object-store.ts';
import { arrayOf, isObject, objectOf, textOf, valueAt } from '../store/json-value.ts';
import { age } from './duration-text.ts';
import { podReady, podRestarts, podStatus } from './pod-summary.ts';
import { ageColumn, type Column, countAt, integer, labelText, nameColumn, text, textAt, wide } from './table-column.ts';

function servicePorts(service: KubeObject): string {
  const ports = arrayOf(valueAt(service, 'spec', 'ports')).map(objectOf);
  if (ports.length === 0) return '<none>';
  return ports
    .map(({ port, nodePort, protocol }) => (nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`))
    .join(',');
}

function nodeStatus(node: KubeObject): string {
  const ready = arrayOf(valueAt(node, 'status', 'conditions')).find((item) => valueAt(item, 'type') === 'Ready');
  const state = ready === undefined ? 'Unknown' : valueAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeRoles(node: KubeObject): string {
  const roles = Object.keys(node.metadata.labels ?? {}).filter((label) => label.startsWith(ROLE_PREFIX));
  return roles.length === 0 ? '<none>' : roles.map((label) => label.slice(ROLE_PREFIX.length)).join(',');
}

function nodeAddress(type: string): Column['cell'] {
  return (node) => {
    const address = arrayOf(valueAt(node, 'status', 'addresses')).find((item) => valueAt(item, 'type') === type);
    return textOf(valueAt(address, 'address')) ?? '<none>';
  };
}

/** When it was last seen; series and old-style counts each have their own field. */
function eventLastSeen(event: KubeObject, now: number): string {
  const seen =
    valueAt(event, 'series', 'lastObservedTime') ??
    event['lastTimestamp'] ??
    event['eventTime'] ??
    event['firstTimestamp'];
  return age(seen, now);
}

function eventObject(event: KubeObject): string {
  const { kind, name } = objectOf(event['involvedObject']);
  return `${String(kind ?? '').toLowerCase()}/${name ?? ''}`;
}

function eventSource(event: KubeObject): string {
  const { component, host } = objectOf(event['source']);
  const name = textOf(component) ?? textOf(event['reportingComponent']) ?? '';
  return textOf(host) === undefined ? name : `${name}, ${host}`;
}

function keyCount(...fields: readonly string[]): Column['cell'] {
  return (object) => fields.reduce((sum, field) => sum + Object.keys(objectOf(object[field])).length, 0);
}

function endpointAddresses(endpoints: KubeObject): string {
  const addresses = arrayOf(endpoints['subsets']).flatMap((subset) => {
    const ports = arrayOf(valueAt(subset, 'ports')).map((port) => valueAt(port, 'port'));
    const ips = arrayOf(valueAt(subset, 'addresses')).map((address) => valueAt(address, 'ip'));
    return ips.flatMap((ip) => (ports.length === 0 ? [String(ip)] : ports.map((port) => `${ip}:${port}`)));
  });
  if (addresses.length === 0) return '<none>';
  const shown = addresses.slice(0, 3).join(',');
  return addresses.length > 3 ? `${shown} + ${addresses.length - 3} more...` : shown;
}

function roleOf(binding: KubeObject): string {
  const { kind, name } = objectOf(binding['roleRef']);
  return `${kind}/${name}`;
}

export const CORE_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  pods: [
    nameColumn,
    text('Ready', podReady),
    text('Status', podStatus),
    text('Restarts', podRestarts),
    ageColumn,
    wide('IP', (pod) => textAt(pod, 'status', 'podIP')),
    wide('Node', (pod) => textAt(pod, 'spec', 'nodeName')),
    wide('Nominated Node', (pod) => textAt(pod, 'status', 'nominatedNodeName')),
    wide('Readiness Gates', () => '<none>'),
  ],
  services: [
    nameColumn,
    text('Type', (service) => textAt(service, 'spec', 'type')),
    text('Cluster-IP', (service) => textAt(service, 'spec', 'clusterIP')),
    text('External-IP', (service) => textAt(service, 'spec', 'externalName')),
    text('Port(s)', servicePorts),
    ageColumn,
    wide('Selector', (service) => labelText(valueAt(service, 'spec', 'selector'))),
  ],
  nodes: [
    nameColumn,
    text('Status', nodeStatus),
    text('Roles', nodeRoles),
    ageColumn,
    text('Version', (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion')),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', (node) => textAt(node, 'status', 'nodeInfo', 'osImage')),
    wide('Kernel-Version', (node) => textAt(node, 'status', 'nodeInfo', 'kernelVersion')),
    wide('Container-Runtime', (node) => textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion')),
  ],
  namespaces: [nameColumn, text('Status', (namespace) => textAt(namespace, 'status', 'phase')), ageColumn],
  events: [
    text('Last Seen', eventLastSeen),
    text('Type', (event) => textAt(event, 'type')),
    text('Reason', (event) => textAt(event, 'reason')),
    text('Object', eventObject),
    wide('Subobject', (event) => textOf(valueAt(event, 'involvedObject', 'fieldPath')) ?? ''),
    wide('Source', eventSource),
    text('Message', (event) => (textOf(event['message']) ?? '').trim()),
    wide('First Seen', (event, now) => age(event['firstTimestamp'] ?? event['eventTime'], now)),
    wide('Count', (event) => countAt(event, 'count') || 1),
    { ...nameColumn, priority: 1 },
  ],
  configmaps: [nameColumn, integer('Data', keyCount('data', 'binaryData')), ageColumn],
  secrets: [nameColumn, text('Type', (secret) => textAt(secret, 'type')), integer('Data', keyCount('data')), ageColumn],
  serviceaccounts: [nameColumn, integer('Secrets', (account) => arrayOf(account['secrets']).length), ageColumn],
  endpoints: [nameColumn, text('Endpoints', endpointAddresses), ageColumn],
  persistentvolumeclaims: [
    nameColumn,
    text('Status', (claim) => textAt(claim, 'status', 'phase')),
    text('Volume', (claim) => textOf(valueAt(claim, 'spec', 'volumeName')) ?? ''),
    text('Capacity', (claim) => textOf(valueAt(claim, 'status', 'capacity', 'storage')) ?? ''),
    text('Access Modes', (claim) => arrayOf(valueAt(claim, 'status', 'accessModes')).join(',')),
    text('StorageClass', (claim) => textOf(valueAt(claim, 'spec', 'storageClassName')) ?? ''),
    ageColumn,
  ],
  'leases.coordination.k8s.io': [
    nameColumn,
    text('Holder', (lease) => textOf(valueAt(lease, 'spec', 'holderIdentity')) ?? ''),
    ageColumn,
  ],
  'rolebindings.rbac.authorization.k8s.io': [nameColumn, text('Role', roleOf), ageColumn],
  'clusterrolebindings.rbac.authorization.k8s.io': [nameColumn, text('Role', roleOf), ageColumn],
  'roles.rbac.authorization.k8s.io': [nameColumn, createdAt()],
  'clusterroles.rbac.authorization.k8s.io': [nameColumn, createdAt()],
  'ingresses.networking.k8s.io': [
    nameColumn,
    text('Class', (ingress) => textAt(ingress, 'spec', 'ingressClassName')),
    text('Hosts', (ingress) => {
      const hosts = arrayOf(valueAt(ingress, 'spec', 'rules'))
        .filter(isObject)
        .map((rule) => rule['host'] ?? '*');
      return hosts.length === 0 ? '*' : hosts.join(',');
    }),
    text('Address', () => ''),
    text('Ports', (ingress) => (arrayOf(valueAt(ingress, 'spec', 'tls')).length > 0 ? '80, 443' : '80')),
    ageColumn,
  ],
  'customresourcedefinitions.apiextensions.k8s.io': [nameColumn, createdAt()],
};

function createdAt(): Column {
  return { ...text('Created At', (object) => object.metadata.creationTimestamp), type: 'date' };
}
