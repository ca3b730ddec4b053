import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { behaviourPrefix } from '../../embedded-cluster/kubelet/behaviour.ts';

/** They came into the fleet lately, and do not come up. */
const newcomers = ['legacy-bridge', 'preview-1482', 'gpu-upscaler'];
/** The workload of which somebody once released an image that could not be pulled. */
const released = { kind: 'Deployment', namespace: 'shop', name: 'recommendations' };
/** No 30 February comes: jobs of a month ago are long cleaned up, so that running them would show nowhere. */
const never = '0 0 30 2 *';

/** The fleet as it was four weeks ago: without what is amiss now, and with jobs that wait. */
export function fleetOfThePast(fleet: readonly Manifest[]): readonly Manifest[] {
  return fleet
    .filter(({ metadata }) => !newcomers.includes(metadata.name))
    .map((object) =>
      object.kind === 'CronJob' ? { ...object, spec: { ...(object['spec'] as object), schedule: never } } : object,
    );
}

export function badRelease(fleet: readonly Manifest[]): Manifest {
  const { kind, namespace, name } = released;
  const sound = fleet.find(
    ({ kind: its, metadata }) => its === kind && metadata.namespace === namespace && metadata.name === name,
  );
  if (sound === undefined) throw new Error(`There is no ${kind} ${namespace}/${name} in the fleet.`);
  const spec = sound['spec'] as { readonly template: { readonly metadata: { readonly annotations?: object } } };
  const { metadata } = spec.template;
  const annotations = { ...metadata.annotations, [`${behaviourPrefix}pull`]: 'fail' };
  return { ...sound, spec: { ...spec, template: { ...spec.template, metadata: { ...metadata, annotations } } } };
}

/** The service was let at one team's namespaces after the other, a week apart. */
const rollOut = [
  ['shop', 'payments'],
  ['platform', 'search'],
  ['media', 'analytics'],
] as const;

/** The namespaces that were still left alone in a week, the first being 0. */
export function leftAloneIn(week: number, namespaces: readonly string[]): readonly string[] {
  if (week >= rollOut.length) return [];
  const joined: readonly string[] = rollOut.slice(0, week + 1).flat();
  return namespaces.filter((namespace) => !joined.includes(namespace));
}
