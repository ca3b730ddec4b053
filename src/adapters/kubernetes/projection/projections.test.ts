import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { kindTable } from '../../../domain/kinds/kind-table.ts';
import { projections } from './projections.ts';

const project = projections(() => kindTable([]));
const at = (text: string) => Date.parse(text);

const deployment: Deployment = {
  metadata: {
    namespace: 'shop',
    name: 'cart',
    uid: 'u1',
    resourceVersion: '42',
    generation: 7,
    creationTimestamp: '2026-01-02T03:04:05Z',
    labels: { app: 'cart' },
    annotations: { 'svc.io/exclude': 'true', 'kubectl.kubernetes.io/last-applied-configuration': '{"long":"text"}' },
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Other', name: 'x', uid: 'x' },
      { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'cart', uid: 'y', controller: true },
    ],
  },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'cart' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] },
    template: {
      metadata: { labels: { app: 'cart', tier: 'a' } },
      spec: {
        terminationGracePeriodSeconds: 5,
        containers: [
          {
            name: 'main',
            startupProbe: { periodSeconds: 3 },
            resources: { requests: { cpu: '250m', memory: '128Mi' } },
          },
          { name: 'plain' },
        ],
      },
    },
  },
  status: { observedGeneration: 6, replicas: 3, readyReplicas: 2, updatedReplicas: 1 },
};

describe('workloads', () => {
  it('takes of a Deployment exactly what a Workload has', () => {
    expect(project.workload.of('Deployment')(deployment)).toStrictEqual({
      kind: 'Deployment',
      namespace: 'shop',
      name: 'cart',
      uid: 'u1',
      resourceVersion: '42',
      createdAt: at('2026-01-02T03:04:05Z'),
      labels: { app: 'cart' },
      annotations: { 'svc.io/exclude': 'true' },
      deleting: false,
      replicas: 0,
      generation: 7,
      observedGeneration: 6,
      statusReplicas: 3,
      readyReplicas: 2,
      updatedReplicas: 1,
      selector: {
        matchLabels: { app: 'cart' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }],
      },
      podLabels: { app: 'cart', tier: 'a' },
      containers: [
        {
          name: 'main',
          startupProbe: { initialDelaySeconds: 0, periodSeconds: 3, failureThreshold: 3, timeoutSeconds: 1 },
          cpuCores: 0.25,
          memoryBytes: 134_217_728,
        },
        { name: 'plain' },
      ],
      terminationGracePeriodSeconds: 5,
      scalingDownDeletesVolumes: false,
      controlledBy: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'cart' },
    });
  });

  it('takes sidecars along, and the grace period of a start-up probe; other init containers declare none', () => {
    const startupProbe = { periodSeconds: 5, terminationGracePeriodSeconds: 0 };
    const initContainers = [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always', startupProbe }];
    const spec = { selector: {}, template: { spec: { initContainers, containers: [{ name: 'main' }] } } };
    expect(project.workload.of('Deployment')({ spec })).toMatchObject({
      containers: [{ name: 'main' }],
      sidecars: [
        {
          name: 'proxy',
          startupProbe: {
            initialDelaySeconds: 0,
            periodSeconds: 5,
            failureThreshold: 3,
            timeoutSeconds: 1,
            terminationGracePeriodSeconds: 0,
          },
        },
      ],
    });
  });

  it('takes of a Deployment since when it lacks pods, while it does', () => {
    const available = (status: string) => ({
      status: { conditions: [{ type: 'Available', status, lastTransitionTime: '2026-01-02T08:00:00Z' }] },
    });
    expect(project.workload.of('Deployment')(available('False'))).toMatchObject({
      unavailableSince: at('2026-01-02T08:00:00Z'),
    });
    expect(project.workload.of('Deployment')(available('True'))).not.toHaveProperty('unavailableSince');
  });

  it('fills in what the apiserver would', () => {
    expect(project.workload.of('Deployment')({ metadata: { namespace: 'a', name: 'b' } })).toStrictEqual({
      kind: 'Deployment',
      namespace: 'a',
      name: 'b',
      uid: '',
      resourceVersion: '',
      createdAt: 0,
      labels: {},
      annotations: {},
      deleting: false,
      replicas: 1,
      generation: 0,
      observedGeneration: 0,
      statusReplicas: 0,
      readyReplicas: 0,
      updatedReplicas: 0,
      selector: { matchLabels: {}, matchExpressions: [] },
      podLabels: {},
      containers: [],
      terminationGracePeriodSeconds: 30,
      scalingDownDeletesVolumes: false,
    });
  });

  it.each([
    [{ whenScaled: 'Delete' }, true],
    [{ whenScaled: 'Retain', whenDeleted: 'Delete' }, false],
    [undefined, false],
  ])(
    'sees whether scaling a StatefulSet down destroys its volumes: %j',
    (persistentVolumeClaimRetentionPolicy, expected) => {
      // Only what the projection reads.
      const raw = { spec: { persistentVolumeClaimRetentionPolicy } } as unknown as StatefulSet;
      expect(project.workload.of('StatefulSet')(raw)).toMatchObject({
        kind: 'StatefulSet',
        scalingDownDeletesVolumes: expected,
      });
    },
  );

  it('sees a deletion on its way', () => {
    expect(
      project.workload.of('Deployment')({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }).deleting,
    ).toBe(true);
  });

  it('takes of a CronJob whether it is suspended', () => {
    const metadata = {
      namespace: 'shop',
      name: 'report',
      uid: 'u2',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    };
    expect(project.workload.of('CronJob')({ metadata, spec: { suspend: true } })).toStrictEqual({
      kind: 'CronJob',
      namespace: 'shop',
      name: 'report',
      uid: 'u2',
      resourceVersion: '1',
      createdAt: at('2026-01-01T00:00:00Z'),
      labels: {},
      annotations: {},
      deleting: false,
      suspended: true,
    });
    expect(project.workload.of('CronJob')({ metadata })).toMatchObject({ suspended: false });
  });
});

