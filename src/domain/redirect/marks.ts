import { annotations, product } from '../names.ts';
import type { StringMap } from '../workload.ts';
import type { Service, ServiceRef } from './service.ts';

/** The label by which a redirected Service finds its satellite; its value is the Service's name. */
export const satelliteLabel = `${product}.io/satellite`;
/** On a redirected Service, so that all of them are found with one question even if the state was lost. */
export const redirectedLabel = `${product}.io/redirected`;
/** On a satellite: what it was made from, so that one made from something else is seen. */
export const satelliteSpecAnnotation = `${product}.io/satellite-spec`;

/** The Deployment beside the Service. */
export function satelliteRef({ namespace, name }: ServiceRef): ServiceRef {
  return { namespace, name: `${product}-satellite-${name}` };
}

export function satelliteSelector({ name }: ServiceRef): StringMap {
  return { [satelliteLabel]: name };
}

/** True while the Service points at its satellite: no owner would write that selector. */
export function pointsAtSatellite(service: Service): boolean {
  return sameSelector(service.selector, satelliteSelector(service));
}

/** The selector that its owner gave the Service, from the mark that was written with the redirect. */
export function markedSelector(service: Service): StringMap | undefined {
  const text = service.annotations[annotations.originalSelector];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const labels = Object.entries(value);
    const sound = labels.length > 0 && labels.every(([, label]) => typeof label === 'string');
    return sound ? (Object.fromEntries(labels) as StringMap) : undefined;
  } catch {
    return undefined;
  }
}

export function isMarked(service: Service): boolean {
  return service.annotations[annotations.originalSelector] !== undefined;
}

export function sameSelector(a: StringMap, b: StringMap): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}
