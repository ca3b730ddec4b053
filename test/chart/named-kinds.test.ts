import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sleep } from '../../src/domain/kinds/kind-row.ts';
import { onWhenNamed, rowOf } from '../../src/domain/kinds/kinds.ts';
import { patchAt, placeText, stepsOf, stepsTo, valueAt } from '../../src/domain/kinds/place.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import type { ServiceAccountIdentity } from '../cluster/harness/service-account.ts';
import {
  customDefinition,
  customObject,
  definitionOf,
  isBuiltIn,
  type NeighbourKind,
  neighbour,
} from '../support/builders/neighbours.ts';
import { type Answer, ask } from './harness/account-request.ts';
import { Release } from './harness/release.ts';

const soon = { timeout: 20_000, interval: 50 };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Described by whoever installs, and of an operator that keeps everything in annotations. */
const lamp = { kind: 'Lamp', group: 'example.com', version: 'v1', plural: 'lamps' };
const lampSleeps = { name: 'example.com/switched', value: 'dark' };
const lampPath = () => `/apis/${lamp.group}/${lamp.version}/namespaces/${shop}/${lamp.plural}`;

let cluster: RealCluster;
let release: Release;
let shop: string;
let controller: ServiceAccountIdentity;

beforeAll(async () => {
  cluster = await realCluster();
  shop = await cluster.namespace('shop');
  for (const kind of onWhenNamed) {
    if (isBuiltIn(kind)) continue;
    const { group, version, plural } = rowOf(kind);
    const defined = await ask(cluster.admin, 'POST', definitions, definitionOf(kind));
    expect([kind, defined.status === 409 ? 201 : defined.status, defined.message]).toEqual([
      kind,
      201,
      expect.anything(),
    ]);
    const path = `/apis/${group}/${version}/namespaces/${shop}/${plural}`;
    await vi.waitFor(async () => expect((await ask(cluster.admin, 'GET', path)).status).toBe(200), soon);
  }
  await ask(cluster.admin, 'POST', definitions, customDefinition(lamp));
  await vi.waitFor(async () => expect((await ask(cluster.admin, 'GET', lampPath())).status).toBe(200), soon);
  release = await Release.install(cluster, {
    config: { targeting: { kinds: [...onWhenNamed, { ...lamp, annotation: lampSleeps }] } },
  });
  controller = await cluster.serviceAccount(release.namespace, 'svc-controller');
});

afterAll(async () => {
  await release?.uninstall('--no-hooks');
  await cluster?.close();
});

const labels = { app: 'agent' };
const daemons = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'agent', image: 'example.com/agent:1' }] } },
};
const scaling = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, maxReplicas: 90 };
/** A field of the spec that the apiserver keeps, and that is not ours. */
const another: Partial<Record<NeighbourKind, string>> = {
  DaemonSet: 'minReadySeconds',
  HorizontalPodAutoscaler: 'maxReplicas',
};
/** As an owner writes it: with a value of its own at the place where there may be one. */
const owners: Partial<Record<NeighbourKind, Parameters<typeof neighbour>[2]>> = {
  ScaledObject: {
    annotations: { 'autoscaling.keda.sh/paused-replicas': '3' },
    spec: { scaleTargetRef: { name: 'a' } },
  },
  Cluster: { annotations: { 'cnpg.io/hibernation': 'off' }, spec: { instances: 3 } },
  Rollout: { spec: { replicas: 2, workloadRef: { kind: 'Deployment', name: 'a' } } },
  postgresql: { spec: { numberOfInstances: 2 } },
  KafkaConnect: { spec: { replicas: 3 } },
  DaemonSet: { spec: daemons },
  HorizontalPodAutoscaler: { spec: scaling },
};

function pathTo(kind: NeighbourKind): string {
  const { group, version, plural } = rowOf(kind);
  return `/apis/${group}/${version}/namespaces/${shop}/${plural}`;
}

async function made(kind: NeighbourKind): Promise<Answer> {
  const manifest = neighbour(kind, `${shop}/one`, owners[kind] ?? { spec: { theirs: 1 } });
  const answer = await ask(cluster.admin, 'POST', pathTo(kind), manifest);
  expect(answer.message).toBe('');
  return answer;
}

/** One merge patch as the controller: the value at the place, and our mark. */
function put(kind: NeighbourKind, value: unknown, mark: string | null): Promise<Answer> {
  const { sleep } = rowOf(kind);
  const marks = { 'svc.io/hibernated-epoch': mark };
  const body =
    sleep.by === 'annotation'
      ? { metadata: { annotations: { ...marks, [sleep.name]: value } } }
      : {
          metadata: { annotations: marks },
          ...patchAt(value === null ? stepsToClear(sleep) : stepsTo(sleep), value),
        };
  return ask(controller, 'PATCH', `${pathTo(kind)}/one`, body);
}

/** What the apiserver fills in around ours goes with it. */
function stepsToClear(sleep: Sleep): readonly string[] {
  return sleep.by === 'field' && sleep.within !== undefined ? stepsOf(sleep.within.pointer) : stepsTo(sleep);
}

