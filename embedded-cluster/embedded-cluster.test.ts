import { describe, expect, it } from 'vitest';
import { demoObjects } from '../demo/fleet/demo-objects.ts';
import { ClusterFixture, podTemplate, workload } from './cluster-fixture.ts';
import { defaultPool } from './controllers/node-objects.ts';
import { EmbeddedCluster } from './embedded-cluster.ts';
import { nowhere } from './kubelet/behaviour.ts';
import type { Clock } from './ports/clock.ts';
import { seededRandom } from './seeded-random.ts';

const service = (name: string, extra: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop' },
  spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...extra },
});

/** Every change of the store as one line. */
async function trace(seed: number): Promise<string> {
  const fixture = new ClusterFixture({ random: seededRandom(seed) });
  const lines: string[] = [];
  fixture.cluster.store.onAnyChange(({ resource, event }) => {
    lines.push(`${fixture.clock.now()} ${event.type} ${resource} ${JSON.stringify(event.object)}`);
  });
  fixture.apply(...demoObjects(seed));
  await fixture.pass(3600);
  return lines.join('\n');
}

/** The machine's own time, to show that no virtual clock is needed. */
const machineClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

describe('the embedded cluster', () => {
  it('does the same for the same seed, and something else for another', async () => {
    const first = await trace(7);
    expect(await trace(7)).toBe(first);
    expect(await trace(8)).not.toBe(first);
  });

  it('has no timer left when it has settled, and jumps over hours', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { replicas: 3 }), workload('StatefulSet', 'db'), service('web'));
    await fixture.pass(60);
    const { version } = fixture.cluster.store;
    expect(await fixture.clock.step()).toBe(false);
    await fixture.pass(30 * 86_400);
    expect(fixture.cluster.store.version).toBe(version);
  });

  it('does nothing while stopped and makes up for it when started again', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web'));
    await fixture.pass(10);
    fixture.cluster.stop();
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(600);
    expect(fixture.pods()).toHaveLength(1);
    fixture.cluster.start();
    await fixture.pass(5);
    expect(fixture.pods()).toHaveLength(0);
  });

  it('does not fall back when the clock of the machine is set', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { behaviour: { 'start-seconds': '30' } }));
    await fixture.pass(20);
    fixture.clock.jumpWallClock(-3_600_000);
    await fixture.pass(20);
    expect(fixture.store.get('deployments.apps', 'shop', 'web')?.status?.readyReplicas).toBe(1);
    fixture.clock.jumpWallClock(7_200_000);
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(5);
    expect(fixture.pods()).toEqual([]);
  });

  it('runs on the real clock as well', async () => {
    const cluster = new EmbeddedCluster({ clock: machineClock, random: seededRandom(1) });
    cluster.start();
    const ready = new Promise<void>((resolve) => {
      cluster.store.onChange('deployments.apps', ({ object }) => {
        if ((object['status'] as { readyReplicas?: number })?.readyReplicas === 2) resolve();
      });
    });
    cluster.apply([workload('Deployment', 'web', { replicas: 2, behaviour: { 'pull-seconds': '0' } })]);
    await ready;
    const names = cluster.store.list('events', 'shop').map(({ metadata }) => metadata.name);
    expect(names.filter((name) => !/^[a-z0-9.-]+\.[0-9a-f]+$/.test(name))).toEqual([]);
    cluster.stop();
  });

  it('renews node leases only when asked to', async () => {
    const fixture = new ClusterFixture({ nodeHeartbeatSeconds: 10 });
    await fixture.pass(35);
    const lease = fixture.store.get('leases.coordination.k8s.io', 'kube-node-lease', 'default-1');
    expect(lease?.spec.renewTime).toBe('2026-01-05T08:00:30.005000Z');
  });

  it('answers a client of its API', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web'));
    await fixture.pass(5);
    const path = '/apis/apps/v1/namespaces/shop/deployments/web';
    const response = await fixture.cluster.transport().send({ method: 'GET', path, headers: {} });
    let body = '';
    for await (const piece of response.body) body += piece;
    expect(JSON.parse(body).status.readyReplicas).toBe(1);
  });

  it('says which kind it does not serve', () => {
    const unknown = { apiVersion: 'example.com/v1', kind: 'Robot', metadata: { name: 'r2' } };
    expect(() => new ClusterFixture().apply(unknown)).toThrow(
      'Robot r2: the cluster serves no kind Robot of example.com/v1; apply its definition first.',
    );
  });
});

