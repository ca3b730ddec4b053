import { describe, expect, it } from 'vitest';
import {
  exampleCronJob,
  exampleDeployment,
  exampleStatefulSet,
} from '../../../test/support/examples/workload-examples.ts';
import { kindTable } from '../kinds/kind-table.ts';
import { gitOpsOwner } from '../targeting/gitops.ts';
import type { SkipCode } from '../targeting/targeting.ts';
import type { StringMap, Switched } from '../workload.ts';
import {
  type ClassifiedWorkload,
  preflight,
  type ServiceFacts,
  type WebhookFacts,
  webhookBackends,
} from './preflight.ts';

const probed = {
  containers: [
    {
      name: 'main',
      startupProbe: { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 3, timeoutSeconds: 1 },
    },
  ],
};
const cart = exampleDeployment(probed);
const targeted = (workload: ClassifiedWorkload['workload']): ClassifiedWorkload => ({
  workload,
  classification: { targeted: true },
});
const skipped = (workload: ClassifiedWorkload['workload'], code: SkipCode, text: string): ClassifiedWorkload => ({
  workload,
  classification: { targeted: false, reason: { code, text } },
});
const kinds = kindTable([]);
const webhook: WebhookFacts = {
  configuration: 'policy',
  name: 'check.policy.example',
  failurePolicy: 'Fail',
  service: { namespace: 'shop', name: 'webhook' },
  resources: ['pods'],
};
const service = { namespace: 'shop', name: 'webhook', selector: { app: 'cart' } };

function warnings(
  workloads: readonly ClassifiedWorkload[],
  webhooks: readonly WebhookFacts[] = [],
  services: readonly ServiceFacts[] = [service],
  quieted: ReadonlySet<string> = new Set(),
): string[] {
  return preflight({ kinds, workloads, webhooks, services, quieted }).map(
    (warning) => `${warning.code}: ${warning.text}`,
  );
}

const blocks =
  'webhook_backend_sleeps: Deployment shop/cart answers the admission webhook check.policy.example of policy, whose failurePolicy is Fail: while it sleeps the cluster refuses what the webhook is asked about; a wake brings it up before everything else, but exclude it if the webhook is asked about it too';

describe('preflight warns of', () => {
  const rows: Record<string, [found: string[], expected: string[]]> = {
    'nothing for a workload in order': [warnings([targeted(cart)]), []],
    'the backend of a fail-closed admission webhook': [warnings([targeted(cart)], [webhook]), [blocks]],
    'a webhook on everything': [warnings([targeted(cart)], [{ ...webhook, resources: ['*/*'] }]), [blocks]],
    'a webhook on the scale of what we write': [
      warnings([targeted(cart)], [{ ...webhook, resources: ['deployments/scale'] }]),
      [blocks],
    ],
    'a webhook whose service selects by labels that only the template of the workload has': [
      warnings(
        [targeted({ ...cart, podLabels: { app: 'cart', part: 'hook' } })],
        [webhook],
        [{ ...service, selector: { part: 'hook' } }],
      ),
      [blocks],
    ],
    'no webhook whose service selects by a label that the pods do not have': [
      warnings([targeted(cart)], [webhook], [{ ...service, selector: { app: 'cart', part: 'hook' } }]),
      [],
    ],
    'no webhook that fails open': [warnings([targeted(cart)], [{ ...webhook, failurePolicy: 'Ignore' }]), []],
    'no webhook on what a wake does not touch': [
      warnings([targeted(cart)], [{ ...webhook, resources: ['secrets'] }]),
      [],
    ],
    'no webhook whose backend does not sleep': [warnings([skipped(cart, 'never_scale', '')], [webhook]), []],
    'no webhook of another namespace': [
      warnings(
        [targeted(cart)],
        [{ ...webhook, service: { namespace: 'ops', name: 'webhook' } }],
        [{ ...service, namespace: 'ops' }],
      ),
      [],
    ],
    'no webhook whose service selects other pods': [
      warnings([targeted(cart)], [webhook], [{ ...service, selector: { app: 'auth' } }]),
      [],
    ],
    'no webhook whose service selects nothing': [
      warnings([targeted(cart)], [webhook], [{ ...service, selector: {} }]),
      [],
    ],
    'no webhook that is called by URL': [
      warnings([targeted(cart)], [{ configuration: 'p', name: 'n', failurePolicy: 'Fail', resources: ['pods'] }]),
      [],
    ],
    'volumes that would be deleted': [
      warnings([skipped(exampleStatefulSet(), 'deletes_volumes', 'Scaling it down would delete its volumes')]),
      ['deletes_volumes: StatefulSet shop/cart is left alone: scaling it down would delete its volumes'],
    ],
    'an HPA that may scale from zero': [
      warnings([skipped(cart, 'autoscaler_from_zero', 'The HorizontalPodAutoscaler a has minReplicas 0')]),
      ['autoscaler_from_zero: Deployment shop/cart is left alone: the HorizontalPodAutoscaler a has minReplicas 0'],
    ],
    'a missing start-up probe': [
      warnings([targeted(exampleDeployment())]),
      [
        'no_startup_probe: Deployment shop/cart declares no startupProbe: a wake waits config.controller.workloadSettleTimeout for it',
      ],
    ],
    'no missing probe where a sidecar declares one': [
      warnings([targeted(exampleDeployment({ sidecars: cart.containers }))]),
      [],
    ],
    'no missing probe on a CronJob': [warnings([targeted(exampleCronJob())]), []],
    'Argo CD on a Deployment': [
      warnings([targeted({ ...cart, labels: { 'argocd.argoproj.io/instance': 'shop' } })]),
      [
        'gitops_self_heal: Deployment shop/cart is managed by Argo CD application shop: if it heals itself it raises what is hibernated; let it ignore spec.replicas, or put it to sleep too (Application in config.targeting.kinds)',
      ],
    ],
    'nobody who sleeps with it': [
      warnings(
        [targeted({ ...cart, labels: { 'argocd.argoproj.io/instance': 'shop' } })],
        [],
        [],
        new Set(['Deployment shop/cart']),
      ),
      [],
    ],
    'Flux on a CronJob': [
      warnings([targeted(exampleCronJob({ labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } }))]),
      [
        'gitops_self_heal: CronJob shop/cart is managed by Flux Kustomization apps: if it heals itself it raises what is hibernated; let it ignore spec.suspend, or put it to sleep too (Kustomization in config.targeting.kinds)',
      ],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [found, expected]) => {
    expect(found).toEqual(expected);
  });
});

