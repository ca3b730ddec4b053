import { forbidden } from '../../../tools/generate/rights-table.ts';
import { configMap, deployment, satellite } from '../harness/targets.ts';
import {
  type Account,
  type Attempt,
  configMapsHere,
  db,
  redirected,
  report,
  satellites,
  state,
  web,
} from './attempt.ts';

const denied = (object: string, policy: string, words: string) =>
  `${object} is forbidden: ValidatingAdmissionPolicy 'svc-${policy}' with binding 'svc-${policy}' denied request: ${words}`;
const workload = (object: string, words: string) => denied(object, 'workloads', words);
// biome-ignore lint/complexity/useMaxParams: in the order of the sentence that the apiserver answers.
const cannot = (object: string, account: Account, verb: string, resource: string, group: string, where: string) =>
  `${object} is forbidden: ${forbidden(verb, resource, group, `system:serviceaccount:{svc}:svc-${account}`, `in the namespace "${where}"`)}`;

const specOf = (kind: string, field: string) => `svc may not change spec of this ${kind} but for spec.${field}`;
const metadataWords = 'svc may not change metadata but for svc.io/ annotations and labels';
const annotationWords = 'svc may not change annotations but its own, which begin with svc.io/';
const labelWords = 'svc may not change labels but its own, which begin with svc.io/';
const deploymentSpec = workload('deployments.apps "web"', specOf('Deployment', 'replicas'));
const statefulSpec = workload('statefulsets.apps "db"', specOf('StatefulSet', 'replicas'));
const cronSpec = workload('cronjobs.batch "report"', specOf('CronJob', 'suspend'));
const serviceSpec = workload('services "web"', specOf('Service', 'selector'));
const ownWords = 'svc may write no ConfigMaps but those that hold its own state, savings, audit log and passkeys';
const dropWords =
  'svc may delete no ConfigMaps but those of its own audit log that are past their retention, and those in which its state went on';
const satelliteWords = 'svc may create and delete no Deployments but its satellites';
const serviceWords = 'svc may change no Services but those that it redirected and those that serviceRedirection names';
const redirect = (name: string) => ({
  metadata: { annotations: { 'svc.io/original-selector': '{}' } },
  spec: { selector: { app: null, 'svc.io/satellite': name } },
});
const imageWords = 'a satellite runs the satellite image alone, with plain variables';
const shapeWords = 'a satellite has no account, no token, no host access and no volumes but empty ones';
const mainImage = { spec: { template: { spec: { containers: [{ name: 'main', image: 'evil/main:1' }] } } } };

export type Refusals = Readonly<Record<string, readonly [Attempt, string]>>;

