import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningController, startController } from '../../src/controller/main.ts';
import { controllerFeatures } from '../../src/controller/main-features.ts';
import { cryptographicRandom as random } from '../../src/platform/random.ts';
import { systemClock as clock } from '../../src/platform/system-clock.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { asShipped, noApi } from '../support/as-shipped.ts';
import { type LogLine, RecordingLogger } from '../support/recording-logger.ts';
import { ask } from './harness/account-request.ts';
import { chartFolder, render, smallestValues, valuesFile } from './harness/helm.ts';
import { Release } from './harness/release.ts';
import { deployment, service } from './harness/targets.ts';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const hours = (text: string) => ({ schedule: Object.fromEntries(days.map((day) => [day, text])) });
const soon = { timeout: 60_000, interval: 200 };

let cluster: RealCluster;
let shop: string;
let release: Release;
let controller: RunningController;
const log: LogLine[] = [];

beforeAll(async () => {
  cluster = await realCluster();
  shop = await cluster.namespace('shop');
  await asAdmin('POST', `/apis/apps/v1/namespaces/${shop}/deployments`, deployment);
  await asAdmin('POST', `/api/v1/namespaces/${shop}/services`, service('web'));
});

afterEach(async () => {
  await controller?.stop();
  await release?.uninstall('--no-hooks');
});

afterAll(async () => {
  await cluster?.close();
});

/** A release that redirects the service, with or without the policy that holds its accounts to our marks. */
async function install(fenced: boolean): Promise<void> {
  const config = { ...(await onlyShop()), ...redirection(), workingHours: hours('off') };
  release = await Release.install(cluster, { config, admissionPolicy: { enabled: fenced } });
  await startAgain();
}

/** A new life of the controller, with the account and the rights that the release has now. */
async function startAgain(): Promise<void> {
  // The image is the one that the policy of the release takes.
  const [policy] = (await render({ config: redirection() })).filter(({ metadata, kind }) => {
    return kind === 'ValidatingAdmissionPolicy' && metadata.name === 'svc-satellites';
  });
  const image = /container\.image == '([^']+)'/.exec(JSON.stringify(policy))?.[1];
  controller = await startController({
    transport: (await cluster.serviceAccount(release.namespace, 'svc-controller')).transport,
    clock,
    random,
    logger: new RecordingLogger(log, {}),
    namespace: release.namespace,
    ...asShipped,
    frames: noApi,
    features: (base) =>
      controllerFeatures(base, { env: { SATELLITE_IMAGE: image }, mailer: () => ({ async send() {} }) }),
  });
}

function redirection(): object {
  return { serviceRedirection: { enabled: true, services: [{ namespace: shop, name: 'web' }] } };
}

/** Every value that is not given is as the chart has it: the block is gone. */
async function upgrade(config: object, fenced: boolean): Promise<void> {
  const values = valuesFile({ config: { ...(await onlyShop()), ...config }, admissionPolicy: { enabled: fenced } });
  await release.helm(['upgrade', 'svc', chartFolder, '--values', valuesFile(smallestValues), '--values', values]);
}

/** The cluster may be one that somebody lent us: nothing but the test's own workloads is in scope. */
async function onlyShop(): Promise<object> {
  const { body } = await asAdmin('GET', '/api/v1/namespaces');
  const names = (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  const exclude = names.filter((name) => name !== shop).map((exact) => ({ exact }));
  return { targeting: { namespaces: { exclude: [...exclude, { pattern: 'svc-*' }] } } };
}

async function asAdmin(method: 'POST' | 'GET', path: string, body?: object) {
  const answer = await ask(cluster.admin, method, path, body);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}

async function selector(): Promise<unknown> {
  const { body } = await asAdmin('GET', `/api/v1/namespaces/${shop}/services/web`);
  return (body['spec'] as { selector: unknown }).selector;
}

async function recorded(): Promise<unknown> {
  const { body } = await asAdmin('GET', `/api/v1/namespaces/${release.namespace}/configmaps/svc-state`);
  return JSON.parse((body['data'] as Record<string, string>)['satellites'] ?? '[]');
}

async function satellite(): Promise<number> {
  const path = `/apis/apps/v1/namespaces/${shop}/deployments/svc-satellite-web`;
  return (await ask(cluster.admin, 'GET', path)).status;
}

const lastLines = () =>
  log
    .slice(-8)
    .map((line) => JSON.stringify(line))
    .join('\n');

const isRedirected = () =>
  vi.waitFor(
    async () => expect([await selector(), lastLines()]).toEqual([{ 'svc.io/satellite': 'web' }, expect.anything()]),
    soon,
  );
const isGivenBack = () =>
  vi.waitFor(
    async () =>
      expect([await selector(), await satellite(), lastLines()]).toEqual([{ app: 'web' }, 404, expect.anything()]),
    soon,
  );

/** What the controller may do to Services and satellites by name. */
async function namedRights(): Promise<readonly (readonly string[])[]> {
  const { status, body } = await ask(
    cluster.admin,
    'GET',
    `/apis/rbac.authorization.k8s.io/v1/namespaces/${shop}/roles/svc-satellites`,
  );
  if (status === 404) return [];
  const rules = body['rules'] as readonly { verbs: readonly string[]; resourceNames?: readonly string[] }[];
  return rules.map(({ verbs, resourceNames = ['*'] }) => [...verbs, ...resourceNames]);
}

describe.each([
  ['with the admission policy', true],
  ['without the admission policy', false],
])('a service that the values no longer name while it is redirected, on the real apiserver, %s', (_, fenced) => {
  it('is given back by the next life of the controller, and its satellite goes', async () => {
    await install(fenced);
    await isRedirected();
    await controller.stop();
    await upgrade({ workingHours: hours('off') }, fenced);
    await startAgain();
    await isGivenBack();
  });
});

describe('the rights to a service that is redirected, without the admission policy', () => {
  it('are named as long as it is, and end with it', async () => {
    await install(false);
    await isRedirected();
    const ending = [
      ['patch', 'web'],
      ['delete', 'svc-satellite-web'],
    ];
    expect(await namedRights()).toEqual([['create', '*'], ...ending]);
    await controller.stop();
    await upgrade({ workingHours: hours('off') }, false);
    expect(await namedRights()).toEqual(ending);
    await startAgain();
    await isGivenBack();
    await vi.waitFor(async () => expect(await recorded()).toEqual([]), soon);
    await upgrade({ workingHours: hours('off') }, false);
    expect(await namedRights()).toEqual([]);
  });
});