function whatItsOwnerSees({ body }: Answer, written: readonly string[] = []): string {
  const { annotations = {} } = body['metadata'] as { annotations?: Record<string, string> };
  const theirs = Object.entries(annotations).filter(([name]) => !written.includes(name));
  return JSON.stringify([theirs, body['spec']]);
}

describe.each([...onWhenNamed])('a %s, for our account on a real apiserver', (kind) => {
  const { sleep, writtenAlong } = rowOf(kind);
  const asleep = sleep.by === 'scale' ? 0 : sleep.value;

  it('sleeps by its one place and comes back byte for byte; nothing else of it may change', async () => {
    await made(kind);
    let tries = 0;
    const elsewhere = () => ({ spec: { [another[kind] ?? 'others']: ++tries } });
    // A new policy takes a moment to be in force.
    await vi.waitFor(async () => {
      const refused = await ask(controller, 'PATCH', `${pathTo(kind)}/one`, elsewhere());
      expect([refused.status, refused.message]).toEqual([
        422,
        expect.stringContaining(`may not change spec of this ${kind}`),
      ]);
    }, soon);
    const before = await ask(cluster.admin, 'GET', `${pathTo(kind)}/one`);
    const value = valueAt(before.body, stepsTo(sleep));
    expect(await put(kind, asleep, '7')).toMatchObject({ status: 200, message: '' });
    const back = await put(kind, value ?? null, null);
    expect(back.message).toBe('');
    expect(whatItsOwnerSees(back, writtenAlong)).toBe(whatItsOwnerSees(before, writtenAlong));
    await ask(cluster.admin, 'DELETE', `${pathTo(kind)}/one`);
  });
});

describe('an object without a spec, for our account on a real apiserver', () => {
  it('sleeps by the annotation that is described, and gets no spec', async () => {
    const { spec: _, ...bare } = customObject(lamp, `${shop}/one`);
    expect((await ask(cluster.admin, 'POST', lampPath(), bare)).message).toBe('');
    const put = (body: object) => ask(controller, 'PATCH', `${lampPath()}/one`, body);
    await vi.waitFor(async () => {
      const refused = await put({ spec: { bright: true } });
      expect([refused.status, refused.message]).toEqual([
        422,
        expect.stringContaining('may not change spec of this Lamp'),
      ]);
    }, soon);
    const marks = { 'svc.io/hibernated-epoch': '7', [lampSleeps.name]: lampSleeps.value };
    expect(await put({ metadata: { annotations: marks } })).toMatchObject({ status: 200, message: '' });
    await ask(cluster.admin, 'DELETE', `${lampPath()}/one`);
  });
});

describe('a DaemonSet, for our account on a real apiserver', () => {
  it.each([
    ['its image', { spec: { containers: [{ name: 'agent', image: 'example.com/evil:1' }] } }],
    ['another label of a node that it asks for', { spec: { nodeSelector: { disk: 'ssd' } } }],
    ["its pods' labels", { metadata: { labels: { more: 'of-it' } } }],
    ['its account', { spec: { serviceAccountName: 'admin' } }],
  ])('keeps %s', async (_, template) => {
    await made('DaemonSet');
    const answer = await ask(controller, 'PATCH', `${pathTo('DaemonSet')}/one`, { spec: { template } });
    await ask(cluster.admin, 'DELETE', `${pathTo('DaemonSet')}/one`);
    expect(answer.message).toContain(
      `svc may not change spec of this DaemonSet but for ${placeText(rowOf('DaemonSet').sleep)}`,
    );
  });
});

describe('a HorizontalPodAutoscaler, for our account on a real apiserver', () => {
  const kind = 'HorizontalPodAutoscaler';
  const behavior = { scaleUp: { selectPolicy: 'Min' }, scaleDown: { stabilizationWindowSeconds: 60 } };

  it('has what the cluster fills in around our value, as the table of kinds says', async () => {
    await made(kind);
    const { sleep } = rowOf(kind);
    const asleep = await put(kind, 'Disabled', '7');
    await ask(cluster.admin, 'DELETE', `${pathTo(kind)}/one`);
    const { within } = sleep as { within: { pointer: string; filled: object } };
    expect(valueAt(asleep.body, stepsOf(within.pointer))).toEqual(within.filled);
  });

  it.each([
    ['its policies', { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } }],
    ['how it scales down', { scaleDown: { selectPolicy: 'Disabled' } }],
  ])('keeps %s', async (_, changed) => {
    const manifest = neighbour(kind, `${shop}/one`, { spec: { ...scaling, behavior } });
    expect((await ask(cluster.admin, 'POST', pathTo(kind), manifest)).message).toBe('');
    const answer = await ask(controller, 'PATCH', `${pathTo(kind)}/one`, { spec: { behavior: changed } });
    const held = await put(kind, 'Disabled', '7');
    const back = await put(kind, 'Min', null);
    await ask(cluster.admin, 'DELETE', `${pathTo(kind)}/one`);
    expect(answer.message).toContain(`svc may not change spec of this ${kind} but for ${placeText(rowOf(kind).sleep)}`);
    expect([held.message, back.message]).toEqual(['', '']);
  });
});
