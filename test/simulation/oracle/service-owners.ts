import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { StoreChange } from '../../../embedded-cluster/store/memory-store.ts';
import { annotations } from '../../../src/domain/names.ts';
import { pointsAtSatellite as pointsAt } from '../../../src/domain/redirect/marks.ts';

/** What the owner of one Service wants of it, as far as anybody can know. */
export interface ServiceWish {
  /** The selector that its owner gave it, as one text; undefined where the cluster itself no longer tells. */
  wanted: string | undefined;
  /** Its owner gave it another selector since the cluster was last seen up and at rest. */
  touched: boolean;
}

/** Keeps, for every Service, the selector that its owner last gave it. */
export class ServiceOwners {
  readonly #byUid = new Map<string, ServiceWish>();

  of(object: KubeObject): ServiceWish | undefined {
    return this.#byUid.get(object.metadata.uid);
  }

  heard({ event }: StoreChange, byUs: boolean): void {
    const { object, previous, type } = event;
    if (type === 'DELETED') return;
    const selector = selectorText(object);
    if (previous === undefined) this.#byUid.set(object.metadata.uid, { wanted: selector, touched: false });
    else if (!byUs && selector !== selectorText(previous)) {
      this.#byUid.set(object.metadata.uid, { wanted: selector, touched: true });
    }
  }

  /** The records were lost: where the mark is gone too, nobody can tell any more what the owner wanted. */
  recordsLost(services: readonly KubeObject[]): void {
    for (const service of services) {
      const wish = this.of(service);
      if (wish !== undefined && pointsAtSatellite(service) && !isMarkedService(service)) wish.wanted = undefined;
    }
  }

  anyLost(): boolean {
    return this.#byUid.values().some(({ wanted }) => wanted === undefined);
  }

  /** Everything is up and at rest: what its owner did before that has been dealt with. */
  settled(): void {
    for (const wish of this.#byUid.values()) wish.touched = false;
  }
}

function selectorOf(service: KubeObject): Readonly<Record<string, string>> {
  return (service['spec'] as { selector?: Record<string, string> }).selector ?? {};
}

export function selectorText(service: KubeObject): string {
  return textOfSelector(selectorOf(service));
}

export function textOfSelector(selector: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(selector).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function pointsAtSatellite(service: KubeObject): boolean {
  return pointsAt({ name: service.metadata.name, selector: selectorOf(service) } as Parameters<typeof pointsAt>[0]);
}

export function isMarkedService(service: KubeObject): boolean {
  return service.metadata.annotations?.[annotations.originalSelector] !== undefined;
}

const prefix = 'svc-satellite-';

export function isSatellite(object: KubeObject): boolean {
  return object.kind === 'Deployment' && object.metadata.name.startsWith(prefix);
}

/** The name of the Service that a satellite stands in for. */
export function serviceOf(satellite: KubeObject): string {
  return satellite.metadata.name.slice(prefix.length);
}
