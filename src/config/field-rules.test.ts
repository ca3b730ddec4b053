import { describe, expect, it } from 'vitest';
import { type Input, smallest } from '../../test/support/examples/config-examples.ts';
import { kindNames } from '../domain/kinds/kinds.ts';
import { parseConfig } from './parse-config.ts';

function errorsOf(change: Input): readonly string[] {
  const result = parseConfig({ ...smallest, ...change });
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path}: ${message}`);
}

const secretRef = { name: 'svc-hmac', key: 'hmac' };
const database = { type: 'instance', identifier: 'orders', region: 'eu-central-1' };
const shop = [{ namespace: 'shop' }];
const passkeys = (rpId = '') => ({ webauthn: { enabled: true, rpId } });
const foreign = (rpId: string, host: string) =>
  `auth.webauthn.rpId: "${rpId}" is neither the host "${host}" nor a parent domain of it with at least two labels; leave it empty for the host itself`;

describe('rules between fields refuse', () => {
  const rows: Record<string, [change: Input, ...errors: string[]]> = {
    'an external address without https': [
      { externalUrl: 'http://svc.example.com' },
      'externalUrl: "http://svc.example.com" is not https; use https, or set allowInsecureExternalUrl for local development',
    ],
    'an internal address with a path while passkeys are on': [
      { internalUrl: 'https://svc.internal/app', auth: passkeys() },
      'internalUrl: "https://svc.internal/app" has a path, which passkeys do not allow; write https://svc.internal, or turn auth.webauthn.enabled off',
    ],
    'a relying party that is another domain': [
      { auth: passkeys('example.org') },
      foreign('example.org', 'svc.example.com'),
    ],
    'a relying party of one label': [{ auth: passkeys('com') }, foreign('com', 'svc.example.com')],
    'a relying party that is only the end of a label': [
      { auth: passkeys('ple.com') },
      foreign('ple.com', 'svc.example.com'),
    ],
    'a relying party below the host': [
      { auth: passkeys('a.svc.example.com') },
      foreign('a.svc.example.com', 'svc.example.com'),
    ],
    'a relying party of the external host while the internal one serves': [
      { internalUrl: 'https://svc.corp.internal', auth: passkeys('example.com') },
      foreign('example.com', 'svc.corp.internal'),
    ],
    'a relying party that is the end of an IP address': [
      { externalUrl: 'https://10.0.0.1', auth: passkeys('0.1') },
      foreign('0.1', '10.0.0.1'),
    ],
    'a kind that is named twice': [
      { targeting: { kinds: ['ScaledObject', 'HelmRelease', 'ScaledObject'] } },
      'targeting.kinds[2]: "ScaledObject" is already used by entry 0; each may be there once',
    ],
    'a described kind, each entry by its own field': [
      {
        targeting: {
          kinds: [
            'Rollout',
            { kind: 'Rollout', group: 'example.com', version: 'v1', plural: 'rollouts', scale: '/spec/replicas' },
            { kind: 'Pool', group: 'example.com', version: 'v1', plural: 'pools' },
            {
              kind: 'Farm',
              group: 'batch',
              version: '1',
              plural: 'Farms',
              field: { pointer: '/status/paused', value: 1.5 },
              ready: { condition: '' },
            },
            { kind: 'apps/Herd', group: 'example.com/v1', version: 'example.com/v1', plural: 'herds.example.com' },
            { kind: 'Den', group: 'example.com', version: 'v1', plural: 'dens/scale', scale: '/spec/list/0/size' },
            { kind: 'Nest', group: 'stable.k8s.io', version: 'v1', plural: 'nests', scale: '.spec.replicas' },
            {
              kind: 'Hive',
              group: 'example.com',
              version: 'v1',
              plural: 'hives',
              annotation: { name: 'svc.io/exclude', value: "it's" },
            },
          ],
        },
      },
      'targeting.kinds[3].group: "batch" is a group of Kubernetes itself, whose kinds cannot be described; write the group of a custom resource, such as example.com',
      'targeting.kinds[3].version: "1" is not a version such as v1 or v1alpha1',
      'targeting.kinds[3].plural: "Farms" has capitals; write "farms"',
      'targeting.kinds[3].field.pointer: "/status/paused" is not of the spec; write a place below /spec, such as /spec/replicas',
      'targeting.kinds[3].field.value: must be a whole number from 0 to 1000000, not 1.5',
      'targeting.kinds[3].ready.condition: is required: The condition that is `True` when it is up.',
      'targeting.kinds[4].kind: "apps/Herd" has a group; write the kind alone, such as Pool',
      'targeting.kinds[4].group: "example.com/v1" has a version; write the group alone, and the version in version',
      'targeting.kinds[4].version: "example.com/v1" has a group; write the version alone',
      'targeting.kinds[4].plural: "herds.example.com" has a group; write the plural alone, such as pools',
      'targeting.kinds[5].plural: "dens/scale" names a subresource; write the plural alone, such as pools',
      'targeting.kinds[5].scale: "/spec/list/0/size" goes into a list; write a field outside of lists',
      'targeting.kinds[6].group: "stable.k8s.io" is a group of Kubernetes itself, whose kinds cannot be described; write the group of a custom resource, such as example.com',
      'targeting.kinds[6].scale: ".spec.replicas" is no JSON pointer; write "/spec/replicas"',
      'targeting.kinds[7].annotation.name: "svc.io/exclude" is reserved for this service; write an annotation of the operator of the kind',
      'targeting.kinds[7].annotation.value: "it\'s" is not a value that can be set: letters, digits, spaces between them and _.:/+-',
      'targeting.kinds[1].kind: "Rollout" is already used by entry 0; each may be there once',
      'targeting.kinds[1].kind: "Rollout" is known to the service; write Rollout alone, without a description',
      'targeting.kinds[2]: does not say by what it sleeps; set exactly one of scale, field and annotation',
      'targeting.kinds[4]: does not say by what it sleeps; set exactly one of scale, field and annotation',
    ],
    'a type that is neither known nor described': [
      {
        targeting: {
          kinds: [{ kind: 'Pool', group: 'example.com', version: 'v1', plural: 'pools', scale: '/spec/replicas' }],
        },
        resourceRules: {
          neverScale: [
            { namespace: 'shop', type: 'pools' },
            { namespace: 'shop', type: 'Pod' },
          ],
        },
        wakeOrdering: { tiers: [{ name: 'a', select: [{ namespace: 'shop', type: 'Farm' }] }] },
      },
      `resourceRules.neverScale[1].type: "Pod" is not a type: write ${kindNames.join(', ')} or Pool`,
      `wakeOrdering.tiers[0].select[0].type: "Farm" is not a type: write ${kindNames.join(', ')} or Pool`,
    ],
    'a kind that is always on, or that nobody knows': [
      { targeting: { kinds: ['Deployment', 'ReplicaSet'] } },
      'targeting.kinds[0]: must be one of ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease, Application, not "Deployment"',
      'targeting.kinds[1]: must be one of ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease, Application, not "ReplicaSet"',
    ],
    'an exclude entry with both, counted from 0': [
      { targeting: { namespaces: { exclude: [{ exact: 'a' }, { exact: 'b', pattern: 'b-*' }] } } },
      'targeting.namespaces.exclude[1]: invalid exclude pattern 1: cannot specify both pattern and exact',
    ],
    'an exclude entry with neither': [
      { targeting: { namespaces: { exclude: [{}] } } },
      'targeting.namespaces.exclude[0]: invalid exclude pattern 0: must specify either pattern or exact',
    ],
    'two tiers of one name': [
      {
        wakeOrdering: {
          tiers: [
            { name: 'a', select: shop },
            { name: 'a', select: shop },
          ],
        },
      },
      'wakeOrdering.tiers[1].name: "a" is also the name of tiers[0]: write a name of its own',
    ],
    'a tier that names nothing': [
      { hibernateOrdering: { tiers: [{ name: 'a' }] } },
      'hibernateOrdering.tiers[0].select: selects nothing: write a selector or name a database',
    ],
    'a tier of a database that is not there': [
      {
        wakeOrdering: { tiers: [{ name: 'a', databases: ['order'] }] },
        databases: { orders: database, users: database },
      },
      'wakeOrdering.tiers[0].databases[0]: "order" is not a key of config.databases',
    ],
    'a tier of a database while there are none': [
      { hibernateOrdering: { tiers: [{ name: 'a', databases: ['orders'] }] } },
      'hibernateOrdering.tiers[0].databases[0]: "orders" is not a key of config.databases',
    ],
    'a database in two tiers': [
      {
        wakeOrdering: {
          tiers: [
            { name: 'a', databases: ['orders'] },
            { name: 'b', databases: ['orders'] },
          ],
        },
        databases: { orders: database },
      },
      'wakeOrdering.tiers[1].databases[0]: "orders" is already in tiers[0]: name it once',
    ],
    'a hosting cluster without https': [
      { externalDependencies: [{ cluster: 'hub', url: 'http://hub.example.com', secretRef }] },
      'externalDependencies[0].url: "http://hub.example.com" is not https; use https, or set allowInsecureExternalUrl for local development',
    ],
    'a hosting cluster twice': [
      {
        externalDependencies: [
          { cluster: 'hub', url: 'https://hub.example.com', secretRef },
          { cluster: 'hub', url: 'https://hub2.example.com', secretRef },
        ],
      },
      'externalDependencies[1].cluster: "hub" is already used by entry 0; each may be there once',
    ],
    'a service redirected twice': [
      {
        serviceRedirection: {
          services: [
            { namespace: 'shop', name: 'web' },
            { namespace: 'shop', name: 'web' },
          ],
        },
      },
      'serviceRedirection.services[1]: "shop/web" is already used by entry 0; each may be there once',
    ],
    'external wake without the name of this cluster': [
      { externalWake: { enabled: true } },
      'externalWake.localClusterName: is required while externalWake.enabled is true',
    ],
    'a dependent cluster of the name of this one': [
      { externalWake: { localClusterName: 'hub', clusters: [{ name: 'hub', secretRef }] } },
      `externalWake.clusters[0].name: "hub" is this cluster's own localClusterName; name another cluster`,
    ],
    'a dependent cluster twice': [
      {
        externalWake: {
          clusters: [
            { name: 'a', secretRef },
            { name: 'a', secretRef },
          ],
        },
      },
      'externalWake.clusters[1].name: "a" is already used by entry 0; each may be there once',
    ],
    'costs without the value of the tag': [
      { awsCosts: { enabled: true } },
      'awsCosts.tagValue: is required while awsCosts.enabled is true',
    ],
    'one thing wrong at a place once only': [
      { awsCosts: { enabled: true, tagValue: 5 } },
      'awsCosts.tagValue: must be text, not the number 5; put it in quotes',
    ],
    'a value and a rule beside it': [
      { externalWake: { enabled: true, quotas: { maxWakesPerHour: 0 } } },
      'externalWake.quotas.maxWakesPerHour: must be from 1 to 10000, not 0',
      'externalWake.localClusterName: is required while externalWake.enabled is true',
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [change, ...errors]) => {
    expect(errorsOf(change)).toEqual(errors);
  });
});

