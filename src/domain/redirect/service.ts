import type { StringMap } from '../workload.ts';

export interface ServiceRef {
  readonly namespace: string;
  readonly name: string;
}

/** A Service, as far as a redirect has to know it. */
export interface Service extends ServiceRef {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly type: string;
  /** Empty for a Service whose endpoints somebody else keeps. */
  readonly selector: StringMap;
  readonly annotations: StringMap;
  readonly labels: StringMap;
  readonly ports: readonly ServicePort[];
  readonly deleting: boolean;
}

interface ServicePort {
  readonly port: number;
  readonly protocol: string;
  /** A number, or the name of a port of the pod. */
  readonly targetPort: number | string;
}

/** The one text form of a reference, as `pending` and the log name it. */
export function serviceKey({ namespace, name }: ServiceRef): string {
  return `${namespace}/${name}`;
}
