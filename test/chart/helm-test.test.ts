import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { selfSigned } from '../support/self-signed.ts';
import { ask } from './harness/account-request.ts';
import { smallestValues, type Values } from './harness/helm.ts';
import { type AssembledImages, assembleImages } from './harness/images.ts';
import { onProcessNode } from './harness/kubelet/process-node.ts';
import { ProcessKubelet } from './harness/process-kubelet.ts';
import { Release } from './harness/release.ts';
import { defineMonitoring } from './harness/strict-apply.ts';
import { installations } from './installations.ts';

const folder = join(import.meta.dirname, 'values');
const fileOf = (name: string) => parse(readFileSync(join(folder, name), 'utf8')) as Values;
const soon = { timeout: 60_000, interval: 200 };
const quick = { initialDelaySeconds: 0, periodSeconds: 1, timeoutSeconds: 3 };

const all: readonly (readonly [string, Values])[] = [
  ...readdirSync(folder).map((name) => [name, fileOf(name)] as const),
  ...Object.entries(installations).map(([name, { values }]) => [name, values] as const),
];

let cluster: RealCluster;
let images: AssembledImages;
let undefine: () => Promise<void>;
let release: Release | undefined;
let kubelet: ProcessKubelet | undefined;
/** Those that the values name, beside that of the release. */
const namespaces = ['shop', 'crm', 'monitoring', 'sleeping'];
const made: string[] = [];

beforeAll(async () => {
  [cluster, images] = await Promise.all([realCluster(), assembleImages(['controller', 'api', 'frontend'])]);
  for (const name of namespaces) {
    const { status } = await create('/api/v1/namespaces', { metadata: { name } });
    if (status === 201) made.push(`/api/v1/namespaces/${name}`);
  }
  undefine = await defineMonitoring(cluster.admin);
});

afterEach(async () => {
  await release?.uninstall('--no-hooks');
  await kubelet?.close();
  release = undefined;
  kubelet = undefined;
});

afterAll(async () => {
  await undefine?.();
  for (const path of made) await ask(cluster.admin, 'DELETE', path);
  await images?.remove();
  await cluster?.close();
});

const create = (path: string, body: object) => ask(cluster.admin, 'POST', path, body);

/** What the values say is there already: a Secret, a certificate, accounts with the rights of somebody else. */
async function prepare(namespace: string): Promise<void> {
  const home = `/api/v1/namespaces/${namespace}`;
  const { jwtSecret, internalApiSecret } = smallestValues['secrets'] as Record<string, string>;
  const stringData = { 'jwt-secret': jwtSecret, 'internal-api-secret': internalApiSecret };
  for (const name of ['my-secrets', 'svc-own']) await create(`${home}/secrets`, { metadata: { name }, stringData });
  const { key, cert } = selfSigned(['svc.example.com']);
  await create(`${home}/secrets`, {
    metadata: { name: 'svc-tls' },
    type: 'kubernetes.io/tls',
    stringData: { 'tls.key': key, 'tls.crt': cert },
  });
  await create(`${home}/configmaps`, { metadata: { name: 'company-ca' }, data: { 'ca.crt': cert } });
  for (const name of ['my-api', 'my-controller']) {
    await create(`${home}/serviceaccounts`, { metadata: { name } });
    const binding = `svc-test-${namespace}-${name}`;
    await create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: binding },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
    made.push(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${binding}`);
  }
}

/** On the node of processes, as quick as tests are; and a cluster that somebody lent us is none to put to sleep. */
function here(values: Values): Values {
  const { config = {}, readinessProbe = {}, startupProbe = {} } = values as Record<string, Record<string, unknown>>;
  return {
    ...values,
    ...onProcessNode,
    affinity: {},
    config: { ...config, operations: { ...(config['operations'] as object | undefined), dryRun: true } },
    readinessProbe: { ...quick, ...readinessProbe },
    startupProbe: { ...quick, ...startupProbe, failureThreshold: 60 },
  };
}

describe('helm test', () => {
  it('is asked of sixty installations', () => {
    expect(all).toHaveLength(60);
  });

  it.each(all)('passes with %s', async (_, values) => {
    const elsewhere = (values['namespace'] as { name?: string } | undefined)?.name;
    const namespace =
      elsewhere ?? (await cluster.namespace('svc', { 'pod-security.kubernetes.io/enforce': 'restricted' }));
    await prepare(namespace);
    release = await Release.install(cluster, here(values), namespace);
    kubelet = await ProcessKubelet.start({ admin: cluster.admin, namespace, images: images.folder });
    // Without probes a pod counts as ready before it is.
    const services = [
      ['svc-app', 'http'],
      ['svc-api', 'health'],
      ['svc-controller', 'health'],
    ] as const;
    await vi.waitFor(async () => {
      const answers = services.map(([service, port]) => fetch(`${kubelet?.url(service, port)}/readyz`));
      const seen = await Promise.all(answers.map((one) => one.then(({ status }) => status).catch(String)));
      expect([seen, kubelet?.problems]).toEqual([[200, 200, 200], []]);
    }, soon);
    expect(await release.helm(['test', 'svc', '--timeout', '1m'])).toMatch(/Phase:\s+Succeeded/);
  });
});