describe('rules between fields accept', () => {
  const rows: Record<string, Input> = {
    'plain http for local development': {
      externalUrl: 'http://localhost:3000',
      allowInsecureExternalUrl: true,
      externalDependencies: [{ cluster: 'hub', url: 'http://localhost:4000', secretRef }],
    },
    'an internal address of plain http': { internalUrl: 'http://svc.internal' },
    'an internal address with a path while passkeys are off': { internalUrl: 'https://svc.internal/app' },
    'an internal address that ends in a slash while passkeys are on': {
      internalUrl: 'https://svc.internal/',
      auth: passkeys(),
    },
    'a relying party that is the host': { auth: passkeys('svc.example.com') },
    'a relying party that is the parent domain': { auth: passkeys('example.com') },
    'a relying party in capitals': { auth: passkeys('Example.com') },
    'localhost as the host itself': { externalUrl: 'https://localhost', auth: passkeys('localhost') },
    'any relying party while passkeys are off': { auth: { webauthn: { rpId: 'example.org' } } },
    'a list that excludes nothing': { targeting: { namespaces: { exclude: [] } } },
    'tiers of one name in different orderings': {
      wakeOrdering: { tiers: [{ name: 'a', select: shop }] },
      hibernateOrdering: { tiers: [{ name: 'a', select: shop }] },
    },
    'more queries a second than burst': { api: { kubernetesQPS: 300, kubernetesBurst: 200 } },
    'IPv6 addresses in the whitelist, with brackets or without': {
      urlReadinessCheck: { whitelist: ['fd00::2', '[fd00::2]', '::1'] },
    },
    'one service name in two namespaces': {
      serviceRedirection: {
        services: [
          { namespace: 'a', name: 'web' },
          { namespace: 'b', name: 'web' },
        ],
      },
    },
  };
  it.each(Object.entries(rows))('%s', (_name, change) => {
    expect(errorsOf(change)).toEqual([]);
  });
});
