import { describe, expect, it } from 'vitest';
import { configNode } from '../../src/config/config-node.ts';
import { kindNames, listed } from '../../src/domain/kinds/kinds.ts';
import { failureOf, type RenderOptions, smallestValues, template, type Values, valuesFile } from './harness/helm.ts';

interface Case extends RenderOptions {
  /** Over the smallest values, unless `alone`. */
  readonly values: Values;
  readonly alone?: boolean;
  readonly message: string;
}

const generate = 'generate one with: openssl rand -base64 32';
const schedule = (day: string, hours: unknown) => ({ config: { workingHours: { schedule: { [day]: hours } } } });
const pool = { kind: 'Pool', group: 'example.com', version: 'v1', plural: 'pools', scale: '/spec/replicas' };
const described = (change: object) => ({ config: { targeting: { kinds: ['Rollout', { ...pool, ...change }] } } });
const dayPattern =
  "'^(on|off|([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9](,([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9])*)$'";
const badDay = (day: string, hours: string) =>
  `- at '/config/workingHours/schedule/${day}': '${hours}' does not match pattern ${dayPattern}`;

const cases: Readonly<Record<string, Case>> = {
  'nothing set: everything that is missing at once': {
    values: {},
    alone: true,
    message: [
      'config.clusterName is required: the name of this cluster in the web app, in notifications and in wake requests to other clusters.',
      'config.externalUrl is required: the address under which people reach this instance, for example https://svc.example.com.',
      `secrets.jwtSecret is required (${generate}), or set secrets.existingSecret.`,
      `secrets.internalApiSecret is required (${generate}), or set secrets.existingSecret.`,
    ].join('\n'),
  },
  'no cluster name': {
    values: { config: { clusterName: '' } },
    message:
      'config.clusterName is required: the name of this cluster in the web app, in notifications and in wake requests to other clusters.',
  },
  'no external address': {
    values: { config: { externalUrl: '' } },
    message:
      'config.externalUrl is required: the address under which people reach this instance, for example https://svc.example.com.',
  },
  'pull secrets for satellites that nobody makes': {
    values: { satellite: { createPullSecrets: true } },
    message:
      'satellite.createPullSecrets needs imagePullSecrets.create: it puts the Secret that is made there into the namespaces of the redirected services. For a Secret that exists in those namespaces, set satellite.imagePullSecrets.',
  },
  'no signing secret': {
    values: { secrets: { jwtSecret: '' } },
    message: `secrets.jwtSecret is required (${generate}), or set secrets.existingSecret.`,
  },
  'no internal secret': {
    values: { secrets: { internalApiSecret: '' } },
    message: `secrets.internalApiSecret is required (${generate}), or set secrets.existingSecret.`,
  },
  'a signing secret that can be guessed': {
    values: { secrets: { jwtSecret: 'change-me' } },
    message: `secrets.jwtSecret is too short, it must hold at least 32 bytes: ${generate}.`,
  },
  'an internal secret that can be guessed': {
    values: { secrets: { internalApiSecret: 'change-me' } },
    message: `secrets.internalApiSecret is too short, it must hold at least 32 bytes: ${generate}.`,
  },
  'working hours with one digit': {
    values: schedule('monday', '8:00-20:00'),
    message: badDay('monday', '8:00-20:00'),
  },
  'working hours beyond the day': {
    values: schedule('friday', '08:00-25:00'),
    message: badDay('friday', '08:00-25:00'),
  },
  'working hours in words': { values: schedule('sunday', 'closed'), message: badDay('sunday', 'closed') },
  'working hours that end before they start': {
    values: schedule('tuesday', '08:00-12:00,20:00-06:00'),
    message:
      'config.workingHours.schedule.tuesday: the range 20:00-06:00 ends before it starts: end it at 00:00 for midnight, and put the rest on the next day.',
  },
  'a time zone that is misspelt': {
    values: { config: { workingHours: { timezone: 'Europe/Berln' } } },
    message:
      'config.workingHours.timezone "Europe/Berln" is not a time zone: write a name of the IANA database, such as Europe/Berlin.',
  },
  'a time zone like no other': {
    values: { config: { workingHours: { timezone: 'Mars/Olympus' } } },
    message:
      'config.workingHours.timezone "Mars/Olympus" is not a time zone: write a name of the IANA database, such as Europe/Berlin or UTC.',
  },
  'an exclude entry with exact and pattern': {
    values: {
      config: { targeting: { namespaces: { exclude: [{ exact: 'a' }, { exact: 'a', pattern: 'b-*' }] } } },
    },
    message: 'config.targeting.namespaces.exclude[1]: invalid exclude pattern 1: cannot specify both pattern and exact',
  },
  'an exclude entry with neither': {
    values: { config: { targeting: { namespaces: { exclude: [{}] } } } },
    message: 'config.targeting.namespaces.exclude[0]: invalid exclude pattern 0: must specify either pattern or exact',
  },
  'a kind of Kubernetes that is described': {
    values: described({ kind: 'Job' }),
    message:
      'config.targeting.kinds[1].kind: "Job" is the name of a kind of Kubernetes itself, which cannot be described; describe a custom resource',
  },
  'a group of Kubernetes that is described': {
    values: described({ group: 'stable.k8s.io' }),
    message:
      'config.targeting.kinds[1].group: "stable.k8s.io" is a group of Kubernetes itself, whose kinds cannot be described; write the group of a custom resource, such as example.com',
  },
  'a kind that is named and described': {
    values: described({ kind: 'Rollout' }),
    message: [
      'config.targeting.kinds[1].kind: "Rollout" is already used by entry 0; each may be there once',
      'config.targeting.kinds[1].kind: "Rollout" is known to the service; write Rollout alone, without a description',
    ].join('\n'),
  },
  'a kind that is known, under its plural': {
    values: described({ kind: 'kustomizations' }),
    message:
      'config.targeting.kinds[1].kind: "kustomizations" is known to the service; write Kustomization alone, without a description',
  },
  'a kind that always sleeps': {
    values: described({ kind: 'CronJob' }),
    message: 'config.targeting.kinds[1].kind: "CronJob" always sleeps; leave it out',
  },
  'a resource of a kind that is known': {
    values: described({ group: 'argoproj.io', plural: 'rollouts' }),
    message:
      'config.targeting.kinds[1].plural: rollouts.argoproj.io is known to the service; write Rollout alone, without a description',
  },
  'two ways to sleep': {
    values: described({ annotation: { name: 'example.com/paused', value: 'true' } }),
    message: 'config.targeting.kinds[1]: sets scale and annotation; set exactly one of scale, field and annotation',
  },
  'no way to sleep': {
    values: described({ scale: null }),
    message:
      'config.targeting.kinds[1]: does not say by what it sleeps; set exactly one of scale, field and annotation',
  },
  'an annotation of ours to sleep by': {
    values: described({ scale: null, annotation: { name: 'svc.io/exclude', value: 'true' } }),
    message:
      'config.targeting.kinds[1].annotation.name: "svc.io/exclude" is reserved for this service; write an annotation of the operator of the kind',
  },
  'a type that is neither known nor described': {
    values: { config: { resourceRules: { neverScale: [{ namespace: 'shop', type: 'Pod' }] } } },
    message: `config.resourceRules.neverScale[0].type: "Pod" is not a type: write ${listed(kindNames)}`,
  },
  'an external address without TLS': {
    values: { config: { externalUrl: 'http://svc.example.com' } },
    message:
      'config.externalUrl "http://svc.example.com" is not https: use https, or set config.allowInsecureExternalUrl=true for local development.',
  },
  'an address of a hosting cluster without TLS': {
    values: {
      config: {
        externalDependencies: [
          { cluster: 'hub', url: 'https://hub.example.com', secretRef: { name: 'wake', key: 'hub' } },
          { cluster: 'edge', url: 'http://edge.example.com', secretRef: { name: 'wake', key: 'edge' } },
        ],
      },
    },
    message:
      'config.externalDependencies[1].url "http://edge.example.com" is not https: use https, or set config.allowInsecureExternalUrl=true for local development.',
  },
  'an internal address without a scheme': {
    values: { config: { internalUrl: 'svc.internal' } },
    message:
      "- at '/config/internalUrl': 'svc.internal' does not match pattern '^$|^https?://[^\\\\s/?#@]+(/[^\\\\s?#]*)?$'",
  },
  'an internal address with a path while passkeys are on': {
    values: { config: { internalUrl: 'https://tools.example.com/svc', auth: { webauthn: { enabled: true } } } },
    message:
      'config.internalUrl "https://tools.example.com/svc" has a path, which passkeys do not allow: write the address without it, or set config.auth.webauthn.enabled=false.',
  },
  'external wake without a name of its own': {
    values: { config: { externalWake: { enabled: true } } },
    message:
      'config.externalWake.localClusterName is required while config.externalWake.enabled is true: the name by which dependent clusters know this one.',
  },
  'cost queries without the value of the tag': {
    values: { config: { awsCosts: { enabled: true } } },
    message:
      'config.awsCosts.tagValue is required while config.awsCosts.enabled is true: the name of the cluster as its cost allocation tag has it.',
  },
  'a refresh time that is none': {
    values: { config: { awsCosts: { refreshTimeUTC: '5:50' } } },
    message: "- at '/config/awsCosts/refreshTimeUTC': '5:50' does not match pattern '^([01][0-9]|2[0-3]):[0-5][0-9]$'",
  },
  'a readiness interval out of bounds': {
    values: { config: { urlReadinessCheck: { intervalSeconds: 61 } } },
    message: "- at '/config/urlReadinessCheck/intervalSeconds': maximum: got 61, want 60",
  },
  'a misspelt key of the configuration': {
    values: { config: { operations: { dryrun: true } } },
    message: "- at '/config/operations': additional properties 'dryrun' not allowed",
  },
  'a misspelt key of the chart': {
    values: { replicaCounts: 1 },
    message: "- at '': additional properties 'replicaCounts' not allowed",
  },
  'shared keys to create, but none given': {
    values: { externalWakeSecrets: { create: true } },
    message:
      'externalWakeSecrets.secrets is empty while externalWakeSecrets.create is true: give each Secret a name and keys.',
  },
  'a shared key that can be guessed': {
    values: { externalWakeSecrets: { create: true, secrets: [{ name: 'wake', keys: { hmac: 'short' } }] } },
    message: `externalWakeSecrets.secrets[0].keys.hmac is too short, it must hold at least 32 bytes: ${generate}.`,
  },
  'a pull secret without a sign-in': {
    values: { imagePullSecrets: { create: true, username: 'robot' } },
    message:
      'imagePullSecrets.username and imagePullSecrets.password are required while imagePullSecrets.create is true: the sign-in at the registry.',
  },
  'TLS without a certificate': {
    values: { tls: { enabled: true } },
    message:
      'tls.secretName is required while tls.enabled is true: a Secret of type kubernetes.io/tls in the namespace.',
  },
  'an account that is neither created nor named': {
    values: { serviceAccount: { controller: { create: false } } },
    message:
      'serviceAccount.controller.name is required while serviceAccount.controller.create is false: the account that the controller runs as.',
  },
  'one account for both processes': {
    values: { serviceAccount: { api: { name: 'svc' }, controller: { name: 'svc' } } },
    message:
      "serviceAccount.api.name and serviceAccount.controller.name are the same: the API would get the controller's rights.",
  },
  'labels of the pods that the chart selects by': {
    values: { podLabels: { 'app.kubernetes.io/name': 'hibernation', 'svc.io/part-of': 'platform' } },
    message: ['app.kubernetes.io/name', 'svc.io/part-of']
      .map(
        (label) =>
          `podLabels sets ${label}, which the chart finds its own pods by: choose another label; every other label of the chart can be replaced.`,
      )
      .join('\n'),
  },
  'two listeners of the app on one port': {
    values: { service: { api: { port: 9090 } } },
    message:
      'service.api.port and service.api.healthPort must differ from each other and from 3000, 3443 and 9090, which other listeners of the pod use.',
  },
  'two listeners of the controller on one port': {
    values: { service: { controller: { healthPort: 9090 } } },
    message: 'service.controller.healthPort and service.controller.metricsPort must differ.',
  },
  'a proxy that is no network': {
    values: { frontend: { trustedProxies: ['10.0.0.1'] } },
    message:
      "- at '/frontend/trustedProxies/0': '10.0.0.1' does not match pattern '^private_ranges$|^([0-9]{1,3}(\\\\.[0-9]{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)/[0-9]{1,3}$'",
  },
  'a license that is not one': {
    values: { license: 'secret license' },
    message:
      "- at '/license': 'secret license' does not match pattern '^\\\\s*$|^\\\\s*-----BEGIN SVC LICENSE-----[ \\\\t]*\\\\r?\\\\n[A-Za-z0-9+/=\\\\s]+\\\\n[ \\\\t]*-----END SVC LICENSE-----\\\\s*$'",
  },
  'a release of another name': {
    values: {},
    release: 'hibernation',
    message:
      'The full name of this release would be "hibernation-svc", but the controller and the API find their ConfigMaps and Services by the name "svc": name the release "svc" or set fullnameOverride=svc.',
  },
  'a full name of its own': {
    values: { fullnameOverride: 'hibernation' },
    message:
      'The full name of this release would be "hibernation", but the controller and the API find their ConfigMaps and Services by the name "svc": name the release "svc" or set fullnameOverride=svc.',
  },
  'a name without the full name': {
    values: { nameOverride: 'sleep' },
    message:
      'The full name of this release would be "svc-sleep", but the controller and the API find their ConfigMaps and Services by the name "svc": name the release "svc" or set fullnameOverride=svc.',
  },
  'no app replica': { values: { replicaCount: 0 }, message: "- at '/replicaCount': minimum: got 0, want 1" },
};

