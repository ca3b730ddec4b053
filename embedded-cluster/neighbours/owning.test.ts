import { describe, expect, it } from 'vitest';
import { podTemplate } from '../cluster-fixture.ts';
import { RolloutsController } from './argo-rollouts.ts';
import { NeighbourFixture } from './neighbour-fixture.ts';
import { Operator, postgresOperator, prometheusOperator } from './operator.ts';

const pods = (fixture: NeighbourFixture) => fixture.pods().length;

describe('Argo Rollouts', () => {
  const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: podTemplate('web') };

  function started(given: object = spec): NeighbourFixture {
    const fixture = new NeighbourFixture('Rollout');
    fixture.custom('Rollout', 'shop/web', given);
    new RolloutsController(fixture.options).start();
    return fixture;
  }

  it('runs the pods of a Rollout through a ReplicaSet and says how many there are', async () => {
    const fixture = started();
    await fixture.pass(30);
    expect(fixture.pods()[0]?.metadata.labels).toHaveProperty('rollouts-pod-template-hash');
    expect(fixture.stored('Rollout', 'shop/web')['status']).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      phase: 'Healthy',
      observedGeneration: '1',
    });
  });

  it('follows its count to zero and back', async () => {
    const fixture = started();
    await fixture.pass(30);
    fixture.change('Rollout', 'shop/web', 'spec', { replicas: 0 });
    await fixture.pass(60);
    expect([pods(fixture), fixture.stored('Rollout', 'shop/web')['status']]).toMatchObject([0, { replicas: 0 }]);
    fixture.change('Rollout', 'shop/web', 'spec', { replicas: 2 });
    await fixture.pass(60);
    expect(pods(fixture)).toBe(2);
  });

  it('replaces the pods of an old template', async () => {
    const fixture = started();
    await fixture.pass(30);
    fixture.change('Rollout', 'shop/web', 'spec', { template: podTemplate('web', { image: 'web:2' }) });
    await fixture.pass(120);
    expect(fixture.pods().map((pod) => pod.spec?.containers[0]?.image)).toEqual(['web:2', 'web:2', 'web:2']);
  });

  it('takes the template of the Deployment that it refers to', async () => {
    const fixture = started({ replicas: 1, workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'old' } });
    fixture.deployment('old', 0);
    fixture.change('Rollout', 'shop/web', 'spec', { replicas: 2 });
    await fixture.pass(60);
    expect(fixture.pods().map(({ metadata }) => metadata.labels?.['app'])).toEqual(['old', 'old']);
  });
});

describe('an operator', () => {
  const set = 'statefulsets.apps';

  it('keeps its StatefulSet at the count of its resource, and puts it back when somebody scales it', async () => {
    const fixture = new NeighbourFixture('Prometheus');
    fixture.custom('Prometheus', 'shop/metrics', {});
    new Operator(fixture.options, prometheusOperator).start();
    await fixture.pass(30);
    expect([fixture.replicas('metrics', set), pods(fixture)]).toEqual([1, 1]);
    fixture.scale('metrics', 0, set);
    await fixture.pass(1);
    expect(fixture.replicas('metrics', set)).toBe(1);
    fixture.change('Prometheus', 'shop/metrics', 'spec', { replicas: 0 });
    await fixture.pass(60);
    expect([fixture.replicas('metrics', set), pods(fixture)]).toEqual([0, 0]);
    fixture.change('Prometheus', 'shop/metrics', 'spec', { replicas: undefined });
    await fixture.pass(1);
    expect(fixture.replicas('metrics', set)).toBe(1);
  });

  it('that does not watch its StatefulSet puts it back at its resync', async () => {
    const fixture = new NeighbourFixture('postgresql');
    fixture.custom('postgresql', 'shop/orders', { numberOfInstances: 2 });
    new Operator(fixture.options, postgresOperator).start();
    await fixture.pass(1);
    fixture.scale('orders', 0, set);
    await fixture.pass(1_700);
    expect(fixture.replicas('orders', set)).toBe(0);
    await fixture.pass(120);
    expect(fixture.replicas('orders', set)).toBe(2);
  });
});
