import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { behaviourPrefix } from '../../embedded-cluster/kubelet/behaviour.ts';

/** They came into the fleet lately, and do not come up. */
const newcomers = ['legacy-bridge', 'preview-1482', 'gpu-upscaler'];
/** The workload of which somebody once released an image that did not come up. */
const released = { kind: 'Deployment', namespace: 'shop', name: 'recommendations' };
/** No 30 February comes: jobs of a month ago are long cleaned up, so that running them would show nowhere. */
const never = '0 0 30 2 *';

/** What starts together is ready together: a wake of the past has tens of moments at which something happens, not hundreds. */
const startsIn = 60;
/** The seconds of a pull, of an init container and of a stop are in no record: without them a pod has half the moments. */
const atOnce = { 'pull-seconds': '0', 'init-seconds': '0', 'terminate-seconds': '0' };

/** The fleet as it was four weeks ago: without what is amiss now, with jobs that wait and round times to start. */
export function fleetOfThePast(fleet: readonly Manifest[]): readonly Manifest[] {
  return fleet.filter(({ metadata }) => !newcomers.includes(metadata.name)).map(asItWas);
}

function asItWas(object: Manifest): Manifest {
  if (object.kind === 'CronJob') return { ...object, spec: { ...(object['spec'] as object), schedule: never } };
  const annotations = templateOf(object)?.annotations;
  if (annotations === undefined) return object;
  const seconds = Number(annotations[`${behaviourPrefix}start-seconds`]);
  const rounded =
    seconds > 0 ? { 'start-seconds': String(startsIn * Math.max(1, Math.round(seconds / startsIn))) } : {};
  return withBehaviour(object, { ...atOnce, ...rounded });
}

interface Templated {
  readonly template?: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
}

function templateOf(object: Manifest) {
  return (object['spec'] as Templated | undefined)?.template?.metadata;
}

function withBehaviour(object: Manifest, behaviour: Readonly<Record<string, string>>): Manifest {
  const spec = object['spec'] as Templated;
  const added = Object.entries(behaviour).map(([name, value]) => [`${behaviourPrefix}${name}`, value] as const);
  const metadata = {
    ...templateOf(object),
    annotations: { ...templateOf(object)?.annotations, ...Object.fromEntries(added) },
  };
  return { ...object, spec: { ...spec, template: { ...spec.template, metadata } } };
}

/** A release that does not come up, and the one before it. */
export function releases(fleet: readonly Manifest[]): { readonly good: Manifest; readonly bad: Manifest } {
  const { kind, namespace, name } = released;
  const sound = fleet.find(
    ({ kind: its, metadata }) => its === kind && metadata.namespace === namespace && metadata.name === name,
  );
  if (sound === undefined) throw new Error(`There is no ${kind} ${namespace}/${name} in the fleet.`);
  const good = asItWas(sound);
  return { good, bad: withBehaviour(good, { 'crash-after-seconds': '8' }) };
}

/** The teams came to this cluster one after the other, a week apart; whoever is not named came last. */
const arrivals: readonly (readonly string[])[] = [
  ['shop', 'payments'],
  ['platform', 'search'],
  ['media', 'analytics'],
];

/** The objects by the week in which they came; what is in no namespace was there from the start. */
export function byArrival(fleet: readonly Manifest[]): readonly (readonly Manifest[])[] {
  const weekOf = ({ metadata: { namespace } }: Manifest) => {
    if (namespace === undefined || namespace === 'kube-system') return 0;
    const week = arrivals.findIndex((names) => names.includes(namespace));
    return week < 0 ? arrivals.length : week;
  };
  const weeks = Map.groupBy(fleet, weekOf);
  return Array.from({ length: arrivals.length + 1 }, (_, week) => weeks.get(week) ?? []);
}
