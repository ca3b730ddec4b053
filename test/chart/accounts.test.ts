import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { onWhenNamed } from '../../src/domain/kinds/kinds.ts';
import { forbidden, type Right, rightsTable } from '../../tools/generate/rights-table.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import type { ServiceAccountIdentity } from '../cluster/harness/service-account.ts';
import { allowed, namespaceEvent } from './accounts/allowed.ts';
import type { Account, Attempt, Method } from './accounts/attempt.ts';
import { refusedByPolicy, refusedByRbac, refusedSatellites } from './accounts/refused.ts';
import { type Answer, ask, statusOf } from './harness/account-request.ts';
import { podsOf, render } from './harness/helm.ts';
import { Release } from './harness/release.ts';
import { configMap, cronJob, deployment, secret, service, statefulSet } from './harness/targets.ts';

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
      targeting: { kinds: [...onWhenNamed] },
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

describe('as our accounts, on a real apiserver', () => {
  it.each(Object.entries(allowed(image)))('may %s', async (_, tried) => {
    const { message, status } = await attempt(tried);
    expect(message).toBe('');
    expect(status).toBeLessThan(300);
  });

  it('may emit a stand-down event in the own namespace', async () => {
    const event = namespaceEvent(release.namespace);
    const answer = await attempt(['controller', 'POST', '/api/v1/namespaces/{svc}/events', event]);
    expect(answer.message).toBe('');
  });
});

const refused = { ...refusedByRbac(image), ...refusedByPolicy, ...refusedSatellites(image) };

describe('as our accounts, the real apiserver refuses to', () => {
  it.each(Object.entries(refused))('%s', async (_, [tried, message]) => {
    const answer = await attempt(tried);
    expect(answer.message).toBe(placed(message));
  });
});

describe('restricted PodSecurity', () => {
  const features = {
    config: {
      externalDependencies: [
        { cluster: 'hub', url: 'https://hub.example.com', secretRef: { name: 'wake', key: 'hmac' } },
      ],
    },
    branding: { name: 'Example' },
    tls: { enabled: true, secretName: 'tls' },
    extraVolumes: [{ name: 'extra', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'extra', mountPath: '/extra' }],
  };

  it.each([
    ['by default', {}],
    ['with everything that mounts something', features],
  ])('admits every pod of the chart %s', async (_, values) => {
    const pods = podsOf(await render(values, { namespace: release.namespace }));
    expect(pods.length).toBe(4);
    for (const spec of pods) expect(await admission(spec)).toBe('');
  });

  it('is in force', async () => {
    const [pod] = podsOf(await render({}, { namespace: release.namespace }));
    const containers = pod?.containers.map((one) => ({ ...one, securityContext: {} }));
    expect(await admission({ ...pod, containers })).toMatch(/violates PodSecurity "restricted:latest"/);
  });

  /** The words of the apiserver about such a pod, without creating it. */
  async function admission(spec: object): Promise<string> {
    const path = `/api/v1/namespaces/${release.namespace}/pods?dryRun=All`;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { generateName: 'test-' },
      spec: { ...spec, restartPolicy: 'Never' },
    };
    return (await ask(cluster.admin, 'POST', path, pod)).message;
  }
});

interface Role {
  readonly rules: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[];
}

interface Verb {
  readonly account: Account;
  readonly right: Right;
  readonly resource: string;
  readonly verb: string;
}

const verbs: readonly Verb[] = rightsTable
  .filter(({ feature }) => feature !== 'admissionPolicy.enabled: false')
  .flatMap((right) =>
    right.resources.flatMap((resource) =>
      right.verbs.map((verb) => ({ account: right.account, right, resource, verb })),
    ),
  );

function namespaceOf({ where }: Right): string | undefined {
  return { cluster: undefined, release: places['svc'], default: 'default', redirected: places['shop'] }[where];
}

/** The object that the role holds in its own namespace or for the whole cluster. */
function rolePath({ right, account }: Verb): string {
  const namespace = namespaceOf(right);
  const isOfEvents = right.resources[0] === 'events' && namespace !== undefined;
  const suffix = right.where === 'redirected' ? 'satellites' : isOfEvents ? `${account}-events` : account;
  const place = namespace === undefined ? 'clusterroles' : `namespaces/${namespace}/roles`;
  return `/apis/rbac.authorization.k8s.io/v1/${place}/svc-${suffix}`;
}

/** A request that needs this verb and changes nothing, whether it is granted or not. */
function requestOf({ right, resource, verb }: Verb): { method: Method; path: string; name: string } {
  const { group, named } = right;
  const versions: Readonly<Record<string, string>> = { 'keda.sh': 'v1alpha1', autoscaling: 'v2' };
  const root = group === '' ? '/api/v1' : `/apis/${group}/${versions[group] ?? 'v1'}`;
  const perObject = ['get', 'patch', 'delete'].includes(verb);
  const namespace = namespaceOf(right) ?? (perObject ? 'default' : undefined);
  const collection = `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${resource}`;
  const name = named === undefined ? 'absent' : objectNamed(resource, named);
  const queries: Readonly<Record<string, string>> = { list: 'limit=1', watch: 'watch=true&timeoutSeconds=1' };
  const query = queries[verb] ?? (verb === 'get' ? '' : 'dryRun=All');
  const methods: Readonly<Record<string, Method>> = { create: 'POST', patch: 'PATCH', delete: 'DELETE' };
  const path = `${perObject ? `${collection}/${name}` : collection}${query === '' ? '' : `?${query}`}`;
  return { method: methods[verb] ?? 'GET', path, name: perObject ? name : '' };
}

/** One of the objects that a right is limited to. */
function objectNamed(resource: string, named: string): string {
  if (resource === 'configmaps') return 'svc-state';
  return named === 'their satellites' ? 'svc-satellite-web' : 'web';
}

describe('without one verb, the apiserver says what is missing', () => {
  it.each(verbs.map((one) => [`${one.account}: ${one.verb} ${one.resource} (${one.right.where})`, one] as const))(
    '%s',
    async (_, one) => {
      const { right, resource, verb, account } = one;
      const { method, path, name } = requestOf(one);
      // The right that the row before gave back takes a moment to be there again.
      await vi.waitFor(async () => expect(await statusOf(accounts[account], method, path)).not.toBe(403), soon);

      // The apiserver answers a Role at the path of a Role.
      const { rules } = (await asAdmin('GET', rolePath(one))).body as unknown as Role;
      const isMeant = (rule: Role['rules'][number]) =>
        rule.apiGroups[0] === right.group && rule.resources.includes(resource) && rule.verbs.includes(verb);
      const without = rules.map((rule) =>
        isMeant(rule) ? { ...rule, verbs: ['deletecollection', ...rule.verbs.filter((each) => each !== verb)] } : rule,
      );
      await asAdmin('PATCH', rolePath(one), { rules: without });
      const user = `system:serviceaccount:${release.namespace}:svc-${account}`;
      const namespace = namespaceOf(right) ?? (name === '' ? undefined : 'default');
      const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
      const object = `${resource}${right.group === '' ? '' : `.${right.group}`}${name === '' ? '' : ` "${name}"`}`;
      try {
        await vi.waitFor(async () => {
          const { message } = await ask(accounts[account], method, path, method === 'GET' ? undefined : {});
          expect(message).toBe(`${object} is forbidden: ${forbidden(verb, resource, right.group, user, scope)}`);
        }, soon);
      } finally {
        await asAdmin('PATCH', rolePath(one), { rules });
      }
    },
  );
});
