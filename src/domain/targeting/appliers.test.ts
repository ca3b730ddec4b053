import { describe, expect, it } from 'vitest';
import { cronJob, deployment } from '../../../test/support/builders/workloads.ts';
import { annotations } from '../names.ts';
import { type Switched, type Workload, workloadKey } from '../workload.ts';
import { quietedManagers, quietedWorkloads, raisedAgain, withoutIdleAppliers } from './appliers.ts';
import type { SkipReason } from './targeting.ts';

const excluded: SkipReason = {
  code: 'excluded_by_annotation',
  text: 'The Deployment carries the annotation svc.io/exclude',
};
const kustomization = (name: string): Workload => cronJob({ kind: 'Kustomization', namespace: 'flux-system', name });
const appliedBy = (name: string, namespace = 'flux-system') =>
  deployment({
    labels: { 'kustomize.toolkit.fluxcd.io/name': name, 'kustomize.toolkit.fluxcd.io/namespace': namespace },
  });

const application = (...heals: string[]): Workload =>
  ({ ...cronJob({ kind: 'Application', namespace: 'argocd', name: 'shop' }), heals }) as Workload;

const scaler = (...heals: string[]): Workload =>
  ({ ...cronJob({ kind: 'HorizontalPodAutoscaler', namespace: 'shop', name: 'cart' }), heals }) as Workload;

const scalerKey = 'HorizontalPodAutoscaler shop/cart';

const child = (name: string, of: string, stands: Partial<Switched> = {}): Workload =>
  cronJob({ kind: 'Kustomization', namespace: 'flux-system', name, labels: appliedBy(of).labels, ...stands });
const asleep = (before: Readonly<Record<string, string>> = {}): Partial<Switched> => ({
  suspended: true,
  annotations: { [annotations.suspendedByService]: 'true', ...before },
});

/** Why the first of them is left alone, if it is. */
const why = (...classified: { readonly workload: Workload; readonly skipped?: SkipReason }[]) =>
  withoutIdleAppliers(classified)[0]?.skipped?.code;