describe('the cure of self-heal', () => {
  it('is no row that is on: an Application that an ApplicationSet made is left alone all the same', () => {
    const [warning] = preflight({
      kinds: kindTable(['Application']),
      workloads: [targeted({ ...cart, labels: { 'argocd.argoproj.io/instance': 'shop' } })],
      webhooks: [],
      services: [],
      quieted: new Set(),
    });
    expect(warning?.text).toMatch(
      /let it ignore spec.replicas; config.targeting.kinds names Application, but this one is left alone$/,
    );
  });
});

describe('who would undo the night', () => {
  const flux = (name: string): StringMap => ({
    'kustomize.toolkit.fluxcd.io/name': name,
    'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
  });
  const kustomization = (name: string, parts: Partial<Switched> = {}): Switched =>
    exampleCronJob({ kind: 'Kustomization', namespace: 'flux-system', name, ...parts });
  const application = (...heals: string[]): Switched =>
    exampleCronJob({ kind: 'Application', namespace: 'argocd', name: 'fleet', heals });
  const alone = (workload: ClassifiedWorkload['workload']) =>
    skipped(workload, 'excluded_by_annotation', 'It is excluded');
  const undone = (quieted: readonly string[], ...workloads: ClassifiedWorkload[]) =>
    preflight({
      kinds: kindTable(['Kustomization', 'Application']),
      workloads,
      webhooks: [],
      services: [],
      quieted: new Set(quieted),
    }).map(({ text }) => text.split(':')[0]);
  const rows: Record<string, [found: readonly (string | undefined)[], expected: readonly string[]]> = {
    'one that is left alone and lists it': [
      undone([], targeted(cart), alone(application('Deployment shop/cart'))),
      ['Deployment shop/cart is managed by Argo CD application fleet'],
    ],
    'one that is left alone and lists what applies others': [
      undone(
        [],
        targeted(kustomization('apps', { value: 'false' })),
        alone(application('Kustomization flux-system/apps')),
      ),
      ['Kustomization flux-system/apps is managed by Argo CD application fleet'],
    ],
    'one of two, where the other is quiet': [
      undone(
        ['Deployment shop/cart'],
        targeted({ ...cart, labels: flux('apps') }),
        targeted(kustomization('apps')),
        alone(application('Deployment shop/cart')),
      ),
      ['Deployment shop/cart is managed by Argo CD application fleet'],
    ],
    'nobody who is suspended already': [
      undone(
        ['Deployment shop/cart'],
        targeted(cart),
        alone({ ...application('Deployment shop/cart'), suspended: true }),
      ),
      [],
    ],
    'nobody whose repository says nothing of the place': [
      undone([], targeted(kustomization('apps', { labels: flux('fleet') })), targeted(kustomization('fleet'))),
      [],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [found, expected]) => {
    expect(found).toEqual(expected);
  });
});

describe('webhookBackends', () => {
  it('names what must be woken first, once, though it answers two webhooks', () => {
    const other = exampleDeployment({ name: 'auth', selector: { matchLabels: { app: 'auth' }, matchExpressions: [] } });
    const input = {
      kinds,
      workloads: [targeted(other), targeted(cart)],
      webhooks: [webhook, { ...webhook, name: 'second' }],
      services: [service],
    };
    expect(webhookBackends(input)).toEqual([{ kind: 'Deployment', namespace: 'shop', name: 'cart' }]);
  });
});

describe('gitOpsOwner', () => {
  const rows: Record<string, [labels: StringMap, annotations: StringMap, owner: string | undefined]> = {
    'nobody without marks': [{ app: 'cart' }, {}, undefined],
    'Argo CD by its label': [{ 'argocd.argoproj.io/instance': 'shop' }, {}, 'Argo CD application shop'],
    'Argo CD by its annotation': [
      {},
      { 'argocd.argoproj.io/tracking-id': 'web:apps/Deployment:shop/cart' },
      'Argo CD application web',
    ],
    'a Flux Kustomization': [
      { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
      {},
      'Flux Kustomization flux-system/apps',
    ],
    'a Flux HelmRelease': [{ 'helm.toolkit.fluxcd.io/name': 'cart' }, {}, 'Flux HelmRelease cart'],
  };
  it.each(Object.entries(rows))('finds %s', (_name, [labels, annotations, owner]) => {
    expect(gitOpsOwner({ labels, annotations })?.name).toBe(owner);
  });
});