describe('the scheduler', () => {
  const scheduled = (fixture: ClusterFixture) => {
    const condition = fixture.pods()[0]?.status?.conditions?.find((one) => one.type === 'PodScheduled');
    return condition === undefined ? 'no condition' : `${condition.status} ${condition.reason}: ${condition.message}`;
  };
  const unmatched =
    "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  const waiting: Record<string, [pod: Record<string, unknown>, condition: string]> = {
    'a pod for no node is Unschedulable': [{ nodeSelector: nowhere }, `False Unschedulable: ${unmatched}`],
    'a gated pod waits for its gate': [
      { schedulingGates: [{ name: 'later' }] },
      'False SchedulingGated: Scheduling is blocked due to non-empty scheduling gates',
    ],
    "another scheduler's pod is left alone": [{ schedulerName: 'other' }, 'no condition'],
  };
  it.each(Object.entries(waiting))('%s', async (_sentence, [pod, condition]) => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { pod }));
    await fixture.pass(1200);
    expect(fixture.pods()[0]?.status?.phase).toBe('Pending');
    expect(scheduled(fixture)).toBe(condition);
    expect(fixture.events('FailedScheduling')).toEqual(condition.startsWith('False Unsch') ? [unmatched] : []);
  });

  it('places a pod when its gate opens', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { pod: { schedulingGates: [{ name: 'later' }] } }));
    await fixture.pass(60);
    const pod = fixture.pods()[0]!;
    const { schedulingGates: _, ...spec } = pod.spec;
    fixture.store.update('pods', { ...pod, spec });
    await fixture.pass(5);
    expect(fixture.pods()[0]?.status?.phase).toBe('Running');
  });
});

describe('node pools', () => {
  const pool = { ...defaultPool, min: 1, max: 3, cpu: '2', addAfterSeconds: 90, removeAfterSeconds: 600 };
  const shape = { replicas: 6, container: { resources: { requests: { cpu: '900m' } } } };
  const nodes = (fixture: ClusterFixture) => fixture.store.list('nodes').map((node) => node.metadata.name);
  const running = (fixture: ClusterFixture) => fixture.pods().filter((pod) => pod.status?.phase === 'Running').length;

  it('bring nodes for pods that find no room, and take empty ones away later', async () => {
    const fixture = new ClusterFixture({ nodes: [pool] });
    fixture.apply(workload('Deployment', 'web', shape));
    await fixture.pass(89);
    expect([nodes(fixture), running(fixture)]).toEqual([['default-1'], 2]);
    await fixture.pass(5);
    expect([nodes(fixture), running(fixture)]).toEqual([['default-1', 'default-2', 'default-3'], 6]);
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(595);
    expect(nodes(fixture)).toHaveLength(3);
    await fixture.pass(10);
    expect(nodes(fixture)).toEqual(['default-1']);
    expect(await fixture.clock.step()).toBe(false);
  });

  it('never take a protected node', async () => {
    const fixture = new ClusterFixture({ nodes: [pool] });
    fixture.apply(workload('Deployment', 'web', shape));
    await fixture.pass(120);
    const node = fixture.store.get('nodes', undefined, 'default-3')!;
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    fixture.store.update('nodes', { ...node, metadata: { ...node.metadata, annotations } });
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(1200);
    expect(nodes(fixture)).toEqual(['default-3']);
  });

  it('lose the pods of a node that is deleted, which come up elsewhere', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { replicas: 3 }));
    await fixture.pass(10);
    fixture.store.delete('nodes', fixture.store.get('nodes', undefined, 'default-1')!);
    await fixture.pass(10);
    expect(running(fixture)).toBe(3);
    expect(fixture.pods().some((pod) => pod.spec.nodeName === 'default-1')).toBe(false);
  });
});