describe('what applies other workloads', () => {
  it('is ours while one of them is', () => {
    expect(why({ workload: kustomization('apps') }, { workload: appliedBy('apps') })).toBeUndefined();
  });
  it('is left alone when it applies nothing', () => {
    expect(why({ workload: kustomization('infra') }, { workload: appliedBy('apps') })).toBe('applies_nothing');
  });
  it('is left alone when what it applies is left alone', () => {
    const left = { workload: appliedBy('apps'), skipped: excluded };
    expect(why({ workload: kustomization('apps') }, left)).toBe('applies_nothing');
  });
  it('is another one in another namespace', () => {
    expect(why({ workload: kustomization('apps') }, { workload: appliedBy('apps', 'team') })).toBe('applies_nothing');
  });
  it('keeps the reason that it has', () => {
    expect(why({ workload: kustomization('apps'), skipped: excluded }, { workload: appliedBy('apps') })).toBe(
      'excluded_by_annotation',
    );
  });
  it('is not made busy by another that it applies', () => {
    const child = { ...kustomization('child'), labels: appliedBy('apps').labels };
    expect(why({ workload: kustomization('apps') }, { workload: child })).toBe('applies_nothing');
  });
  it('is made busy by another that it applies with a value where that sleeps: it would put the value back', () => {
    const parent = { workload: kustomization('apps') };
    const cart = { workload: appliedBy('child') };
    const declared = { workload: child('child', 'apps', { value: 'false' }) };
    expect(why(parent, declared, cart)).toBeUndefined();
    expect(why(parent, declared)).toBe('applies_nothing');
    const asleepDeclared = { workload: child('child', 'apps', asleep({ [annotations.valueBefore]: 'false' })) };
    expect(why(parent, asleepDeclared, cart)).toBeUndefined();
    expect(why(parent, { workload: child('child', 'apps', asleep()) }, cart)).toBe('applies_nothing');
    const grandchild = { workload: child('grandchild', 'child', { value: 'false' }) };
    expect(why(parent, declared, grandchild, { workload: appliedBy('grandchild') })).toBeUndefined();
  });
  it('is known by its own list where it keeps one', () => {
    const cart = { workload: deployment({ namespace: 'shop', name: 'cart' }) };
    expect(why({ workload: application('Deployment shop/cart') }, cart)).toBeUndefined();
    expect(why({ workload: application('Deployment shop/web') }, cart)).toBe('applies_nothing');
    expect(why({ workload: application() }, cart)).toBe('applies_nothing');
    expect(why({ workload: application('Deployment shop/cart') }, { ...cart, skipped: excluded })).toBe(
      'applies_nothing',
    );
  });
  it('is left alone, in words of its own, when it scales nothing that sleeps from zero', () => {
    const cart = { workload: deployment({ namespace: 'shop', name: 'cart' }) };
    expect(why({ workload: scaler('Deployment shop/cart') }, cart)).toBeUndefined();
    expect(withoutIdleAppliers([{ workload: scaler() }, cart])[0]).toMatchObject({
      skipped: { code: 'applies_nothing', text: 'It raises nothing that sleeps from zero' },
    });
  });
  it('stays ours while it is quiet by us, though what it applied is gone or left alone', () => {
    const quiet = (uid: string) => {
      const annotations = { 'svc.io/suspended': 'true', 'svc.io/hibernated-uid': uid };
      return { workload: { ...kustomization('apps'), uid: 'u1', suspended: true, annotations } as Workload };
    };
    expect(why(quiet('u1'))).toBeUndefined();
    expect(why(quiet('u1'), { workload: appliedBy('apps'), skipped: excluded })).toBeUndefined();
    expect(why(quiet('of another'))).toBe('applies_nothing');
  });
  it('changes nothing for a cluster without any', () => {
    const classified = [{ workload: deployment() }];
    expect(withoutIdleAppliers(classified)).toBe(classified);
  });
});

describe('what applies something that applies others', () => {
  const says = { value: 'false' };
  const apps = (stands: Partial<Switched> = {}) => ({ ...kustomization('apps'), ...stands }) as Workload;
  const held = (stands: Partial<Switched> = {}) =>
    ({ ...scaler('Deployment shop/cart'), labels: appliedBy('apps').labels, ...stands }) as Workload;
  const cart = deployment({ namespace: 'shop', name: 'cart' });
  it.each([
    [
      'is ours where it lists one that says how it stands',
      [application('Kustomization flux-system/apps'), apps(says), appliedBy('apps')],
      undefined,
    ],
    [
      'is left alone where that says nothing',
      [application('Kustomization flux-system/apps'), apps(), appliedBy('apps')],
      'applies_nothing',
    ],
    ['is ours where it applies an autoscaler that says how it stands', [apps(), held(says), cart], undefined],
    ['is left alone where the autoscaler says nothing', [apps(), held(), cart], 'applies_nothing'],
    [
      'is ours where it lists an autoscaler that says how it stands',
      [application(scalerKey), held(says), cart],
      undefined,
    ],
  ])('%s', (_name, workloads, expected) => {
    expect(why(...workloads.map((workload) => ({ workload })))).toBe(expected);
  });
});

describe('what nobody raises while it sleeps', () => {
  const cart = deployment({ namespace: 'shop', name: 'cart' });
  it.each([
    ['is on the list of one that sleeps too', [application('Deployment shop/cart'), cart], ['Deployment shop/cart']],
    ['names one that sleeps too', [kustomization('apps'), appliedBy('apps')], ['Deployment shop/cart']],
    [
      'is not what another applies',
      [kustomization('infra'), application('Deployment shop/web'), appliedBy('apps')],
      [],
    ],
    ['is not what nobody applies', [cart], []],
    ['is not the target of an autoscaler that is held', [scaler('Deployment shop/cart'), cart], []],
  ])('%s', (_name, sleeping, quieted) => {
    expect([...quietedWorkloads(sleeping)]).toEqual(quieted);
  });
});

