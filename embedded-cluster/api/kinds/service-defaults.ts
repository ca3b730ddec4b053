import type { KubeObject } from '../../object-store.ts';
import type { Random } from '../../ports/random.ts';
import { arrayOf, isObject, type JsonObject, objectOf, valueAt } from '../../store/json-value.ts';
import type { MemoryStore } from '../../store/memory-store.ts';
import { fill } from './pod-defaults.ts';

const FIRST_NODE_PORT = 30_000;
const NODE_PORTS = 2768;

/** A Service's type, ports and addresses; the cluster address is kept once given. */
export function defaultedService(
  service: KubeObject,
  { store, random }: { readonly store: MemoryStore; readonly random: Random },
): KubeObject {
  const given = objectOf(service['spec']);
  const spec = fill(given, { type: 'ClusterIP', sessionAffinity: 'None' });
  const type = spec['type'];
  if (type === 'ExternalName') return { ...service, spec };
  const ports = arrayOf(spec['ports']).map((port) =>
    isObject(port) ? defaultedPort(port, type !== 'ClusterIP', random) : port,
  );
  const before = store.get('services', service.metadata.namespace, service.metadata.name);
  const clusterIP = spec['clusterIP'] ?? valueAt(before, 'spec', 'clusterIP') ?? freeAddress(store, random);
  const addressed = fill(spec, {
    clusterIP,
    clusterIPs: [clusterIP],
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ...(type === 'ClusterIP' ? {} : { externalTrafficPolicy: 'Cluster' }),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
  });
  return { ...service, spec: ports.length === 0 ? addressed : { ...addressed, ports } };
}

function defaultedPort(port: JsonObject, onNodes: boolean, random: Random): JsonObject {
  return fill(port, {
    protocol: 'TCP',
    targetPort: port['port'],
    ...(onNodes ? { nodePort: FIRST_NODE_PORT + Math.floor(random.next() * NODE_PORTS) } : {}),
  });
}

function freeAddress(store: MemoryStore, random: Random): string {
  const used = new Set(store.list('services').map((service) => valueAt(service, 'spec', 'clusterIP')));
  for (;;) {
    const address = `10.96.${Math.floor(random.next() * 256)}.${1 + Math.floor(random.next() * 254)}`;
    if (!used.has(address)) return address;
  }
}