describe('pods', () => {
  const pod: Pod = {
    metadata: {
      namespace: 'shop',
      name: 'cart-1',
      uid: 'p1',
      creationTimestamp: '2026-01-01T08:00:00Z',
      labels: { app: 'cart', 'pod-template-hash': '5f' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'cart-5f', uid: 'r', controller: true }],
    },
    spec: {
      nodeName: 'node-1',
      containers: [],
      initContainers: [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always' }],
      schedulingGates: [{ name: 'wait-for-volume' }],
    },
    status: {
      phase: 'Running',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/3 nodes',
          lastTransitionTime: '2026-01-01T08:00:01Z',
        },
        { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T08:00:09Z' },
      ],
      initContainerStatuses: [
        {
          name: 'migrate',
          ready: true,
          restartCount: 0,
          image: '',
          imageID: '',
          state: {
            terminated: {
              exitCode: 0,
              reason: 'Completed',
              startedAt: '2026-01-01T08:00:02Z',
              finishedAt: '2026-01-01T08:00:03Z',
            },
          },
        },
        {
          name: 'proxy',
          ready: true,
          started: true,
          restartCount: 0,
          image: '',
          imageID: '',
          state: { running: { startedAt: '2026-01-01T08:00:04Z' } },
        },
      ],
      containerStatuses: [
        {
          name: 'main',
          ready: false,
          started: false,
          restartCount: 3,
          image: '',
          imageID: '',
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
          lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
        },
        { name: 'side', ready: false, restartCount: 0, image: '', imageID: '' },
      ],
    },
  };

  it('takes exactly what a PodView has, its namespace and its workload', () => {
    expect(project.pod(pod)).toStrictEqual({
      namespace: 'shop',
      name: 'cart-1',
      workload: 'Deployment shop/cart',
      createdAt: at('2026-01-01T08:00:00Z'),
      deleting: false,
      phase: 'Running',
      nodeName: 'node-1',
      scheduled: { status: 'False', reason: 'Unschedulable', message: '0/3 nodes', at: at('2026-01-01T08:00:01Z') },
      ready: { status: true, since: at('2026-01-01T08:00:09Z') },
      initContainers: [
        {
          name: 'migrate',
          state: {
            kind: 'terminated',
            exitCode: 0,
            reason: 'Completed',
            startedAt: at('2026-01-01T08:00:02Z'),
            finishedAt: at('2026-01-01T08:00:03Z'),
          },
          ready: true,
          started: false,
          restartCount: 0,
        },
        {
          name: 'proxy',
          state: { kind: 'running', startedAt: at('2026-01-01T08:00:04Z') },
          ready: true,
          started: true,
          restartCount: 0,
          sidecar: true,
        },
      ],
      containers: [
        {
          name: 'main',
          state: { kind: 'waiting', reason: 'CrashLoopBackOff', message: 'back-off' },
          lastTerminated: { kind: 'terminated', exitCode: 137, reason: 'OOMKilled' },
          ready: false,
          started: false,
          restartCount: 3,
        },
        {
          name: 'side',
          state: { kind: 'waiting', reason: '', message: '' },
          ready: false,
          started: false,
          restartCount: 0,
        },
      ],
    });
  });

  it('takes a pod that nobody has looked at yet', () => {
    expect(project.pod({ metadata: { namespace: 'a', name: 'b' }, status: { phase: 'Pending' } })).toStrictEqual({
      namespace: 'a',
      name: 'b',
      createdAt: 0,
      deleting: false,
      phase: 'Pending',
      initContainers: [],
      containers: [],
    });
  });

  it.each([
    ['a Deployment, by the hash in its name', 'ReplicaSet', 'cart-5f', '5f', 'Deployment shop/cart'],
    ['a Deployment whose name ends like a hash', 'ReplicaSet', 'cart-5f-5f', '5f', 'Deployment shop/cart-5f'],
    ['a StatefulSet, by its name', 'StatefulSet', 'db', undefined, 'StatefulSet shop/db'],
    ['nothing, when a bare ReplicaSet has no hash', 'ReplicaSet', 'cart-5f', undefined, undefined],
    ['nothing, when the hash is another', 'ReplicaSet', 'cart-5f', '6a', undefined],
    ['nothing, when a DaemonSet owns it', 'DaemonSet', 'cart-5f', '5f', undefined],
  ])('belongs to %s', (_, kind, name, hash, workload) => {
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'o' },
      { apiVersion: 'apps/v1', kind, name, uid: 'u', controller: true },
    ];
    const labels: Record<string, string> = hash === undefined ? {} : { 'pod-template-hash': hash };
    const metadata = { namespace: 'shop', name: 'pod', labels, ownerReferences };
    expect(project.pod({ metadata }).workload).toBe(workload);
  });

  it('calls a phase that it does not know Unknown', () => {
    expect(project.pod({ status: { phase: 'Strange' } }).phase).toBe('Unknown');
  });

  it('keeps containers apart that differ in any field that counts', () => {
    const base = { name: 'main', ready: true, started: true, restartCount: 0, image: '', imageID: '' };
    const variants = [
      base,
      { ...base, name: 'other' },
      { ...base, ready: false },
      { ...base, started: false },
      { ...base, restartCount: 1 },
      { ...base, state: { running: { startedAt: '2026-01-01T08:00:04Z' } } },
      { ...base, state: { running: { startedAt: '2026-01-01T08:00:05Z' } } },
      { ...base, state: { waiting: { reason: 'A', message: 'b' } } },
      { ...base, state: { waiting: { reason: 'A b', message: '' } } },
      { ...base, state: { terminated: { exitCode: 1 } } },
      { ...base, lastState: { terminated: { exitCode: 1 } } },
      { ...base, lastState: { terminated: { exitCode: 2 } } },
      { ...base, lastState: { terminated: { exitCode: 2, finishedAt: '2026-01-01T08:00:04Z' } } },
    ];
    const views = variants.map((status) =>
      JSON.stringify(project.pod({ status: { containerStatuses: [status] } }).containers),
    );
    expect(new Set(views).size).toBe(variants.length);
  });

  it('keeps equal containers once', () => {
    expect(project.pod(pod).containers[0]).toBe(project.pod(structuredClone(pod)).containers[0]);
  });
});

