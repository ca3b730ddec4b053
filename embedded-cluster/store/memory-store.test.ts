import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../api/embedded-api-fixture.ts';
import type { KubeObject, NewObject, StoreEvent } from '../object-store.ts';
import { VirtualClock } from '../time/virtual-clock.ts';
import { ApiError } from './api-error.ts';
import { MemoryStore } from './memory-store.ts';

const DEPLOYMENTS = 'deployments.apps';

function object(kind: string, name: string, content: Record<string, unknown> = {}): NewObject {
  const { metadata, ...rest } = content;
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop', ...(metadata as object) }, ...rest };
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.reason}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('MemoryStore', () => {
  let clock: VirtualClock;
  let store: MemoryStore;

  beforeEach(() => {
    clock = new VirtualClock(Date.UTC(2026, 0, 5, 7, 0, 0, 999));
    store = new MemoryStore(clock, seededRandom());
  });

  const withSpec = (before: KubeObject, spec: unknown): KubeObject => ({ ...before, spec });

  it('gives a new object a uid, the next version, a time with seconds and, where the kind has one, a generation', () => {
    const created = store.create(DEPLOYMENTS, object('Deployment', 'web'));
    expect(created.metadata).toMatchObject({
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-05T07:00:00Z',
    });
    expect(created.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(store.create('configmaps', object('ConfigMap', 'a')).metadata.generation).toBeUndefined();
  });

  it('counts versions over all resources', () => {
    const versions = ['a', 'b'].map(
      (name) => store.create('configmaps', object('ConfigMap', name)).metadata.resourceVersion,
    );
    expect([...versions, store.create('pods', object('Pod', 'p')).metadata.resourceVersion]).toEqual(['1', '2', '3']);
  });

  const generations: Record<
    string,
    [resource: string, change: (before: KubeObject) => KubeObject, generation: number]
  > = {
    'a change of spec': [DEPLOYMENTS, (before) => withSpec(before, { replicas: 3 }), 2],
    'a change of status': [DEPLOYMENTS, (before) => ({ ...before, status: { replicas: 3 } }), 1],
    'a change of labels': [
      DEPLOYMENTS,
      (before) => ({ ...before, metadata: { ...before.metadata, labels: { a: 'b' } } }),
      1,
    ],
    "a change of a Deployment's annotations, which its ReplicaSets copy": [
      DEPLOYMENTS,
      (before) => ({ ...before, metadata: { ...before.metadata, annotations: { a: 'b' } } }),
      2,
    ],
    "a change of a StatefulSet's annotations": [
      'statefulsets.apps',
      (before) => ({ ...before, metadata: { ...before.metadata, annotations: { a: 'b' } } }),
      1,
    ],
    'placing a pod on a node': ['pods', (before) => withSpec(before, { nodeName: 'n1' }), 1],
  };
  it.each(Object.entries(generations))('after %s the generation is right', (_, [resource, change, generation]) => {
    const before = store.create(resource, object('Any', 'x', { spec: {} }));
    expect(store.update(resource, change(before)).metadata.generation).toBe(generation);
  });

  it('keeps the version and tells nobody when an update changes nothing', () => {
    const before = store.create('configmaps', object('ConfigMap', 'a', { data: { k: 'v' } }));
    const heard: StoreEvent[] = [];
    store.onChange('configmaps', (event) => heard.push(event));
    expect(store.update('configmaps', { ...before, data: { k: 'v' } })).toBe(before);
    expect(heard).toEqual([]);
  });

  it('refuses a stale version, another uid, a missing and an existing object in the words of the apiserver', () => {
    const before = store.create(DEPLOYMENTS, object('Deployment', 'web', { spec: {} }));
    store.update(DEPLOYMENTS, withSpec(before, { replicas: 1 }));
    const stale = () => store.update(DEPLOYMENTS, withSpec(before, { replicas: 2 }));
    expect(refusal(stale)).toBe(
      '409 Conflict: Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    );
    const { resourceVersion: _, ...metadata } = before.metadata;
    const other = { ...before, metadata: { ...metadata, uid: 'other' } } as KubeObject;
    expect(refusal(() => store.update(DEPLOYMENTS, other))).toBe(
      `409 Conflict: Operation cannot be fulfilled on deployments.apps "web": StorageError: invalid object, Code: 4, Key: /registry/deployments/shop/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${before.metadata.uid}`,
    );
    expect(refusal(() => store.delete(DEPLOYMENTS, 'shop', 'no'))).toBe(
      '404 NotFound: deployments.apps "no" not found',
    );
    expect(refusal(() => store.create(DEPLOYMENTS, object('Deployment', 'web')))).toBe(
      '409 AlreadyExists: deployments.apps "web" already exists',
    );
  });

  it('marks a running pod for its grace period and removes it when the kubelet comes back with none', () => {
    store.create('pods', object('Pod', 'p', { spec: { nodeName: 'n1', terminationGracePeriodSeconds: 45 } }));
    const types: string[] = [];
    store.onChange('pods', (event) => types.push(event.type));
    store.delete('pods', 'shop', 'p');
    expect(store.get('pods', 'shop', 'p')?.metadata).toMatchObject({
      deletionTimestamp: '2026-01-05T07:00:45Z',
      deletionGracePeriodSeconds: 45,
      generation: 2,
    });
    store.delete('pods', 'shop', 'p', { gracePeriodSeconds: 0 });
    expect(store.get('pods', 'shop', 'p')).toBeUndefined();
    expect(types).toEqual(['MODIFIED', 'DELETED']);
  });

  const atOnce: Record<string, NewObject> = {
    'a pod that no node has': object('Pod', 'p', { spec: {} }),
    'a pod that has finished': object('Pod', 'p', { spec: { nodeName: 'n1' }, status: { phase: 'Succeeded' } }),
  };
  it.each(Object.entries(atOnce))('removes %s at once', (_, pod) => {
    store.create('pods', pod);
    store.delete('pods', 'shop', 'p');
    expect(store.list('pods')).toEqual([]);
  });

  it('keeps an object until its last finalizer is gone', () => {
    store.create(DEPLOYMENTS, object('Deployment', 'web', { metadata: { finalizers: ['a.io/x'] } }));
    store.delete(DEPLOYMENTS, 'shop', 'web');
    const held = store.get(DEPLOYMENTS, 'shop', 'web')!;
    expect(held.metadata.deletionTimestamp).toBe('2026-01-05T07:00:00Z');
    store.update(DEPLOYMENTS, { ...held, metadata: { ...held.metadata, finalizers: [] } });
    expect(store.get(DEPLOYMENTS, 'shop', 'web')).toBeUndefined();
  });

  it.each([
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ] as const)('keeps the policy %s as a finalizer for the garbage collector', (propagationPolicy, finalizers) => {
    store.create(DEPLOYMENTS, object('Deployment', 'web'));
    store.delete(DEPLOYMENTS, 'shop', 'web', { propagationPolicy });
    expect(store.get(DEPLOYMENTS, 'shop', 'web')?.metadata.finalizers).toEqual(finalizers);
  });

  it('lets a namespace terminate and waits for its finalizer', () => {
    store.create('namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop' },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    store.delete('namespaces', undefined, 'shop');
    const namespace = store.get('namespaces', undefined, 'shop')!;
    expect(namespace['status']).toEqual({ phase: 'Terminating' });
    store.update('namespaces', withSpec(namespace, { finalizers: [] }));
    expect(store.get('namespaces', undefined, 'shop')).toBeUndefined();
  });

  it('lists in the order of the keys, in which a-b comes before a', () => {
    for (const namespace of ['a', 'a-b']) store.create('pods', object('Pod', 'p', { metadata: { namespace } }));
    expect(store.list('pods').map((pod) => pod.metadata.namespace)).toEqual(['a-b', 'a']);
  });

  it('forgets its history past the limit and on compact', () => {
    const small = new MemoryStore(clock, seededRandom(), { historyLimit: 2 });
    for (const name of ['a', 'b', 'c', 'd']) small.create('pods', object('Pod', name));
    expect(small.changesSince('pods', 1)).toBeUndefined();
    expect(small.changesSince('pods', 2)?.map((event) => event.object.metadata.name)).toEqual(['c', 'd']);
    small.compact();
    expect(small.changesSince('pods', 3)).toBeUndefined();
    expect(small.changesSince('pods', 4)).toEqual([]);
  });

  it('can show any earlier state that its history reaches', () => {
    const step = fc.record({
      act: fc.constantFrom('create', 'update', 'delete'),
      name: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = new MemoryStore(clock, seededRandom());
        const states = new Map<number, readonly KubeObject[]>([[0, []]]);
        for (const [index, { act, name }] of steps.entries()) {
          const known = world.get('configmaps', 'shop', name);
          if (act === 'create' && known === undefined) world.create('configmaps', object('ConfigMap', name));
          if (act === 'update' && known !== undefined)
            world.update('configmaps', { ...known, data: { at: String(index) } });
          if (act === 'delete' && known !== undefined) world.delete('configmaps', 'shop', name);
          states.set(world.version, world.list('configmaps'));
        }
        for (const [version, state] of states) expect(world.listAt('configmaps', 'shop', version)).toEqual(state);
      }),
    );
  });

  it('goes back to a backup: objects and versions as they were, and who listens hears of each difference', () => {
    const kept = store.create('configmaps', object('ConfigMap', 'kept'));
    store.create('configmaps', object('ConfigMap', 'changed'));
    store.create('configmaps', object('ConfigMap', 'deleted'));
    const backup = store.backup();
    store.update('configmaps', { ...store.get('configmaps', 'shop', 'changed')!, data: { a: '1' } });
    store.delete('configmaps', 'shop', 'deleted');
    store.create('configmaps', object('ConfigMap', 'new'));
    const heard: string[] = [];
    store.onChange('configmaps', ({ type, object: { metadata } }) => heard.push(`${type} ${metadata.name}`));
    store.restore(backup);
    expect(heard.toSorted()).toEqual(['ADDED deleted', 'DELETED new', 'MODIFIED changed']);
    expect(store.list('configmaps')).toEqual(backup.objects.get('configmaps'));
    expect(store.changesSince('configmaps', 1_000)).toEqual([]);
    expect(store.changesSince('configmaps', 2)).toBeUndefined();
    const next = store.update('configmaps', { ...kept, data: { a: '2' } });
    expect(next.metadata.resourceVersion).toBe('4');
  });
});
