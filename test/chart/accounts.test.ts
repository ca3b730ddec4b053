import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { forbidden, rightsTable } from '../../tools/generate/rights-table.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import type { ServiceAccountIdentity } from '../cluster/harness/service-account.ts';
import { type Answer, ask } from './harness/account-request.ts';
import { Release } from './harness/release.ts';
import { configMap, cronJob, deployment, satellite, secret, service, statefulSet } from './harness/targets.ts';

type Account = 'controller' | 'api';
type Method = Parameters<typeof ask>[1];
/** Paths name namespaces by role: `{shop}` holds the targets, `{svc}` is the release's own. */
type Attempt = readonly [Account, Method, string, object?];

const image = `ghcr.io/cluster-hibernation-service/satellite:${packageJson.version}`;
const soon = { timeout: 20_000, interval: 50 };

let cluster: RealCluster;
let release: Release;
let places: Readonly<Record<string, string>>;
let accounts: Readonly<Record<Account, ServiceAccountIdentity>>;

beforeAll(async () => {
  cluster = await realCluster();
  const shop = await cluster.namespace('shop');
  release = await Release.install(cluster, {
    config: {
      auth: { webauthn: { enabled: true } },
      serviceRedirection: { enabled: true, services: [{ namespace: shop, name: 'web' }] },
    },
  });
  const { namespace } = release;
  await asAdmin('POST', `/apis/apps/v1/namespaces/${shop}/deployments`, deployment);
  await asAdmin('POST', `/apis/apps/v1/namespaces/${shop}/statefulsets`, statefulSet);
  await asAdmin('POST', `/apis/batch/v1/namespaces/${shop}/cronjobs`, cronJob);
  for (const name of ['web', 'other']) await asAdmin('POST', `/api/v1/namespaces/${shop}/services`, service(name));
  for (const where of [shop, namespace]) {
    await asAdmin('POST', `/api/v1/namespaces/${where}/secrets`, secret);
    await asAdmin('POST', `/api/v1/namespaces/${where}/configmaps`, configMap('theirs'));
  }
  await asAdmin('POST', `/api/v1/namespaces/${namespace}/configmaps`, configMap('svc-passkeys'));
  accounts = {
    controller: await cluster.serviceAccount(namespace, 'svc-controller'),
    api: await cluster.serviceAccount(namespace, 'svc-api'),
  };
  const [app, web] = await Promise.all([podOf(namespace, 'component=app'), podOf(shop, 'app=web')]);
  places = { shop, svc: namespace, app, web };
  // A new policy takes a moment to be in force.
  await vi.waitFor(async () => {
    const answer = await attempt(['controller', 'PATCH', '/api/v1/namespaces/{svc}/configmaps/theirs', { data: {} }]);
    expect(answer.status).toBe(422);
  }, soon);
});

afterAll(async () => {
  await release?.uninstall('--no-hooks');
  await cluster?.close();
});

async function asAdmin(method: Method, path: string, body?: object): Promise<Answer> {
  const answer = await ask(cluster.admin, method, path, body);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}

async function podOf(namespace: string, label: string): Promise<string> {
  const selector = label.startsWith('component') ? `app.kubernetes.io/${label}` : label;
  return vi.waitFor(async () => {
    const { body } = await asAdmin('GET', `/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`);
    const [pod] = body['items'] as { metadata: { name: string } }[];
    return pod?.metadata.name ?? Promise.reject(new Error(`no pod of ${label} in ${namespace} yet`));
  }, soon);
}

function placed(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => places[name] ?? name);
}

function attempt([account, method, path, body]: Attempt): Promise<Answer> {
  return ask(accounts[account], method, placed(path), body);
}

