import { describe, expect, it } from 'vitest';
import { Keda } from './keda.ts';
import { NeighbourFixture } from './neighbour-fixture.ts';

const paused = 'autoscaling.keda.sh/paused-replicas';
const spec = { scaleTargetRef: { name: 'worker' }, minReplicaCount: 1, maxReplicaCount: 4 };

function started(annotations = {}): { fixture: NeighbourFixture; keda: Keda } {
  const fixture = new NeighbourFixture('ScaledObject');
  fixture.deployment('worker', 2);
  fixture.custom('ScaledObject', 'shop/worker', spec, annotations);
  const keda = new Keda({ ...fixture.options, demand: () => 3 });
  keda.start();
  return { fixture, keda };
}

describe('KEDA', () => {
  it('scales its target as its triggers ask, and raises what somebody else lowered', async () => {
    const { fixture } = started();
    await fixture.pass(1);
    expect(fixture.replicas('worker')).toBe(3);
    fixture.scale('worker', 0);
    await fixture.pass(31);
    expect([fixture.replicas('worker'), fixture.scaledBy('worker')]).toEqual([3, ['keda']]);
  });

  it('keeps within its bounds whatever the triggers ask', async () => {
    const fixture = new NeighbourFixture('ScaledObject');
    fixture.deployment('worker', 2);
    fixture.custom('ScaledObject', 'shop/worker', spec);
    const keda = new Keda(fixture.options);
    keda.start();
    const seen = new Set<number>();
    for (let polls = 0; polls < 2_000; polls++) {
      await fixture.pass(30);
      seen.add(fixture.replicas('worker'));
    }
    expect([...seen].toSorted()).toEqual([1, 2, 3, 4]);
  });

  it('takes one that is paused at a count there, leaves it, and goes on when the annotation is gone', async () => {
    const { fixture } = started();
    await fixture.pass(1);
    fixture.change('ScaledObject', 'shop/worker', 'annotations', { [paused]: '0' });
    await fixture.pass(1);
    expect(fixture.replicas('worker')).toBe(0);
    await fixture.pass(3_600);
    expect(fixture.replicas('worker')).toBe(0);
    fixture.change('ScaledObject', 'shop/worker', 'annotations', { [paused]: undefined });
    await fixture.pass(1);
    expect(fixture.replicas('worker')).toBe(3);
  });

  it('leaves one that is paused where it is', async () => {
    const { fixture } = started({ 'autoscaling.keda.sh/paused': 'true' });
    fixture.scale('worker', 0);
    await fixture.pass(120);
    expect(fixture.replicas('worker')).toBe(0);
  });

  it('does nothing while it is stopped, and looks at everything when it starts again', async () => {
    const { fixture, keda } = started();
    await fixture.pass(1);
    keda.stop();
    fixture.scale('worker', 0);
    await fixture.pass(3_600);
    expect(fixture.replicas('worker')).toBe(0);
    keda.start();
    await fixture.pass(1);
    expect(fixture.replicas('worker')).toBe(3);
  });
});