export const refusedByRbac = (image: string): Refusals => ({
  'read a Secret': [
    ['controller', 'GET', '/api/v1/namespaces/{shop}/secrets/credentials'],
    cannot('secrets "credentials"', 'controller', 'get', 'secrets', '', '{shop}'),
  ],
  'list the Secrets of the own namespace': [
    ['controller', 'GET', '/api/v1/namespaces/{svc}/secrets'],
    cannot('secrets', 'controller', 'list', 'secrets', '', '{svc}'),
  ],
  'read the own Secret as the API': [
    ['api', 'GET', '/api/v1/namespaces/{svc}/secrets/svc-secrets'],
    cannot('secrets "svc-secrets"', 'api', 'get', 'secrets', '', '{svc}'),
  ],
  'run a command in a pod': [
    ['controller', 'POST', '/api/v1/namespaces/{shop}/pods/{web}/exec?command=id'],
    cannot('pods "{web}"', 'controller', 'create', 'pods/exec', '', '{shop}'),
  ],
  'run a command in an own pod': [
    ['controller', 'POST', '/api/v1/namespaces/{svc}/pods/{app}/exec?command=id'],
    cannot('pods "{app}"', 'controller', 'create', 'pods/exec', '', '{svc}'),
  ],
  'create a token': [
    [
      'controller',
      'POST',
      '/api/v1/namespaces/{svc}/serviceaccounts/svc-api/token',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    ],
    cannot('serviceaccounts "svc-api"', 'controller', 'create', 'serviceaccounts/token', '', '{svc}'),
  ],
  'scale through the scale subresource, past the policy': [
    ['controller', 'PATCH', `${web}/scale`, { spec: { replicas: 9 } }],
    cannot('deployments.apps "web"', 'controller', 'patch', 'deployments/scale', 'apps', '{shop}'),
  ],
  'scale as the API': [
    ['api', 'PATCH', web, { spec: { replicas: 0 } }],
    cannot('deployments.apps "web"', 'api', 'patch', 'deployments', 'apps', '{shop}'),
  ],
  'delete a pod': [
    ['controller', 'DELETE', '/api/v1/namespaces/{shop}/pods/{web}'],
    cannot('pods "{web}"', 'controller', 'delete', 'pods', '', '{shop}'),
  ],
  'write a ConfigMap of another namespace': [
    ['controller', 'PATCH', '/api/v1/namespaces/{shop}/configmaps/theirs', { data: { a: 'c' } }],
    cannot('configmaps "theirs"', 'controller', 'patch', 'configmaps', '', '{shop}'),
  ],
  'read a ConfigMap of another namespace': [
    ['api', 'GET', '/api/v1/namespaces/{shop}/configmaps/theirs'],
    cannot('configmaps "theirs"', 'api', 'get', 'configmaps', '', '{shop}'),
  ],
  'create a satellite where nothing is redirected': [
    ['controller', 'POST', '/apis/apps/v1/namespaces/{svc}/deployments', satellite(image)],
    cannot('deployments.apps', 'controller', 'create', 'deployments', 'apps', '{svc}'),
  ],
  'weaken the policy': [
    ['controller', 'DELETE', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/svc-workloads'],
    'validatingadmissionpolicies.admissionregistration.k8s.io "svc-workloads" is forbidden: User "system:serviceaccount:{svc}:svc-controller" cannot delete resource "validatingadmissionpolicies" in API group "admissionregistration.k8s.io" at the cluster scope',
  ],
});

export const refusedByPolicy: Refusals = {
  'change the image of a pod template': [['controller', 'PATCH', web, mainImage], deploymentSpec],
  'scale and change a template in one write': [
    ['controller', 'PATCH', web, { spec: { ...mainImage.spec, replicas: 2 } }],
    deploymentSpec,
  ],
  'pause a Deployment': [['controller', 'PATCH', web, { spec: { paused: true } }], deploymentSpec],
  'change the strategy': [
    ['controller', 'PATCH', web, { spec: { strategy: { rollingUpdate: null, type: 'Recreate' } } }],
    deploymentSpec,
  ],
  'change minReadySeconds': [['controller', 'PATCH', web, { spec: { minReadySeconds: 5 } }], deploymentSpec],
  'change the revision history': [['controller', 'PATCH', web, { spec: { revisionHistoryLimit: 1 } }], deploymentSpec],
  'change the progress deadline': [
    ['controller', 'PATCH', web, { spec: { progressDeadlineSeconds: 5 } }],
    deploymentSpec,
  ],
  'add a foreign annotation': [
    ['controller', 'PATCH', web, { metadata: { annotations: { 'example.com/x': 'y' } } }],
    workload('deployments.apps "web"', annotationWords),
  ],
  'change a foreign annotation': [
    ['controller', 'PATCH', web, { metadata: { annotations: { 'example.com/owner': 'me' } } }],
    workload('deployments.apps "web"', annotationWords),
  ],
  'remove a foreign annotation': [
    ['controller', 'PATCH', web, { metadata: { annotations: { 'example.com/owner': null } } }],
    workload('deployments.apps "web"', annotationWords),
  ],
  'protect a workload as if it were our pod': [
    ['controller', 'PATCH', web, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } }],
    workload('deployments.apps "web"', annotationWords),
  ],
  'add a label': [
    ['controller', 'PATCH', web, { metadata: { labels: { x: 'y' } } }],
    workload('deployments.apps "web"', labelWords),
  ],
  'remove a label': [
    ['controller', 'PATCH', web, { metadata: { labels: { team: null } } }],
    workload('deployments.apps "web"', labelWords),
  ],
  'add a finalizer': [
    ['controller', 'PATCH', web, { metadata: { finalizers: ['example.com/x'] } }],
    workload('deployments.apps "web"', metadataWords),
  ],
  'add an owner': [
    [
      'controller',
      'PATCH',
      web,
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'theirs', uid: '0' }] } },
    ],
    workload('deployments.apps "web"', metadataWords),
  ],
  'change the template of a StatefulSet': [['controller', 'PATCH', db, mainImage], statefulSpec],
  'change the update strategy of a StatefulSet': [
    ['controller', 'PATCH', db, { spec: { updateStrategy: { rollingUpdate: null, type: 'OnDelete' } } }],
    statefulSpec,
  ],
  'let volumes go with a StatefulSet': [
    ['controller', 'PATCH', db, { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } }],
    statefulSpec,
  ],
  'change the schedule of a CronJob': [['controller', 'PATCH', report, { spec: { schedule: '* * * * *' } }], cronSpec],
  'change what a CronJob runs': [
    ['controller', 'PATCH', report, { spec: { jobTemplate: { spec: { backoffLimit: 1 } } } }],
    cronSpec,
  ],
  'change the type of a redirected Service': [
    ['controller', 'PATCH', redirected, { spec: { type: 'NodePort' } }],
    serviceSpec,
  ],
  'claim an outside address for a redirected Service': [
    ['controller', 'PATCH', redirected, { spec: { externalIPs: ['192.0.2.1'] } }],
    serviceSpec,
  ],
  'change the ports of a redirected Service': [
    ['controller', 'PATCH', redirected, { spec: { ports: [{ port: 81 }] } }],
    serviceSpec,
  ],
  'change a Service that is not redirected': [
    ['controller', 'PATCH', '/api/v1/namespaces/{shop}/services/other', { spec: { selector: { a: 'b' } } }],
    workload('services "other"', serviceWords),
  ],
  'redirect a Service that the values do not name': [
    ['controller', 'PATCH', '/api/v1/namespaces/{shop}/services/other', redirect('other')],
    workload('services "other"', serviceWords),
  ],
  'redirect a named Service without writing down where it pointed': [
    ['controller', 'PATCH', redirected, { spec: { selector: { app: null, 'svc.io/satellite': 'web' } } }],
    workload('services "web"', serviceWords),
  ],
  'label a redirected Service': [
    ['controller', 'PATCH', redirected, { metadata: { labels: { x: 'y' } } }],
    workload('services "web"', labelWords),
  ],
  'change the image of an own pod': [
    [
      'controller',
      'PATCH',
      '/api/v1/namespaces/{svc}/pods/{app}',
      [{ op: 'replace', path: '/spec/containers/0/image', value: 'evil/main:1' }],
    ],
    workload('pods "{app}"', 'svc may not change spec of this Pod'),
  ],
  'relabel an own pod': [
    ['controller', 'PATCH', '/api/v1/namespaces/{svc}/pods/{app}', { metadata: { labels: { x: 'y' } } }],
    workload('pods "{app}"', labelWords),
  ],
  'write a foreign ConfigMap of the own namespace': [
    ['controller', 'PATCH', `${configMapsHere}/theirs`, { data: { a: 'c' } }],
    denied('configmaps "theirs"', 'configmaps', ownWords),
  ],
  'write the own configuration': [
    ['controller', 'PATCH', `${configMapsHere}/svc-config`, { data: { 'config.yaml': '' } }],
    denied('configmaps "svc-config"', 'configmaps', ownWords),
  ],
  'write the license': [
    ['controller', 'POST', configMapsHere, configMap('svc-license')],
    denied('configmaps "svc-license"', 'configmaps', ownWords),
  ],
  'write passkeys as the controller': [
    ['controller', 'PATCH', `${configMapsHere}/svc-passkeys`, { data: { user: 'evil' } }],
    denied('configmaps "svc-passkeys"', 'configmaps', ownWords),
  ],
  'delete the state': [['controller', 'DELETE', state], denied('configmaps "svc-state"', 'configmaps', dropWords)],
};

