import { describe, expect, it } from 'vitest';
import {
  find,
  podsOf,
  type Rendered,
  type RenderOptions,
  releaseNamespace,
  render,
  type Values,
} from './harness/helm.ts';

const services = [
  { namespace: 'shop', name: 'web' },
  { namespace: 'media', name: 'player' },
  { namespace: 'shop', name: 'cart' },
];
const redirection = { config: { serviceRedirection: { enabled: true, services } } };
const login = { create: true, username: 'robot', password: 'token' };

/** What the controller is told of satellites. */
function told(objects: readonly Rendered[]): Readonly<Record<string, string>> {
  const { template } = find(objects, 'Deployment', 'svc-controller')['spec'] as {
    template: { spec: { containers: [{ env: readonly { name: string; value: string }[] }] } };
  };
  const env = template.spec.containers[0].env.filter(({ name }) => name.startsWith('SATELLITE_'));
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

function pullSecrets(objects: readonly Rendered[]): readonly string[] {
  return objects
    .filter(({ kind, type }) => kind === 'Secret' && type === 'kubernetes.io/dockerconfigjson')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

describe('satellites in the namespaces of other people', () => {
  it('name no pull secret that is in ours alone', async () => {
    const objects = await render({ ...redirection, imagePullSecrets: { ...login, existingSecret: 'mine' } });
    expect(told(objects)['SATELLITE_IMAGE_PULL_SECRETS']).toBe('');
    expect(pullSecrets(objects)).toEqual([`${releaseNamespace}/svc-pull`]);
  });

  it('name those that are said to be there, and that which helm puts there', async () => {
    const satellite = { imagePullSecrets: ['theirs'], createPullSecrets: true };
    const objects = await render({ ...redirection, imagePullSecrets: login, satellite });
    expect(told(objects)['SATELLITE_IMAGE_PULL_SECRETS']).toBe('theirs,svc-pull');
    expect(pullSecrets(objects)).toEqual([`${releaseNamespace}/svc-pull`, 'media/svc-pull', 'shop/svc-pull']);
  });

  const infra = { nodeSelector: { pool: 'infra' }, tolerations: [{ key: 'infra', operator: 'Exists' }] };
  const rows: [string, Values, object][] = [
    ['anywhere', {}, {}],
    ['where our own pods run', infra, infra],
    [
      'where their own values say',
      { ...infra, satellite: { nodeSelector: { pool: 'spot' } } },
      { ...infra, nodeSelector: { pool: 'spot' } },
    ],
  ];
  it.each(rows)('run %s', async (_, values, placement) => {
    const text = told(await render({ ...redirection, ...values }))['SATELLITE_PLACEMENT'] ?? '';
    expect(JSON.parse(text)).toEqual(placement);
  });
});

describe('on OpenShift, which assigns users and groups to namespaces', () => {
  const openShift: RenderOptions = { apiVersions: ['security.openshift.io/v1'] };
  /** Every user and group that a pod of the release asks for. */
  const asked = async (values: Values, options: RenderOptions) =>
    JSON.stringify(podsOf(await render(values, options))).match(/"(runAsUser|fsGroup)":\d+/g) ?? [];

  it('no pod asks for one of ours', async () => {
    expect(await asked({}, openShift)).toEqual([]);
    expect(new Set(await asked({}, {}))).toEqual(new Set(['"fsGroup":1000', '"runAsUser":1000', '"runAsUser":65532']));
  });

  it('what somebody chose stays', async () => {
    const chosen = { securityContext: { api: { runAsUser: 1_000_690_000 } } };
    expect(await asked(chosen, openShift)).toEqual(['"runAsUser":1000690000']);
  });
});
