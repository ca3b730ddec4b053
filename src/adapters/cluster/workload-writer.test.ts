import { describe, expect, it } from 'vitest';
import { definitionOf, isBuiltIn, type NeighbourKind, neighbour } from '../../../test/support/builders/neighbours.ts';
import { embeddedClient } from '../../../test/support/embedded-client.ts';
import { kindTable } from '../../domain/kinds/kind-table.ts';
import { rowOf } from '../../domain/kinds/kinds.ts';
import { annotations } from '../../domain/names.ts';
import { isScalable, type Scalable, type Switched, type Workload, workloadKey } from '../../domain/workload.ts';
import { type CustomObject, resourceOf, resources } from '../kubernetes/client/resource-type.ts';
import { projections } from '../kubernetes/projection/projections.ts';
import { KubernetesWorkloadWriter } from './workload-writer.ts';

async function writerOf() {
  const world = await embeddedClient('shop');
  const heard: Workload[] = [];
  const writer = new KubernetesWorkloadWriter(
    world.client,
    projections(() => kindTable([])),
    (workload) => heard.push(workload),
    'svc',
  );
  const template = { metadata: { labels: { app: 'cart' } }, spec: { containers: [{ name: 'main', image: 'a:1' }] } };
  await world.client.create(
    resources.deployments,
    'shop',
    {
      metadata: { name: 'cart', annotations: { team: 'a' } },
      spec: { replicas: 3, selector: { matchLabels: { app: 'cart' } }, template },
    },
    { fieldManager: 'owner' },
  );
  await world.client.create(resources.cronJobs, 'shop', {
    metadata: { name: 'report' },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  });
  const read = async (kind: 'Deployment' | 'CronJob', name: string) => {
    const workload = await writer.read({ kind, namespace: 'shop', name });
    if (workload === undefined) throw new Error(`${name} is gone`);
    return workload;
  };
  return {
    ...world,
    writer,
    heard,
    cart: async () => (await read('Deployment', 'cart')) as Scalable,
    report: () => read('CronJob', 'report'),
  };
}

describe('the writes to a workload', () => {
  it('lower it and mark it with its count, its uid, its epoch and the release, in one write that touches nothing else', async () => {
    const { writer, cart, api } = await writerOf();
    const before = await cart();
    const bodies: unknown[] = [];
    api.faults.onWrite((write) => bodies.push(JSON.parse(write.body ?? 'null')));
    expect(await writer.lower(before, 3, 7)).toEqual({ outcome: 'done' });
    expect(bodies).toEqual([
      {
        metadata: {
          resourceVersion: before.resourceVersion,
          annotations: {
            [annotations.hibernatedReplicas]: '3',
            [annotations.markedUid]: before.uid,
            [annotations.markedEpoch]: '7',
            [annotations.markedBy]: 'svc',
          },
        },
        spec: { replicas: 0 },
      },
    ]);
    expect(await cart()).toMatchObject({ replicas: 0, replicasSetBy: 'svc-controller', annotations: { team: 'a' } });
  });

  it('raise it and take the marks off, in one write', async () => {
    const { writer, cart } = await writerOf();
    await writer.lower(await cart(), 3, 7);
    expect(await writer.raise(await cart(), 3)).toEqual({ outcome: 'done' });
    expect(await cart()).toMatchObject({ replicas: 3, annotations: { team: 'a' } });
    expect(Object.keys((await cart()).annotations)).toEqual(['team']);
  });

  it('suspend and resume a CronJob with its mark', async () => {
    const { writer, report } = await writerOf();
    const before = await report();
    if (before.kind !== 'CronJob') throw new Error('not a CronJob');
    await writer.suspend(before, 7);
    const down = await report();
    expect(down).toMatchObject({
      suspended: true,
      annotations: { [annotations.suspendedByService]: 'true', [annotations.markedUid]: before.uid },
    });
    if (down.kind === 'CronJob') await writer.resume(down);
    expect(await report()).toMatchObject({ suspended: false, annotations: {} });
  });

  it('disown it: the marks go, the count stays', async () => {
    const { writer, cart, client } = await writerOf();
    await writer.lower(await cart(), 3, 7);
    await client.patch(
      resources.deployments,
      { namespace: 'shop', name: 'cart' },
      { type: 'merge', body: { spec: { replicas: 2 } } },
    );
    expect(await writer.disown(await cart())).toEqual({ outcome: 'done' });
    expect(await cart()).toMatchObject({ replicas: 2, annotations: { team: 'a' } });
  });

  it("are refused over somebody else's write", async () => {
    const { writer, cart, client } = await writerOf();
    const stale = await cart();
    await client.patch(
      resources.deployments,
      { namespace: 'shop', name: 'cart' },
      { type: 'merge', body: { spec: { replicas: 5 } } },
    );
    expect(await writer.lower(stale, 3, 7)).toEqual({ outcome: 'conflict' });
    expect((await cart()).replicas).toBe(5);
  });

  it('find a workload that is gone', async () => {
    const { writer, cart, client } = await writerOf();
    const known = await cart();
    await client.delete(resources.deployments, { namespace: 'shop', name: 'cart' });
    expect(await writer.lower(known, 3, 7)).toEqual({ outcome: 'gone' });
    expect(await writer.read(known)).toBeUndefined();
  });

  it("answer with the cluster's own words when it refuses", async () => {
    const { writer, cart, api } = await writerOf();
    const known = await cart();
    api.faults.add({ match: ({ verb }) => verb === 'patch', effect: { kind: 'fail', status: 403 } });
    expect(await writer.lower(known, 3, 7)).toMatchObject({ outcome: 'refused', status: 403 });
  });

  it('let the caches know of every answer', async () => {
    const { writer, cart, heard } = await writerOf();
    const known = await cart();
    heard.length = 0;
    await writer.lower(known, 3, 7);
    expect(heard.map((workload) => [workloadKey(workload), (workload as Scalable).replicas])).toEqual([
      ['Deployment shop/cart', 0],
    ]);
  });
});