describe('an install fails with a message that can be acted on', () => {
  it.each(Object.entries(cases))('%s', async (_, { values, alone = false, message, ...options }) => {
    const files = [...(alone ? [] : [valuesFile(smallestValues)]), valuesFile(values)];
    const result = await template(files, options);
    expect(failureOf(result)).toBe(message);
    expect(result.status).not.toBe(0);
  });
});

const accepted: Readonly<Record<string, Case['values'] & RenderOptions>> = {
  'another release name with the full name set': { fullnameOverride: 'svc' },
  'a name override with the full name set': { fullnameOverride: 'svc', nameOverride: 'sleep' },
  'an existing Secret instead of the values': {
    secrets: { jwtSecret: '', internalApiSecret: '', existingSecret: 'mine' },
  },
  'http for local development': {
    config: { externalUrl: 'http://localhost:3000', allowInsecureExternalUrl: true },
  },
  'a bare internal host with passkeys': {
    config: { internalUrl: 'https://svc.internal.example.com', auth: { webauthn: { enabled: true } } },
  },
  'an internal path without passkeys': { config: { internalUrl: 'https://tools.example.com/svc' } },
  'a range to midnight': schedule('monday', '08:00-12:00,20:00-00:00'),
  'a brand that breaks a rule, which the API ignores': { branding: { accentColor: 'pink' } },
  'every section of the configuration set to null, which means its defaults': {
    config: Object.fromEntries(
      Object.keys(configNode.fields)
        .filter((key) => !['clusterName', 'externalUrl'].includes(key))
        .map((key) => [key, null]),
    ),
  },
  'keys of other charts under global': { global: { storageClass: 'fast' } },
};

describe('an install is accepted with', () => {
  it.each(Object.entries(accepted))('%s', async (name, values) => {
    const release = name.startsWith('another release') ? 'hibernation' : 'svc';
    const result = await template([valuesFile(smallestValues), valuesFile(values)], { release });
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
  });
});
