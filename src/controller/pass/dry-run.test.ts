import { describe, expect, it } from 'vitest';
import { ControllerWorld, controllerIdentity } from '../../../test/support/controller-world.ts';
import { leftOutServices, oddConfig, oddServices, redirectedServices } from '../../../test/support/odd-services.ts';

const config = {
  operations: { dryRun: true },
  databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
  ...oddConfig,
  externalDependencies: [{ cluster: 'hub', url: 'https://hub.example.com', secretRef: { name: 'wake', key: 'hmac' } }],
};
/** Monday, in Berlin. */
const noon = Date.UTC(2026, 0, 5, 11);
const night = Date.UTC(2026, 0, 5, 22);

describe('what a dry run says it would do', () => {
  it.each([
    [
      'by night',
      night,
      {
        databases: { stop: ['orders'], start: [] },
        redirect: redirectedServices,
        notRedirected: leftOutServices,
        askHosts: [],
      },
    ],
    ['by day', noon, { databases: { stop: [], start: [] }, redirect: [], notRedirected: [], askHosts: ['hub'] }],
  ])('names databases, services and hosts %s', async (_, startAt, expected) => {
    const world = new ControllerWorld({ startAt, config, redirects: true });
    world.cluster.apply(oddServices);
    await world.startController();
    await world.clock.advance(2_000);
    expect(world.frames.findLast(({ kind }) => kind === 'plan')?.payload).toMatchObject(expected);
    await world.stopController();
  });

  it('does not count what its owner has at zero', async () => {
    const world = new ControllerWorld({ startAt: night, config: { operations: { dryRun: true } } });
    world.cluster.apply(oddServices);
    const [idle, ...others] = world.cluster.store.list('deployments.apps', 'shop');
    world.cluster.store.update('deployments.apps', { ...idle!, spec: { ...(idle!['spec'] as object), replicas: 0 } });
    await world.startController();
    await world.clock.advance(2_000);
    const plan = world.frames.findLast(({ kind }) => kind === 'plan')?.payload as {
      hibernate: { workloads: string[] }[];
    };
    const down = plan.hibernate.flatMap(({ workloads }) => workloads);
    expect(down.toSorted()).toEqual(others.map(({ metadata }) => `Deployment shop/${metadata.name}`).toSorted());
    await world.stopController();
  });

  it('leaves what its owner raised in the night, as the acting controller does, and names what came in it', async () => {
    const world = new ControllerWorld({ startAt: night });
    world.cluster.apply(oddServices);
    await world.startController();
    await world.clock.advance(120_000);
    const [raised] = world.cluster.store.list('deployments.apps', 'shop');
    world.cluster.store.update('deployments.apps', {
      ...raised!,
      spec: { ...(raised!['spec'] as object), replicas: 1 },
    });
    await world.stopController();
    const late = { ...raised!, metadata: { name: 'late', namespace: 'shop' } };
    world.cluster.apply([{ ...late, spec: { ...(raised!['spec'] as object), replicas: 2 } }]);
    world.reconfigure({ operations: { dryRun: true } });
    await world.startController();
    await world.clock.advance(2_000);
    const plan = world.frames.findLast(({ kind }) => kind === 'plan')?.payload;
    expect(plan).toMatchObject({ hibernate: [{ workloads: ['Deployment shop/late'] }] });
    await world.stopController();
  });

  it('reads the services again when something around them has changed, and not on every pass', async () => {
    const world = new ControllerWorld({ startAt: night, config, redirects: true });
    world.cluster.apply(oddServices);
    const inner = world.cluster.transport(controllerIdentity);
    let reads = 0;
    await world.startController({
      send(request) {
        if (request.method === 'GET' && /\/services\//.test(request.path)) reads += 1;
        return inner.send(request);
      },
    });
    await world.clock.advance(2_000);
    const first = reads;
    expect(first).toBeGreaterThan(0);
    const passes = () => world.frames.filter(({ kind }) => kind === 'plan').length;
    const before = passes();
    const [some] = world.cluster.store.list('deployments.apps', 'shop');
    for (let turn = 0; turn < 20; turn++) {
      const found = world.cluster.store.get('deployments.apps', 'shop', some!.metadata.name!)!;
      const labels = { ...found.metadata.labels, turn: String(turn) };
      world.cluster.store.update('deployments.apps', { ...found, metadata: { ...found.metadata, labels } });
      await world.clock.advance(10_000);
    }
    expect(passes() - before).toBeGreaterThan(5);
    expect(reads).toBe(first);
    await world.stopController();
  });
});
