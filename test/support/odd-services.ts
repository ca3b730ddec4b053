import type { Manifest } from '../../embedded-cluster/apply-objects.ts';

const namespace = 'shop';
const http = [{ port: 80, targetPort: 8080 }];

function service(name: string, spec: object): Manifest {
  return { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name }, spec } as Manifest;
}

function deployment(name: string, more: Readonly<Record<string, string>> = {}): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name, ...more } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
      },
    },
  } as Manifest;
}

/** Services of which some can have a satellite and others cannot, and what stands behind them. */
export const oddServices: readonly Manifest[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  deployment('web', { tier: 'front' }),
  deployment('kept'),
  service('web', { selector: { app: 'web' }, ports: http }),
  service('by-template', { selector: { tier: 'front' }, ports: http }),
  service('outside', { type: 'ExternalName', externalName: 'shop.example.com', ports: http }),
  service('by-hand', { ports: http }),
  service('names', { selector: { app: 'web' }, ports: [{ port: 53, protocol: 'UDP', targetPort: 53 }] }),
  service('nobody', { selector: { app: 'wep' }, ports: http }),
  service('kept', { selector: { app: 'kept' }, ports: http }),
];

/** In the order in which the configuration names them; `typo` is not there. */
const oddNames = ['web', 'by-template', 'typo', 'outside', 'by-hand', 'names', 'nobody', 'kept'];

export const oddConfig = {
  serviceRedirection: { enabled: true, services: oddNames.map((name) => ({ namespace, name })) },
  resourceRules: { neverScale: [{ namespace, name: 'kept' }] },
};

export const redirectedServices = ['shop/web', 'shop/by-template'];

/** Why the others are not. */
export const leftOutServices = [
  { service: 'shop/typo', reason: 'there is no such Service' },
  { service: 'shop/outside', reason: 'it is of type ExternalName and has no pods' },
  { service: 'shop/by-hand', reason: 'it has no selector' },
  { service: 'shop/names', reason: 'it has no TCP port, and a satellite answers HTTP' },
  {
    service: 'shop/nobody',
    reason: 'no Deployment or StatefulSet of its namespace makes pods with the labels of its selector, app=wep',
  },
  { service: 'shop/kept', reason: 'Deployment shop/kept behind it stays up' },
];