describe('what would be raised again at once', () => {
  const cart = deployment({ namespace: 'shop', name: 'cart' });
  const recorded = (...keys: string[]) => new Map(keys.map((key) => [key, { uid: kustomization('apps').uid }]));
  const apps = 'Kustomization flux-system/apps';
  it.each([
    ['is what one that its owner resumed applies', [kustomization('apps'), appliedBy('apps')], [apps], [cart]],
    [
      'is on the list of one that its owner resumed',
      [application('Deployment shop/cart'), cart],
      ['Application argocd/shop'],
      [cart],
    ],
    ['is the target of one that its owner resumed', [scaler('Deployment shop/cart'), cart], [scalerKey], [cart]],
    ['is not what one applies that sleeps', [{ ...kustomization('apps'), ...asleep() }, appliedBy('apps')], [apps], []],
    [
      'is not what one applies that came in the night, and is quieted first',
      [kustomization('apps'), appliedBy('apps')],
      [],
      [],
    ],
    [
      'is not what one applies that was brought back in passing, and is quieted again',
      [
        { ...kustomization('fleet'), ...asleep() },
        child('apps', 'fleet', { annotations: asleep().annotations ?? {}, suspendSetBy: 'kustomize-controller' }),
        appliedBy('apps'),
      ],
      [apps, 'Kustomization flux-system/fleet'],
      [],
    ],
    [
      'is not what another one of the name applies, which is quieted first',
      [{ ...kustomization('apps'), uid: 'another' }, appliedBy('apps')],
      [apps],
      [],
    ],
    ['is not what another applies', [kustomization('apps'), appliedBy('infra')], [apps], []],
  ])('%s', (_name, workloads, records, raised) => {
    expect([
      ...raisedAgain(workloads as Workload[], recorded(...records), quietedManagers(workloads as Workload[])),
    ]).toEqual(raised.map(workloadKey));
  });
});

describe('who may have raised it while he was being quieted', () => {
  const marks = asleep().annotations ?? {};
  const apps = (stands: Partial<Switched>) => child('apps', 'fleet', { annotations: marks, ...stands });
  const fleet = { ...kustomization('fleet'), ...asleep() } as Workload;
  const namesOf = (...appliers: Workload[]) =>
    quietedManagers([appliedBy('apps'), ...appliers]).get('Deployment shop/cart') ?? [];
  it.each([
    ['is one that was brought back by what is quiet', [apps({ suspendSetBy: 'kustomize-controller' }), fleet], true],
    ['is not one that its owner resumed', [apps({ suspendSetBy: 'kubectl' }), fleet], false],
    [
      'is not one that could not be quieted',
      [apps({ annotations: {}, suspendSetBy: 'kustomize-controller' }), fleet],
      false,
    ],
    ['is not one of which nobody knows who resumed it', [apps({}), fleet], false],
    [
      'is not one that was brought back by what its owner resumed',
      [apps({ suspendSetBy: 'kustomize-controller' }), kustomization('fleet')],
      false,
    ],
  ])('%s', (_name, appliers, isOne) => {
    expect(namesOf(...appliers)).toEqual(isOne ? ['kustomize-controller'] : []);
    expect(namesOf(...appliers.toReversed())).toEqual(isOne ? ['kustomize-controller'] : []);
  });

  it('is everyone who applies or scales it and is quiet by us', () => {
    const quiet = (applier: Workload) => ({ ...applier, ...asleep() }) as Workload;
    const cart = appliedBy('apps');
    const appliers = [quiet(kustomization('apps')), quiet(scaler('Deployment shop/cart'))];
    expect(quietedManagers([...appliers, cart]).get('Deployment shop/cart')).toEqual([
      'kube-controller-manager',
      'kustomize-controller',
    ]);
    expect(quietedManagers([kustomization('apps'), scaler('Deployment shop/cart'), cart]).size).toBe(0);
  });
});