describe('the writes to a switch', () => {
  const paused = 'autoscaling.keda.sh/paused-replicas';

  /** Suspends it, gives it back, and answers with what stood in between and with all of it before and after. */
  async function nightOf(kind: NeighbourKind, parts: Parameters<typeof neighbour>[2]) {
    const { client } = await embeddedClient('shop');
    if (!isBuiltIn(kind))
      await client.create(resources.customResourceDefinitions, undefined, definitionOf(kind) as CustomObject);
    const type = resourceOf<CustomObject>(kind, rowOf(kind));
    const ref = { namespace: 'shop', name: 'one' };
    await client.create(type, 'shop', neighbour(kind, 'shop/one', parts) as CustomObject);
    const writer = new KubernetesWorkloadWriter(
      client,
      projections(() => kindTable([])),
      () => {},
      'svc',
    );
    const seen = async () => {
      const { metadata, spec } = await client.get(type, ref);
      return { annotations: metadata?.annotations ?? {}, spec };
    };
    const read = async (): Promise<Switched> => {
      const workload = await writer.read({ kind, ...ref });
      if (workload === undefined || isScalable(workload)) throw new Error('not a switch');
      return workload;
    };
    const before = await seen();
    const awake = await read();
    expect(await writer.suspend(awake, 7)).toEqual({ outcome: 'done' });
    const asleep = await seen();
    const down = await read();
    expect(await writer.resume(down, awake.value)).toEqual({ outcome: 'done' });
    expect(await seen()).toEqual(before);
    return { asleep, awake, down };
  }

  it('pause a ScaledObject and take the annotation away again', async () => {
    const { asleep, awake, down } = await nightOf('ScaledObject', { spec: { scaleTargetRef: { name: 'a' } } });
    expect(asleep.annotations).toMatchObject({ [paused]: '0', [annotations.suspendedByService]: 'true' });
    expect(Object.keys(asleep.annotations)).not.toContain(annotations.valueBefore);
    expect([awake.suspended, awake.value, down.suspended, down.value]).toEqual([false, undefined, true, undefined]);
    expect(down.suspendSetBy).toBe('svc-controller');
  });

  it('give a ScaledObject the count back at which its owner had paused it', async () => {
    const { asleep } = await nightOf('ScaledObject', { annotations: { [paused]: '3' } });
    expect(asleep.annotations).toMatchObject({ [paused]: '0', [annotations.valueBefore]: '"3"' });
  });

  it('suspend a Kustomization whose field was absent, and take the field away again', async () => {
    const { asleep } = await nightOf('Kustomization', { spec: { path: './apps' } });
    expect(asleep.spec).toEqual({ path: './apps', suspend: true });
  });

  it.each<[NeighbourKind, object, object]>([
    ['postgresql', { teamId: 'a', numberOfInstances: 2 }, { teamId: 'a', numberOfInstances: 0 }],
    ['Prometheus', { retention: '1d' }, { retention: '1d', replicas: 0 }],
    ['KafkaConnect', { replicas: 3 }, { replicas: 0 }],
    ['KafkaBridge', { replicas: 1 }, { replicas: 0 }],
    ['KafkaMirrorMaker2', { replicas: 1 }, { replicas: 0 }],
    ['AutoscalingRunnerSet', { githubConfigUrl: 'https://github.com/example' }, { maxRunners: 0 }],
  ])('ask the operator of a %s for none, and give back what stood there', async (kind, spec, during) => {
    const { asleep, down } = await nightOf(kind, { spec: { ...spec } });
    expect([asleep.spec, down.suspended]).toEqual([expect.objectContaining(during), true]);
  });

  it.each([
    [0, undefined],
    [2, 'spec.minRunners is 2'],
  ])('know of a floor of %s runners', async (minRunners, keptUpBy) => {
    const { awake } = await nightOf('AutoscalingRunnerSet', { spec: { minRunners } });
    expect(awake.keptUpBy).toBe(keptUpBy);
  });

  it.each<[NeighbourKind, string, string]>([
    ['ScaledJob', 'autoscaling.keda.sh/paused', 'true'],
    ['Cluster', 'cnpg.io/hibernation', 'on'],
  ])('annotate a %s', async (kind, name, value) => {
    expect((await nightOf(kind, {})).asleep.annotations).toMatchObject({ [name]: value });
    const { asleep } = await nightOf(kind, { annotations: { [name]: 'off' } });
    expect(asleep.annotations).toMatchObject({ [name]: value, [annotations.valueBefore]: '"off"' });
  });

  it.each([[undefined], [{ disk: 'ssd' }]])(
    'send a DaemonSet with the node selector %j to no node',
    async (nodeSelector) => {
      const { asleep } = await nightOf('DaemonSet', { spec: daemons(nodeSelector) });
      const { template } = asleep.spec as { template: { spec: { nodeSelector: unknown } } };
      expect(template.spec.nodeSelector).toEqual({ ...nodeSelector, 'svc.io/asleep': 'true' });
    },
  );

  describe('hold an autoscaler', () => {
    const kind = 'HorizontalPodAutoscaler';
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' };
    const spec = { scaleTargetRef, minReplicas: 0, maxReplicas: 6 };
    const policyOf = ({ spec: of }: { spec: unknown }) =>
      (of as { behavior?: { scaleUp: { selectPolicy: string } } }).behavior?.scaleUp.selectPolicy;

    it('that says nothing of its behavior, and take away all that the cluster filled in', async () => {
      const { asleep, awake, down } = await nightOf(kind, { spec });
      expect([policyOf(asleep), Object.keys(asleep.annotations)]).toEqual([
        'Disabled',
        expect.not.arrayContaining([annotations.valueBefore]),
      ]);
      expect([awake.heals, awake.loneAfter, down.loneAfter]).toEqual([['Deployment shop/cart'], undefined, 2]);
    });

    it.each([
      [{ scaleUp: { selectPolicy: 'Min' } }, '"Min"'],
      [{ scaleDown: { stabilizationWindowSeconds: 60 } }, '"Max"'],
    ])('that says %j, and give that back', async (behavior, before) => {
      const { asleep, down } = await nightOf(kind, { spec: { ...spec, behavior } });
      expect([policyOf(asleep), asleep.annotations[annotations.valueBefore], down.suspended]).toEqual([
        'Disabled',
        before,
        true,
      ]);
    });

    it.each([
      ['has a least count', { ...spec, minReplicas: 1 }],
      ['has the least count of the cluster', { scaleTargetRef, maxReplicas: 6 }],
      ['scales what we do not know', { ...spec, scaleTargetRef: { ...scaleTargetRef, kind: 'Widget' } }],
      ['scales its like in another group', { ...spec, scaleTargetRef: { ...scaleTargetRef, apiVersion: 'b.io/v1' } }],
    ])('and know of one that %s that it raises nothing from zero', async (_, its) => {
      expect((await nightOf(kind, { spec: its })).awake.heals).toEqual([]);
    });

    it('and leave what its owner wrote beside our value in the night', async () => {
      const { client } = await embeddedClient('shop');
      const type = resourceOf<CustomObject>(kind, rowOf(kind));
      const ref = { namespace: 'shop', name: 'one' };
      await client.create(type, 'shop', neighbour(kind, 'shop/one', { spec }) as CustomObject);
      const writer = new KubernetesWorkloadWriter(
        client,
        projections(() => kindTable([])),
        () => {},
        'svc',
      );
      const read = async () => (await writer.read({ kind, ...ref })) as Switched;
      await writer.suspend(await read(), 7);
      const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
      await client.patch(type, ref, { type: 'merge', body: { spec: { behavior } } });
      expect(await writer.resume(await read())).toEqual({ outcome: 'done' });
      expect((await client.get(type, ref)).spec?.['behavior']).toMatchObject({
        scaleUp: { selectPolicy: 'Max' },
        scaleDown: { stabilizationWindowSeconds: 60 },
      });
    });
  });

  it('give a field back that its owner had written as it stands by default', async () => {
    const { asleep } = await nightOf('HelmRelease', { spec: { interval: '5m', suspend: false } });
    expect(asleep.annotations).toMatchObject({ [annotations.valueBefore]: 'false' });
  });
});

function daemons(nodeSelector: Readonly<Record<string, string>> | undefined) {
  const labels = { app: 'agent' };
  const containers = [{ name: 'agent', image: 'example/agent:1' }];
  const spec = { containers, ...(nodeSelector === undefined ? {} : { nodeSelector }) };
  return { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
}
