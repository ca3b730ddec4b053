import { describe, expect, it } from 'vitest';
import {
  exampleCronJob,
  exampleDeployment,
  exampleStatefulSet,
} from '../../../test/support/examples/workload-examples.ts';
import type { Workload } from '../workload.ts';
import {
  classify,
  compileTargeting,
  type HpaFacts,
  type NeverScaleRule,
  type ScalingFacts,
  type TargetingRules,
  targetingContext,
  withHeldScalers,
} from './targeting.ts';

const rules: TargetingRules = {
  ownNamespace: 'svc',
  targeting: { namespaces: { exclude: [{ pattern: 'kube-*' }, { exact: 'svc' }] } },
  neverScale: [],
};
const plainNamespace = { annotations: {}, terminating: false };
const facts: ScalingFacts = {
  namespaces: new Map(
    ['shop', 'svc', 'kube-system', 'kube-tools', 'kube', 'ops'].map((name) => [name, plainNamespace]),
  ),
  hpas: [],
  scaledObjects: [],
  drivers: [],
};

function reasonOf(workload: Workload, more: Partial<TargetingRules & ScalingFacts> = {}): string {
  const context = targetingContext(compileTargeting({ ...rules, ...more }), { ...facts, ...more });
  const result = classify(workload, context);
  return result.targeted ? 'targeted' : `${result.reason.code}: ${result.reason.text}`;
}

const exclude = (value: string) => ({ annotations: { 'svc.io/exclude': value } });
const shopWith = (facts: Partial<typeof plainNamespace> & { annotations?: Record<string, string> }) => ({
  namespaces: new Map([['shop', { ...plainNamespace, ...facts }]]),
});
const hpa = (given: Partial<HpaFacts> = {}): { hpas: HpaFacts[] } => ({
  hpas: [
    { namespace: 'shop', name: 'cart-hpa', target: { kind: 'Deployment', name: 'cart' }, minReplicas: 1, ...given },
  ],
});
const keda = { namespace: 'shop', name: 'cart-so', target: { kind: 'Deployment', name: 'cart' } };
const never = (rule: Partial<NeverScaleRule>) => ({ neverScale: [{ namespace: 'shop', ...rule }] });
const prometheus = { apiVersion: 'monitoring.coreos.com/v1', kind: 'Prometheus', name: 'main' };

const fromZero =
  'autoscaler_from_zero: The HorizontalPodAutoscaler cart-hpa has minReplicas 0 and may scale it up from zero';
const scaledObject = 'scaled_object: The KEDA ScaledObject cart-so drives its replicas';