describe('an autoscaler', () => {
  const hpa = (load: string) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'shop', annotations: { 'sim.svc.io/load': load } },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 5,
    },
  });
  const state = (fixture: ClusterFixture) => {
    const { status } = fixture.store.get('horizontalpodautoscalers.autoscaling', 'shop', 'web')!;
    const active = status?.conditions?.find((one) => one.type === 'ScalingActive');
    return [fixture.pods().length, `${active?.status} ${active?.reason}`];
  };

  it('scales by the load, within its limits', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web'), hpa('300'));
    await fixture.pass(10);
    expect(state(fixture)).toEqual([4, 'True ValidMetricFound']);
    fixture.apply(hpa('9000'));
    await fixture.pass(10);
    expect(state(fixture)).toEqual([5, 'True ValidMetricFound']);
    fixture.apply(hpa('1'));
    await fixture.pass(10);
    expect(state(fixture)).toEqual([2, 'True ValidMetricFound']);
  });

  describe('that may go to zero', () => {
    const fromZero = (load: string, selectPolicy?: string) => {
      const { spec, ...rest } = hpa(load);
      const behavior = selectPolicy === undefined ? {} : { behavior: { scaleUp: { selectPolicy } } };
      return { ...rest, spec: { ...spec, minReplicas: 0, ...behavior } };
    };
    const idle = async () => {
      const fixture = new ClusterFixture();
      fixture.apply(workload('Deployment', 'web'), fromZero('0'));
      await fixture.pass(10);
      expect(state(fixture)[0]).toBe(0);
      return fixture;
    };

    it('raises from there what it took there itself', async () => {
      const fixture = await idle();
      fixture.apply(fromZero('100'));
      await fixture.pass(10);
      expect(state(fixture)).toEqual([2, 'True ValidMetricFound']);
    });

    it('raises nothing while it may not scale up, and goes on afterwards', async () => {
      const fixture = await idle();
      fixture.apply(fromZero('100', 'Disabled'));
      await fixture.pass(10);
      expect(state(fixture)[0]).toBe(0);
      fixture.apply(fromZero('100'));
      await fixture.pass(10);
      expect(state(fixture)[0]).toBe(2);
    });

    it('leaves alone what another hand took there', async () => {
      const fixture = new ClusterFixture();
      fixture.apply(workload('Deployment', 'web', { replicas: 3 }), fromZero('300'));
      await fixture.pass(10);
      fixture.edit('deployments.apps', 'web', { replicas: 0 });
      await fixture.pass(600);
      expect(state(fixture)).toEqual([0, 'False ScalingDisabled']);
    });
  });

  it('leaves a target at zero alone', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { replicas: 3 }), hpa('300'));
    await fixture.pass(10);
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(86_400);
    expect(state(fixture)).toEqual([0, 'False ScalingDisabled']);
    fixture.edit('deployments.apps', 'web', { replicas: 3 });
    await fixture.pass(10);
    expect(state(fixture)).toEqual([4, 'True ValidMetricFound']);
  });
});

describe('endpoints', () => {
  it('list the ready pods of a service under its target port', async () => {
    const fixture = new ClusterFixture();
    const container = { ports: [{ name: 'http', containerPort: 8080 }] };
    fixture.apply(
      service('web'),
      workload('Deployment', 'web', { replicas: 2, container, behaviour: { 'start-seconds.1': '60' } }),
    );
    await fixture.pass(10);
    const slice = () => fixture.store.list('endpointslices.discovery.k8s.io', 'shop')[0]!;
    expect(
      slice()
        .endpoints.map((one) => one.conditions?.ready)
        .sort(),
    ).toEqual([false, true]);
    expect(slice().ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }]);
    const [subset] = fixture.store.get('endpoints', 'shop', 'web')!.subsets!;
    expect([subset?.addresses?.length, subset?.notReadyAddresses?.length]).toEqual([1, 1]);
    await fixture.pass(60);
    expect(slice().endpoints.map((one) => one.conditions?.ready)).toEqual([true, true]);
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(10);
    expect(slice().endpoints).toEqual([]);
  });

  it('follow a selector that is changed', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(service('web'), workload('Deployment', 'web'), workload('Deployment', 'stand-in'));
    await fixture.pass(10);
    fixture.edit('services', 'web', { selector: { app: 'stand-in' } });
    await fixture.pass(1);
    const [slice] = fixture.store.list('endpointslices.discovery.k8s.io', 'shop');
    expect(slice?.endpoints[0]?.targetRef?.name).toMatch(/^stand-in-/);
  });
});