describe('the rest', () => {
  it('reads namespaces', () => {
    const raw = {
      metadata: { name: 'shop', labels: { a: 'b' }, deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: { phase: 'Terminating' },
    };
    expect(project.namespace(raw)).toStrictEqual({
      name: 'shop',
      labels: { a: 'b' },
      annotations: {},
      phase: 'Terminating',
      deleting: true,
    });
    expect(project.namespace({ metadata: { name: 'x' } })).toMatchObject({ phase: 'Active', deleting: false });
  });

  it('reads autoscalers, with one replica at least when none is named', () => {
    const raw = {
      metadata: { namespace: 'shop', name: 'cart' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'cart' }, maxReplicas: 3 },
    };
    const view = { namespace: 'shop', name: 'cart', targetKind: 'Deployment', targetName: 'cart', minReplicas: 1 };
    expect(project.autoscaler(raw)).toStrictEqual(view);
    expect(project.autoscaler({ ...raw, spec: { ...raw.spec, minReplicas: 0 } })).toStrictEqual({
      ...view,
      minReplicas: 0,
    });
  });

  it('reads who made an autoscaler: KEDA is known by its own where its objects may not be read', () => {
    const keda = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name: 'cart', uid: 'u' };
    const metadata = { namespace: 'shop', name: 'keda-hpa-cart', ownerReferences: [{ ...keda, controller: true }] };
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'cart' }, maxReplicas: 3 };
    expect(project.autoscaler({ metadata, spec }).controlledBy).toStrictEqual({
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      name: 'cart',
    });
    const mentioned = { ...metadata, ownerReferences: [keda] };
    expect(project.autoscaler({ metadata: mentioned, spec })).not.toHaveProperty('controlledBy');
  });

  it('reads scaled objects, whose target is a Deployment when no kind is named', () => {
    const metadata = { namespace: 'shop', name: 'cart' };
    const view = { namespace: 'shop', name: 'cart', targetName: 'x' };
    expect(project.scaledObject({ metadata, spec: { scaleTargetRef: { name: 'x' } } })).toStrictEqual({
      ...view,
      targetKind: 'Deployment',
    });
    expect(
      project.scaledObject({ metadata, spec: { scaleTargetRef: { name: 'x', kind: 'StatefulSet' } } }).targetKind,
    ).toBe('StatefulSet');
  });

  it('reads services, with named and numbered target ports', () => {
    const metadata = { namespace: 'shop', name: 'cart', uid: 'u', resourceVersion: '3', annotations: { a: 'b' } };
    const ports = [
      { name: 'http', port: 80, targetPort: 'web' },
      { port: 443, targetPort: 8443, protocol: 'UDP' as const },
      { port: 22 },
    ];
    expect(project.service({ metadata, spec: { selector: { app: 'cart' }, ports, type: 'NodePort' } })).toStrictEqual({
      namespace: 'shop',
      name: 'cart',
      uid: 'u',
      resourceVersion: '3',
      selector: { app: 'cart' },
      ports: [
        { name: 'http', port: 80, targetPort: 'web', protocol: 'TCP' },
        { name: '', port: 443, targetPort: 8443, protocol: 'UDP' },
        { name: '', port: 22, targetPort: 22, protocol: 'TCP' },
      ],
      type: 'NodePort',
      annotations: { a: 'b' },
    });
  });
});
