import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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
  release = await Release.install(cluster, {
    config: {
      ...(await onlyShop()),
      ...redirection(),
      workingHours: hours('off'),
    },
  });
  await startAgain();
});

afterAll(async () => {
  await controller?.stop();
  await release?.uninstall('--no-hooks');
  await cluster?.close();
});

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
async function upgrade(config: object): Promise<void> {
  const values = valuesFile({ config: { ...(await onlyShop()), ...config } });
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

async function satellite(): Promise<number> {
  const path = `/apis/apps/v1/namespaces/${shop}/deployments/svc-satellite-web`;
  return (await ask(cluster.admin, 'GET', path)).status;
}

const lastLines = () =>
  log
    .slice(-8)
    .map((line) => JSON.stringify(line))
    .join('\n');

describe('a service that the values no longer name while it is redirected, on the real apiserver', () => {
  it('is given back by the next life of the controller, and its satellite goes', async () => {
    await vi.waitFor(
      async () => expect([await selector(), lastLines()]).toEqual([{ 'svc.io/satellite': 'web' }, expect.anything()]),
      soon,
    );
    await controller.stop();
    await upgrade({ workingHours: hours('off') });
    await startAgain();
    await vi.waitFor(
      async () =>
        expect([await selector(), await satellite(), lastLines()]).toEqual([{ app: 'web' }, 404, expect.anything()]),
      soon,
    );
  });
});