const web = '/apis/apps/v1/namespaces/{shop}/deployments/web';
const db = '/apis/apps/v1/namespaces/{shop}/statefulsets/db';
const report = '/apis/batch/v1/namespaces/{shop}/cronjobs/report';
const redirected = '/api/v1/namespaces/{shop}/services/web';
const state = '/api/v1/namespaces/{svc}/configmaps/svc-state';
const configMapsHere = '/api/v1/namespaces/{svc}/configmaps';
const satellites = '/apis/apps/v1/namespaces/{shop}/deployments';
const mark = { metadata: { annotations: { 'svc.io/hibernated-replicas': '1', 'svc.io/hibernated-uid': 'x' } } };
const unmark = { metadata: { annotations: { 'svc.io/hibernated-replicas': null, 'svc.io/hibernated-uid': null } } };
const event = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { generateName: 'svc.', namespace },
  involvedObject: { kind: 'Namespace', name: 'svc', apiVersion: 'v1', namespace: namespace === 'default' ? '' : namespace },
  reason: 'StoodDown',
  message: 'test',
  type: 'Warning',
});

/** In this order: what one makes, a later one removes. */
const allowed: Readonly<Record<string, Attempt>> = {
  'lower a Deployment and mark it, in one write': ['controller', 'PATCH', web, { ...mark, spec: { replicas: 0 } }],
  'raise it again and remove the mark': ['controller', 'PATCH', web, { ...unmark, spec: { replicas: 1 } }],
  'lower a StatefulSet': ['controller', 'PATCH', db, { ...mark, spec: { replicas: 0 } }],
  'raise it again': ['controller', 'PATCH', db, { ...unmark, spec: { replicas: 1 } }],
  'suspend a CronJob': ['controller', 'PATCH', report, { ...mark, spec: { suspend: true } }],
  'resume it': ['controller', 'PATCH', report, { ...unmark, spec: { suspend: false } }],
  'redirect a Service that is named': [
    'controller',
    'PATCH',
    redirected,
    { metadata: { annotations: { 'svc.io/original-selector': '{}' } }, spec: { selector: { app: null, 'svc.io/satellite': 'web' } } },
  ],
  'point it back': [
    'controller',
    'PATCH',
    redirected,
    { metadata: { annotations: { 'svc.io/original-selector': null } }, spec: { selector: { app: 'web', 'svc.io/satellite': null } } },
  ],
  'put up a satellite': ['controller', 'POST', satellites, satellite(image)],
  'take it down': ['controller', 'DELETE', `${satellites}/svc-satellite-web`],
  'create the state': ['controller', 'POST', configMapsHere, configMap('svc-state', {})],
  'write the state': ['controller', 'PATCH', state, { data: { resource_states: '[]' } }],
  'write an intent into the state': ['api', 'PATCH', state, { data: { wake_override: '{}' } }],
  'open an audit file': ['controller', 'POST', configMapsHere, configMap('svc-audit-0')],
  'append to an audit file': ['api', 'PATCH', `${configMapsHere}/svc-audit-0`, { data: { entries: 'x' } }],
  'drop an audit file past its retention': ['api', 'DELETE', `${configMapsHere}/svc-audit-0`],
  'add a passkey': ['api', 'PATCH', `${configMapsHere}/svc-passkeys`, { data: { user: 'x' } }],
  'read the configuration': ['api', 'GET', `${configMapsHere}/svc-config`],
  'watch the license by name': [
    'controller',
    'GET',
    `${configMapsHere}?fieldSelector=metadata.name%3Dsvc-license&limit=1`,
  ],
  'protect our own pod from node autoscalers': [
    'controller',
    'PATCH',
    '/api/v1/namespaces/{svc}/pods/{app}',
    { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true', 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } } },
  ],
  'release it': [
    'controller',
    'PATCH',
    '/api/v1/namespaces/{svc}/pods/{app}',
    { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': null, 'cluster-autoscaler.kubernetes.io/safe-to-evict': null } } },
  ],
  'emit a transition event': ['controller', 'POST', '/api/v1/namespaces/default/events', event('default')],
};

describe('as our accounts, on a real apiserver', () => {
  it.each(Object.entries(allowed))('may %s', async (_, tried) => {
    const { message, status } = await attempt(tried);
    expect(message).toBe('');
    expect(status).toBeLessThan(300);
  });

  it('may emit a stand-down event in the own namespace', async () => {
    const answer = await attempt(['controller', 'POST', '/api/v1/namespaces/{svc}/events', event(release.namespace)]);
    expect(answer.message).toBe('');
  });
});

const denied = (object: string, policy: string, words: string) =>
  `${object} is forbidden: ValidatingAdmissionPolicy 'svc-${policy}' with binding 'svc-${policy}' denied request: ${words}`;
const workload = (object: string, words: string) => denied(object, 'workloads', words);
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
const ownWords = 'svc may write no ConfigMaps but those that hold its own state, audit log and passkeys';
const dropWords = 'svc may delete no ConfigMaps but those of its own audit log that are past their retention';
const satelliteWords = 'svc may create and delete no Deployments but its satellites';
const imageWords = 'a satellite runs the satellite image alone, with plain variables';
const shapeWords = 'a satellite has no account, no token, no host access and no volumes but empty ones';
const mainImage = { spec: { template: { spec: { containers: [{ name: 'main', image: 'evil/main:1' }] } } } };
const badSatellite = (changes: Parameters<typeof satellite>[1], from = image): Attempt => [
  'controller',
  'POST',
  satellites,
  satellite(from, changes),
];

const refused: Readonly<Record<string, readonly [Attempt, string]>> = {
  'read a Secret': [['controller', 'GET', '/api/v1/namespaces/{shop}/secrets/credentials'], cannot('secrets "credentials"', 'controller', 'get', 'secrets', '', '{shop}')],
  'list the Secrets of the own namespace': [['controller', 'GET', '/api/v1/namespaces/{svc}/secrets'], cannot('secrets', 'controller', 'list', 'secrets', '', '{svc}')],
  'read the own Secret as the API': [['api', 'GET', '/api/v1/namespaces/{svc}/secrets/svc-secrets'], cannot('secrets "svc-secrets"', 'api', 'get', 'secrets', '', '{svc}')],
  'run a command in a pod': [['controller', 'POST', '/api/v1/namespaces/{shop}/pods/{web}/exec?command=id'], cannot('pods "{web}"', 'controller', 'create', 'pods/exec', '', '{shop}')],
  'run a command in an own pod': [['controller', 'POST', '/api/v1/namespaces/{svc}/pods/{app}/exec?command=id'], cannot('pods "{app}"', 'controller', 'create', 'pods/exec', '', '{svc}')],
  'create a token': [['controller', 'POST', '/api/v1/namespaces/{svc}/serviceaccounts/svc-api/token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }], cannot('serviceaccounts "svc-api"', 'controller', 'create', 'serviceaccounts/token', '', '{svc}')],
  'scale through the scale subresource, past the policy': [['controller', 'PATCH', `${web}/scale`, { spec: { replicas: 9 } }], cannot('deployments.apps "web"', 'controller', 'patch', 'deployments/scale', 'apps', '{shop}')],
  'scale as the API': [['api', 'PATCH', web, { spec: { replicas: 0 } }], cannot('deployments.apps "web"', 'api', 'patch', 'deployments', 'apps', '{shop}')],
  'delete a workload': [['controller', 'DELETE', web], cannot('deployments.apps "web"', 'controller', 'delete', 'deployments', 'apps', '{shop}')],
  'delete a pod': [['controller', 'DELETE', '/api/v1/namespaces/{shop}/pods/{web}'], cannot('pods "{web}"', 'controller', 'delete', 'pods', '', '{shop}')],
  'change a Service that is not redirected': [['controller', 'PATCH', '/api/v1/namespaces/{shop}/services/other', { spec: { selector: { a: 'b' } } }], cannot('services "other"', 'controller', 'patch', 'services', '', '{shop}')],
  'write a ConfigMap of another namespace': [['controller', 'PATCH', '/api/v1/namespaces/{shop}/configmaps/theirs', { data: { a: 'c' } }], cannot('configmaps "theirs"', 'controller', 'patch', 'configmaps', '', '{shop}')],
  'read a ConfigMap of another namespace': [['api', 'GET', '/api/v1/namespaces/{shop}/configmaps/theirs'], cannot('configmaps "theirs"', 'api', 'get', 'configmaps', '', '{shop}')],
  'change the image of a pod template': [['controller', 'PATCH', web, mainImage], deploymentSpec],
  'scale and change a template in one write': [['controller', 'PATCH', web, { spec: { ...mainImage.spec, replicas: 0 } }], deploymentSpec],
  'pause a Deployment': [['controller', 'PATCH', web, { spec: { paused: true } }], deploymentSpec],
  'change the strategy': [['controller', 'PATCH', web, { spec: { strategy: { rollingUpdate: null, type: 'Recreate' } } }], deploymentSpec],
  'change minReadySeconds': [['controller', 'PATCH', web, { spec: { minReadySeconds: 5 } }], deploymentSpec],
  'change the revision history': [['controller', 'PATCH', web, { spec: { revisionHistoryLimit: 1 } }], deploymentSpec],
  'change the progress deadline': [['controller', 'PATCH', web, { spec: { progressDeadlineSeconds: 5 } }], deploymentSpec],
  'add a foreign annotation': [['controller', 'PATCH', web, { metadata: { annotations: { 'example.com/x': 'y' } } }], workload('deployments.apps "web"', annotationWords)],
  'change a foreign annotation': [['controller', 'PATCH', web, { metadata: { annotations: { 'example.com/owner': 'me' } } }], workload('deployments.apps "web"', annotationWords)],
  'remove a foreign annotation': [['controller', 'PATCH', web, { metadata: { annotations: { 'example.com/owner': null } } }], workload('deployments.apps "web"', annotationWords)],
  'protect a workload as if it were our pod': [['controller', 'PATCH', web, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } }], workload('deployments.apps "web"', annotationWords)],
  'add a label': [['controller', 'PATCH', web, { metadata: { labels: { x: 'y' } } }], workload('deployments.apps "web"', labelWords)],
  'remove a label': [['controller', 'PATCH', web, { metadata: { labels: { team: null } } }], workload('deployments.apps "web"', labelWords)],
  'add a finalizer': [['controller', 'PATCH', web, { metadata: { finalizers: ['example.com/x'] } }], workload('deployments.apps "web"', metadataWords)],
  'add an owner': [['controller', 'PATCH', web, { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'theirs', uid: '0' }] } }], workload('deployments.apps "web"', metadataWords)],
  'change the template of a StatefulSet': [['controller', 'PATCH', db, mainImage], statefulSpec],
  'change the update strategy of a StatefulSet': [['controller', 'PATCH', db, { spec: { updateStrategy: { rollingUpdate: null, type: 'OnDelete' } } }], statefulSpec],
  'let volumes go with a StatefulSet': [['controller', 'PATCH', db, { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } }], statefulSpec],
  'change the schedule of a CronJob': [['controller', 'PATCH', report, { spec: { schedule: '* * * * *' } }], cronSpec],
  'change what a CronJob runs': [['controller', 'PATCH', report, { spec: { jobTemplate: { spec: { backoffLimit: 1 } } } }], cronSpec],
  'change the type of a redirected Service': [['controller', 'PATCH', redirected, { spec: { type: 'NodePort' } }], serviceSpec],
  'claim an outside address for a redirected Service': [['controller', 'PATCH', redirected, { spec: { externalIPs: ['192.0.2.1'] } }], serviceSpec],
  'change the ports of a redirected Service': [['controller', 'PATCH', redirected, { spec: { ports: [{ port: 81 }] } }], serviceSpec],
  'label a redirected Service': [['controller', 'PATCH', redirected, { metadata: { labels: { x: 'y' } } }], workload('services "web"', labelWords)],
  'change the image of an own pod': [['controller', 'PATCH', '/api/v1/namespaces/{svc}/pods/{app}', [{ op: 'replace', path: '/spec/containers/0/image', value: 'evil/main:1' }]], workload('pods "{app}"', 'svc may not change spec of this Pod')],
  'relabel an own pod': [['controller', 'PATCH', '/api/v1/namespaces/{svc}/pods/{app}', { metadata: { labels: { x: 'y' } } }], workload('pods "{app}"', labelWords)],
  'write a foreign ConfigMap of the own namespace': [['controller', 'PATCH', `${configMapsHere}/theirs`, { data: { a: 'c' } }], denied('configmaps "theirs"', 'configmaps', ownWords)],
  'write the own configuration': [['api', 'PATCH', `${configMapsHere}/svc-config`, { data: { 'config.yaml': '' } }], denied('configmaps "svc-config"', 'configmaps', ownWords)],
  'write the license': [['controller', 'POST', configMapsHere, configMap('svc-license')], denied('configmaps "svc-license"', 'configmaps', ownWords)],
  'create a ConfigMap under any name': [['api', 'POST', configMapsHere, { ...configMap(''), metadata: { generateName: 'svc-audit-' } }], ''],
  'write passkeys as the controller': [['controller', 'PATCH', `${configMapsHere}/svc-passkeys`, { data: { user: 'evil' } }], denied('configmaps "svc-passkeys"', 'configmaps', ownWords)],
  'delete the state': [['controller', 'DELETE', state], denied('configmaps "svc-state"', 'configmaps', dropWords)],
  'delete the passkeys': [['api', 'DELETE', `${configMapsHere}/svc-passkeys`], denied('configmaps "svc-passkeys"', 'configmaps', dropWords)],
  'create any Deployment': [['controller', 'POST', satellites, { ...deployment, metadata: { name: 'miner' } }], denied('deployments.apps "miner"', 'satellites', satelliteWords)],
  'create a satellite where nothing is redirected': [['controller', 'POST', '/apis/apps/v1/namespaces/{svc}/deployments', satellite(image)], cannot('deployments.apps', 'controller', 'create', 'deployments', 'apps', '{svc}')],
  'run another image as a satellite': [badSatellite({}, 'evil/main:1'), denied('deployments.apps "svc-satellite-web"', 'satellites', imageWords)],
  'run another command in a satellite': [badSatellite({ container: { command: ['sh'] } }), denied('deployments.apps "svc-satellite-web"', 'satellites', imageWords)],
  'hand a Secret to a satellite': [badSatellite({ container: { envFrom: [{ secretRef: { name: 'credentials' } }] } }), denied('deployments.apps "svc-satellite-web"', 'satellites', imageWords)],
  'mount a Secret into a satellite': [badSatellite({ pod: { volumes: [{ name: 'a', secret: { secretName: 'credentials' } }] } }), denied('deployments.apps "svc-satellite-web"', 'satellites', shapeWords)],
  'give a satellite an account': [badSatellite({ pod: { serviceAccountName: 'default' } }), denied('deployments.apps "svc-satellite-web"', 'satellites', shapeWords)],
  'give a satellite a token': [badSatellite({ pod: { automountServiceAccountToken: true } }), denied('deployments.apps "svc-satellite-web"', 'satellites', shapeWords)],
  'give a satellite the host network': [badSatellite({ pod: { hostNetwork: true } }), denied('deployments.apps "svc-satellite-web"', 'satellites', shapeWords)],
  'weaken the policy': [['controller', 'DELETE', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/svc-workloads'], 'validatingadmissionpolicies.admissionregistration.k8s.io "svc-workloads" is forbidden: User "system:serviceaccount:{svc}:svc-controller" cannot delete resource "validatingadmissionpolicies" in API group "admissionregistration.k8s.io" at the cluster scope'],
};

describe('as our accounts, the real apiserver refuses to', () => {
  it.each(Object.entries(refused).filter(([, [, message]]) => message !== ''))('%s', async (_, [tried, message]) => {
    const answer = await attempt(tried);
    expect(answer.message).toBe(placed(message));
  });
});