describe('deletion', () => {
  const remove = (fixture: ClusterFixture, propagationPolicy?: 'Background' | 'Foreground' | 'Orphan') =>
    fixture.cluster.store.delete(
      'deployments.apps',
      'shop',
      'web',
      propagationPolicy === undefined ? {} : { propagationPolicy },
    );
  const left = (fixture: ClusterFixture) =>
    ['deployments.apps', 'replicasets.apps', 'pods'].map(
      (resource) => fixture.cluster.store.list(resource, 'shop').length,
    );
  const start = async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { replicas: 2, behaviour: { 'terminate-seconds': '10' } }));
    await fixture.pass(30);
    return fixture;
  };

  it('in the background takes dependents after the owner', async () => {
    const fixture = await start();
    remove(fixture, 'Background');
    await fixture.pass(5);
    expect(left(fixture)).toEqual([0, 0, 2]);
    await fixture.pass(10);
    expect(left(fixture)).toEqual([0, 0, 0]);
  });

  it('in the foreground keeps the owner until they are gone', async () => {
    const fixture = await start();
    remove(fixture, 'Foreground');
    await fixture.pass(5);
    expect(left(fixture)).toEqual([1, 1, 2]);
    await fixture.pass(10);
    expect(left(fixture)).toEqual([0, 0, 0]);
  });

  it('as orphans leaves them alone', async () => {
    const fixture = await start();
    remove(fixture, 'Orphan');
    await fixture.pass(60);
    expect(left(fixture)).toEqual([0, 1, 2]);
    expect(fixture.store.list('replicasets.apps', 'shop')[0]!.metadata.ownerReferences).toBeUndefined();
  });

  it('of a namespace empties it first', async () => {
    const fixture = await start();
    fixture.apply(service('web'), workload('StatefulSet', 'db'));
    await fixture.pass(30);
    fixture.cluster.store.delete('namespaces', undefined, 'shop');
    await fixture.pass(5);
    expect(fixture.store.get('namespaces', undefined, 'shop')?.status?.phase).toBe('Terminating');
    expect(left(fixture)).toEqual([0, 0, 2]);
    await fixture.pass(60);
    expect(fixture.store.get('namespaces', undefined, 'shop')).toBeUndefined();
    expect(
      fixture.cluster.store.resources().flatMap((resource) => fixture.cluster.store.list(resource, 'shop')),
    ).toEqual([]);
  });
});

describe('events', () => {
  it('raise their count when repeated, and go after an hour', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { behaviour: { 'crash-after-seconds': '1' } }));
    await fixture.pass(200);
    const events = fixture.store.list('events', 'shop').filter((one) => one.reason === 'BackOff');
    expect(events.map((one) => one.count)).toEqual([5]);
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(7200);
    fixture.edit('deployments.apps', 'web', { template: podTemplate('web'), replicas: 1 });
    await fixture.pass(10);
    expect(fixture.events('BackOff')).toEqual([]);
    expect(fixture.events('Started')).toHaveLength(1);
  });

  it('name a behaviour that could not be read', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { behaviour: { pull: 'slow' } }));
    await fixture.pass(10);
    expect(fixture.events('InvalidBehaviour')).toEqual(['sim.svc.io/pull: "slow" is not "fail".']);
  });
});
