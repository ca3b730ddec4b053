import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../embedded-cluster/cluster-fixture.ts';
import { parseBehaviour } from '../../embedded-cluster/kubelet/behaviour.ts';
import { demoConfig } from './demo-config.ts';
import { demoObjects } from './demo-objects.ts';

const kinds = ['Deployment', 'StatefulSet', 'CronJob'];
const workloads = demoObjects(1).filter(
  ({ kind, metadata }) => kinds.includes(kind) && metadata.namespace !== 'kube-system',
);

describe('the demo world', () => {
  it('has about sixty workloads in eight namespaces', () => {
    expect(workloads).toHaveLength(60);
    expect(new Set(workloads.map(({ metadata }) => metadata.namespace)).size).toBe(8);
  });

  it('declares only behaviours that exist', () => {
    const annotations = JSON.stringify(demoObjects(1)).match(/"sim\.svc\.io\/[^"]+":"[^"]*"/g) ?? [];
    const pods = annotations.filter((one) => !one.includes('/load"') && !one.includes('/nowhere"'));
    const problems = pods.flatMap((one) => parseBehaviour(JSON.parse(`{${one}}`), 0).problems);
    expect(problems).toEqual([]);
    expect(pods.length).toBeGreaterThan(40);
  });

  it('varies with the seed and with nothing else', () => {
    expect(demoObjects(3)).toEqual(demoObjects(3));
    expect(demoObjects(4)).not.toEqual(demoObjects(3));
  });

  it('settles with everything up but what is meant to be in trouble', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(...demoObjects(1));
    await fixture.pass(900);
    const down = fixture.store
      .list('deployments.apps')
      .filter(({ spec, status }) => (spec.replicas ?? 1) > (status?.availableReplicas ?? 0));
    expect(down.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'media/gpu-upscaler',
      'platform/legacy-bridge',
      'staging/preview-1482',
    ]);
    const sets = fixture.store.list('statefulsets.apps');
    expect(sets.filter(({ spec, status }) => spec.replicas !== status?.readyReplicas)).toEqual([]);
    const invoicing = fixture.pods('payments').find((pod) => pod.metadata.name.startsWith('invoicing'));
    expect(invoicing?.status?.containerStatuses?.[0]).toMatchObject({ restartCount: 3, ready: true });
    expect(fixture.store.list('nodes')).toHaveLength(3);
  });

  it('keeps the Deployment that an operator owns, with its owner', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(...demoObjects(1));
    await fixture.pass(60);
    const owner = fixture.cluster.store.get('searchclusters.search.example.com', 'search', 'catalogue');
    const owned = fixture.store.get('deployments.apps', 'search', 'catalogue-search');
    expect(owned?.metadata.ownerReferences?.[0]).toMatchObject({
      kind: 'SearchCluster',
      uid: owner?.metadata.uid,
      controller: true,
    });
  });

  it('suggests tiers that wake data first and hibernate it last', () => {
    const { wakeOrdering, hibernateOrdering } = demoConfig();
    expect(wakeOrdering.tiers.map(({ name }) => name)).toEqual(['data', 'backends', 'frontends']);
    expect(hibernateOrdering.tiers.map(({ name }) => name)).toEqual(['frontends', 'backends', 'data']);
  });
});
