import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedApi } from '../../../embedded-cluster/api/embedded-api.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { MemoryStore } from '../../../embedded-cluster/store/memory-store.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { TokenBucket } from '../../../src/adapters/kubernetes/client/token-bucket.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import { PodRunner } from './pod-runner.ts';

const ref = { namespace: 'default', name: 'p' };

// An API without controllers, scheduler and kubelets of its own: what happens to a pod here, the runner did.
let clock: VirtualClock;
let client: KubeClient;
let runner: PodRunner;

beforeEach(async () => {
  clock = new VirtualClock(Date.parse('2026-01-05T08:00:00Z'));
  const random = seededRandom(1);
  const api = new EmbeddedApi({ store: new MemoryStore(clock, random), clock, random });
  const limiter = new TokenBucket(clock, { qps: Number.POSITIVE_INFINITY, burst: 1 });
  const identity = { userAgent: 'test', fieldManager: 'test', requestTimeoutMs: 30_000 };
  client = new KubeClient({ transport: api.transport(), clock, random, limiter, logger: silentLogger, ...identity });
  runner = new PodRunner({ client, clock, random, logger: silentLogger, events: 'warnings' });
  runner.start();
  await clock.advance(100);
});
afterEach(() => runner.stop());

async function createPod(nodeName: string, annotations: Record<string, string> = {}): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'c', image: 'x/y' }] };
  await client.create(resources.pods, 'default', { metadata: { name: 'p', annotations }, spec });
}

const phase = async () => (await client.get(resources.pods, ref)).status?.phase;
const names = async () => (await client.list(resources.pods)).items.map((pod) => pod.metadata?.name);

describe('the simulated kubelets', () => {
  it('bring a pod up after its image was pulled', async () => {
    await createPod('sim-node-0');
    await clock.advance(500);
    expect(await phase()).toBe('Pending');
    await clock.advance(1_000);
    const pod = await client.get(resources.pods, ref);
    expect(pod.status?.phase).toBe('Running');
    expect(pod.status?.hostIP).toBe('10.0.0.1');
    expect(pod.status?.podIP).toBe('10.244.1.1');
    expect(pod.status?.conditions?.find((one) => one.type === 'Ready')?.status).toBe('True');
  });

  it('leave the pods of other nodes alone', async () => {
    await createPod('worker-1');
    await clock.advance(60_000);
    expect(await phase()).toBe('Pending');
  });

  it('follow a behaviour over time without being told again', async () => {
    await createPod('sim-node-0', { 'sim.svc.io/pull': 'fail', 'sim.svc.io/pull-recovers-after': '30' });
    await clock.advance(20_000);
    expect(await phase()).toBe('Pending');
    await clock.advance(120_000);
    expect(await phase()).toBe('Running');
    const events = (await client.list(resources.events)).items.map((event) => `${event.type} ${event.reason}`);
    expect(new Set(events)).toEqual(new Set(['Warning Failed']));
  });

  it('remove a deleted pod once it has stopped', async () => {
    await createPod('sim-node-0', { 'sim.svc.io/terminate-seconds': '5' });
    await clock.advance(3_000);
    await client.delete(resources.pods, ref);
    await clock.advance(4_000);
    expect(await names()).toEqual(['p']);
    await clock.advance(2_000);
    expect(await names()).toEqual([]);
  });

  it('start a pod that took the name of another from the beginning', async () => {
    await createPod('sim-node-0');
    await clock.advance(3_000);
    await client.delete(resources.pods, ref, { gracePeriodSeconds: 0 });
    await createPod('sim-node-1', { 'sim.svc.io/start-seconds': '10' });
    await clock.advance(3_000);
    const young = (await client.get(resources.pods, ref)).status?.containerStatuses?.[0];
    expect(young?.ready).toBe(false);
    await clock.advance(10_000);
    const grown = await client.get(resources.pods, ref);
    expect(grown.status?.containerStatuses?.[0]?.ready).toBe(true);
    expect(grown.status?.hostIP).toBe('10.0.0.2');
  });

  it('say what they did not understand', async () => {
    await createPod('sim-node-0', { 'sim.svc.io/start-seconds': 'soon' });
    await clock.advance(3_000);
    const events = (await client.list(resources.events)).items;
    expect(events.map((event) => `${event.reason}: ${event.message}`)).toEqual([
      'InvalidBehaviour: sim.svc.io/start-seconds: "soon" is not seconds, or a list with one figure for each attempt such as 600,20.',
    ]);
  });
});