export function refusedSatellites(image: string): Refusals {
  const words = (reason: string) => denied('deployments.apps "svc-satellite-web"', 'satellites', reason);
  const tried = (changes: Parameters<typeof satellite>[1], from = image): Attempt => [
    'controller',
    'POST',
    satellites,
    satellite(from, changes),
  ];
  return {
    'create any Deployment': [
      ['controller', 'POST', satellites, { ...deployment, metadata: { name: 'miner' } }],
      denied('deployments.apps "miner"', 'satellites', satelliteWords),
    ],
    'delete a workload': [
      ['controller', 'DELETE', web],
      denied('deployments.apps "web"', 'satellites', satelliteWords),
    ],
    'run another image as a satellite': [tried({}, 'evil/main:1'), words(imageWords)],
    'run another command in a satellite': [tried({ container: { command: ['sh'] } }), words(imageWords)],
    'hand a Secret to a satellite': [
      tried({ container: { envFrom: [{ secretRef: { name: 'credentials' } }] } }),
      words(imageWords),
    ],
    'mount a Secret into a satellite': [
      tried({ pod: { volumes: [{ name: 'a', secret: { secretName: 'credentials' } }] } }),
      words(shapeWords),
    ],
    'give a satellite an account': [tried({ pod: { serviceAccountName: 'default' } }), words(shapeWords)],
    'give a satellite a token': [tried({ pod: { automountServiceAccountToken: true } }), words(shapeWords)],
    'give a satellite the host network': [tried({ pod: { hostNetwork: true } }), words(shapeWords)],
  };
}