describe('classify', () => {
  const rows: Record<string, [workload: Workload, more: Partial<TargetingRules & ScalingFacts>, reason: string]> = {
    'a Deployment is targeted': [exampleDeployment(), {}, 'targeted'],
    'what a Rollout runs in its place is left to it': [
      exampleDeployment(),
      {
        drivers: [
          { kind: 'Rollout', namespace: 'shop', name: 'cart-ro', target: { kind: 'Deployment', name: 'cart' } },
        ],
      },
      'operator: Rollout cart-ro runs its pods in its place',
    ],
    'a Rollout of another namespace, or of another workload, is no reason': [
      exampleDeployment(),
      {
        drivers: [
          { kind: 'Rollout', namespace: 'ops', name: 'cart-ro', target: { kind: 'Deployment', name: 'cart' } },
          { kind: 'Rollout', namespace: 'shop', name: 'web-ro', target: { kind: 'Deployment', name: 'web' } },
        ],
      },
      'targeted',
    ],
    'what has a floor above what it would sleep by stays up': [
      { ...exampleCronJob(), kind: 'AutoscalingRunnerSet', keptUpBy: 'spec.minRunners is 2' },
      {},
      'kept_up_by_floor: Its spec.minRunners is 2: it can sleep once that is 0',
    ],
    'a StatefulSet is targeted': [exampleStatefulSet(), {}, 'targeted'],
    'a CronJob is targeted': [exampleCronJob(), {}, 'targeted'],
    'the own namespace is not, whatever the configuration': [
      exampleDeployment({ namespace: 'svc' }),
      { targeting: { namespaces: { exclude: [] } } },
      "own_namespace: Namespace svc is the service's own",
    ],
    'a workload that is being deleted is not': [
      exampleDeployment({ deleting: true }),
      {},
      'deleting: The Deployment is being deleted',
    ],
    'a workload in a namespace that is being deleted is not': [
      exampleDeployment(),
      shopWith({ terminating: true }),
      'namespace_terminating: Namespace shop is being deleted',
    ],
    'a workload in a namespace that was not read is not: its annotations are unknown': [
      exampleDeployment({ namespace: 'new' }),
      {},
      'namespace_unknown: Namespace new has not been read yet',
    ],
    'a namespace excluded by pattern': [
      exampleDeployment({ namespace: 'kube-system' }),
      {},
      'namespace_excluded: Namespace kube-system is excluded by the pattern kube-*',
    ],
    'the parts of the cluster itself, though an own list does not name them': [
      exampleDeployment({ namespace: 'kube-system' }),
      { targeting: { namespaces: { exclude: [{ exact: 'ops' }] } } },
      'system_namespace: Namespace kube-system holds parts of the cluster itself and does not carry the annotation svc.io/exclude: "false"',
    ],
    'the parts of the cluster itself, when somebody says so there': [
      exampleDeployment({ namespace: 'kube-system' }),
      {
        targeting: { namespaces: { exclude: [] } },
        namespaces: new Map([['kube-system', { ...plainNamespace, ...exclude('false') }]]),
      },
      'targeted',
    ],
    'the parts of the cluster itself, by a list that names them whatever they say': [
      exampleDeployment({ namespace: 'kube-system' }),
      { namespaces: new Map([['kube-system', { ...plainNamespace, ...exclude('false') }]]) },
      'namespace_excluded: Namespace kube-system is excluded by the pattern kube-*',
    ],
    'another namespace that begins with kube- is targeted where the list does not name it': [
      exampleDeployment({ namespace: 'kube-tools' }),
      { targeting: { namespaces: { exclude: [] } } },
      'targeted',
    ],
    'a namespace that only begins like the pattern is targeted': [
      exampleDeployment({ namespace: 'kube' }),
      {},
      'targeted',
    ],
    'a namespace excluded by exact name': [
      exampleDeployment({ namespace: 'ops' }),
      { targeting: { namespaces: { exclude: [{ exact: 'ops' }] } } },
      'namespace_excluded: Namespace ops is excluded by name',
    ],
    'an exact name is no pattern': [
      exampleDeployment({ namespace: 'ops' }),
      { targeting: { namespaces: { exclude: [{ exact: 'op*' }] } } },
      'targeted',
    ],
    'the annotation on the workload': [
      exampleDeployment(exclude('true')),
      {},
      'excluded_by_annotation: The Deployment carries the annotation svc.io/exclude',
    ],
    'the annotation on a CronJob': [
      exampleCronJob(exclude('true')),
      {},
      'excluded_by_annotation: The CronJob carries the annotation svc.io/exclude',
    ],
    'the annotation with an empty value': [
      exampleDeployment(exclude('')),
      {},
      'excluded_by_annotation: The Deployment carries the annotation svc.io/exclude',
    ],
    'the annotation with any other value': [
      exampleDeployment(exclude('until friday')),
      {},
      'excluded_by_annotation: The Deployment carries the annotation svc.io/exclude',
    ],
    'the annotation with the value false excludes nothing': [exampleDeployment(exclude('false')), {}, 'targeted'],
    'the annotation with the value False excludes nothing': [exampleDeployment(exclude(' False ')), {}, 'targeted'],
    'the annotation on the namespace': [
      exampleDeployment(),
      shopWith(exclude('true')),
      'excluded_by_annotation: Namespace shop carries the annotation svc.io/exclude',
    ],
    'the annotation on the namespace is not undone by false on the workload': [
      exampleDeployment(exclude('false')),
      shopWith(exclude('true')),
      'excluded_by_annotation: Namespace shop carries the annotation svc.io/exclude',
    ],
    'a neverScale rule for a whole namespace': [
      exampleDeployment(),
      never({}),
      'never_scale: Never scaled by the rule namespace=shop',
    ],
    'a neverScale rule shows its reason': [
      exampleDeployment(),
      never({ reason: 'payments run at night' }),
      'never_scale: Never scaled by the rule namespace=shop: payments run at night',
    ],
    'a neverScale rule with a pattern of namespaces': [
      exampleDeployment(),
      never({ namespace: 'sh?p' }),
      'never_scale: Never scaled by the rule namespace=sh?p',
    ],
    'a neverScale rule with every field': [
      exampleStatefulSet({ labels: { app: 'cart', tier: 'db' }, annotations: { team: 'pay' } }),
      never({ type: 'statefulsets', name: 'c*', labels: { tier: 'db' }, annotations: { team: 'pay' } }),
      'never_scale: Never scaled by the rule namespace=shop type=StatefulSet name=c* label tier=db annotation team=pay',
    ],
    'a neverScale rule for another namespace': [exampleDeployment(), never({ namespace: 'ops' }), 'targeted'],
    'a neverScale rule for another type': [exampleDeployment(), never({ type: 'CronJob' }), 'targeted'],
    'a neverScale rule for another name': [exampleDeployment(), never({ name: 'car' }), 'targeted'],
    'a neverScale rule for a label that is absent': [
      exampleDeployment(),
      never({ labels: { tier: 'db' } }),
      'targeted',
    ],
    'a neverScale rule for a label with another value': [
      exampleDeployment({ labels: { tier: 'web' } }),
      never({ labels: { tier: 'db' } }),
      'targeted',
    ],
    'a neverScale rule for an annotation that is absent': [
      exampleDeployment(),
      never({ annotations: { team: 'pay' } }),
      'targeted',
    ],
    'a KEDA ScaledObject': [exampleDeployment(), { scaledObjects: [keda] }, scaledObject],
    'a KEDA ScaledObject seen by its HPA alone': [
      exampleDeployment(),
      hpa({ controlledBy: { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name: 'cart-so' } }),
      scaledObject,
    ],
    'a KEDA ScaledObject of another namespace': [
      exampleDeployment(),
      { scaledObjects: [{ ...keda, namespace: 'ops' }] },
      'targeted',
    ],
    'a KEDA ScaledObject of another kind': [exampleStatefulSet(), { scaledObjects: [keda] }, 'targeted'],
    'an operator': [
      exampleStatefulSet({ controlledBy: prometheus }),
      {},
      'operator: Prometheus main (monitoring.coreos.com/v1) controls it',
    ],
    'a StatefulSet whose volumes would be deleted': [
      exampleStatefulSet({ scalingDownDeletesVolumes: true }),
      {},
      'deletes_volumes: Scaling it down would delete its volumes (persistentVolumeClaimRetentionPolicy.whenScaled is Delete)',
    ],
    'a plain HPA changes nothing: it rests at zero': [exampleDeployment(), hpa(), 'targeted'],
    'an HPA that may scale from zero': [exampleDeployment(), hpa({ minReplicas: 0 }), fromZero],
    'an HPA that may scale from zero, beside a plain one': [
      exampleDeployment(),
      { hpas: [...hpa({ minReplicas: 0 }).hpas, ...hpa({ name: 'other' }).hpas] },
      fromZero,
    ],
    'an HPA of another workload': [
      exampleDeployment(),
      hpa({ minReplicas: 0, target: { kind: 'Deployment', name: 'auth' } }),
      'targeted',
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [workload, more, reason]) => {
    expect(reasonOf(workload, more)).toBe(reason);
  });

  describe('what KEDA would not raise again after a wake', () => {
    const scaled = (annotations: Readonly<Record<string, string>>, kind = 'ScaledObject') =>
      ({ ...exampleCronJob({ annotations }), kind }) as Workload;
    const freezing = ['autoscaling.keda.sh/paused', 'autoscaling.keda.sh/paused-scale-out'];

    it.each(freezing)('a ScaledObject that its owner froze by %s is left alone', (name) => {
      const reason = `frozen_by_owner: Its annotation ${name} would keep it at zero after a wake: it can sleep without it`;
      // What is no boolean is true to KEDA.
      for (const value of ['true', '1', 'T', 'yes', ''])
        expect(reasonOf(scaled({ [name]: value })), value).toBe(reason);
    });

    it.each(freezing)('%s that is false freezes nothing', (name) => {
      for (const value of ['false', 'False', 'F', '0']) expect(reasonOf(scaled({ [name]: value }))).toBe('targeted');
    });

    it.each(freezing)('one with %s and a count of its own comes back at that count', (name) => {
      expect(reasonOf(scaled({ [name]: 'true', 'autoscaling.keda.sh/paused-replicas': '2' }))).toBe('targeted');
    });

    it('a ScaledJob sleeps by that very annotation', () => {
      expect(reasonOf(scaled({ 'autoscaling.keda.sh/paused': 'true' }, 'ScaledJob'))).toBe('targeted');
    });
  });

  describe('what an autoscaler may raise from zero', () => {
    const scaler = (more: Partial<Workload> = {}) =>
      ({ ...exampleCronJob({ name: 'cart-hpa' }), kind: 'HorizontalPodAutoscaler', ...more }) as Workload;
    const two = { hpas: [...hpa({ minReplicas: 0 }).hpas, ...hpa({ name: 'other', minReplicas: 0 }).hpas] };
    const withScalers = (scalers: readonly Workload[], around: Partial<ScalingFacts> = hpa({ minReplicas: 0 })) => {
      const context = targetingContext(compileTargeting(rules), { ...facts, ...around });
      return classify(exampleDeployment(), withHeldScalers(context, scalers)).targeted;
    };
    it.each<[string, boolean, boolean]>([
      ['is ours when it is held', withScalers([scaler()]), true],
      ['is not while nobody names autoscalers', withScalers([]), false],
      ['is not when its owner excludes it', withScalers([scaler(exclude('true'))]), false],
      ['is not when an operator controls it', withScalers([scaler({ controlledBy: prometheus })]), false],
      ['is not when one of another namespace is held', withScalers([scaler({ namespace: 'ops' })]), false],
      ['is not when only one of two is held', withScalers([scaler()], two), false],
      ['is ours when both are held', withScalers([scaler(), scaler({ name: 'other' })], two), true],
    ])('%s', (_, targeted, expected) => {
      expect(targeted).toBe(expected);
    });
  });

  it('gives the first reason, in this order', () => {
    const everything = {
      namespaces: new Map([['svc', { annotations: { 'svc.io/exclude': '' }, terminating: true }]]),
      neverScale: [{ namespace: 'svc' }],
      scaledObjects: [{ ...keda, namespace: 'svc', target: { kind: 'StatefulSet', name: 'cart' } }],
      hpas: [
        {
          ...hpa().hpas[0],
          minReplicas: 0,
          namespace: 'svc',
          target: { kind: 'StatefulSet', name: 'cart' },
        } as HpaFacts,
      ],
    };
    const workload = {
      namespace: 'svc',
      deleting: true,
      ...exclude(''),
      controlledBy: prometheus,
      scalingDownDeletesVolumes: true,
    };
    // Each step takes away the reason that came before it.
    const steps: [{ readonly [K in keyof typeof workload]?: unknown }, object][] = [
      [{}, {}],
      [{}, { ownNamespace: 'x' }],
      [{ deleting: false }, { namespaces: new Map() }],
      [{}, { namespaces: everything.namespaces }],
      [{}, { namespaces: new Map([['svc', exclude('')]]) }],
      [{}, { targeting: { namespaces: { exclude: [] } } }],
      [{}, { namespaces: new Map([['svc', plainNamespace]]) }],
      [{ annotations: {} }, {}],
      [{}, { neverScale: [] }],
      [{}, { scaledObjects: [] }],
      [{ controlledBy: undefined }, {}],
      [{ scalingDownDeletesVolumes: false }, {}],
      [{}, { hpas: [] }],
    ];
    let given: object = workload;
    let more: object = everything;
    const codes = steps.map(([change, context]) => {
      given = { ...given, ...change };
      more = { ...more, ...context };
      return reasonOf(exampleStatefulSet(given), more).split(':')[0];
    });
    expect(codes).toEqual([
      'own_namespace',
      'deleting',
      'namespace_unknown',
      'namespace_terminating',
      'namespace_excluded',
      'excluded_by_annotation',
      'excluded_by_annotation',
      'never_scale',
      'scaled_object',
      'operator',
      'deletes_volumes',
      'autoscaler_from_zero',
      'targeted',
    ]);
  });
});
