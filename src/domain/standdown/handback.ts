import { type WorkloadRef, workloadKey } from '../workload.ts';

/** What the controller still finds to be handed back. */
export interface HandbackRemainder {
  readonly workloads: readonly WorkloadRef[];
  /** Databases that the service stopped and that are not available yet. */
  readonly databases: readonly string[];
  /** Services that still point at a satellite. */
  readonly satellites: readonly { readonly namespace: string; readonly name: string }[];
  readonly autoscalerProtection: boolean;
  readonly manualHibernation: boolean;
}

export interface HandbackProgress {
  readonly done: boolean;
  readonly pending: readonly string[];
  readonly log: {
    readonly level: 'info' | 'warn';
    readonly message: string;
    readonly fields: { readonly pending?: readonly string[] };
  };
}

/** `pending` names everything that is missing, in the order in which it comes back. */
export function handbackProgress(remainder: HandbackRemainder): HandbackProgress {
  const pending = [
    ...remainder.databases.map((name) => `database ${name}`),
    ...remainder.workloads.map(workloadKey),
    ...remainder.satellites.map(({ namespace, name }) => `satellite ${namespace}/${name}`),
    ...(remainder.autoscalerProtection ? ['node-autoscaler protection'] : []),
    ...(remainder.manualHibernation ? ['manual hibernation'] : []),
  ];
  if (pending.length > 0) {
    const message = 'Handback not finished, retrying on the next pass';
    return { done: false, pending, log: { level: 'warn', message, fields: { pending } } };
  }
  const message = 'Handback finished: everything that was scaled down is back';
  return { done: true, pending, log: { level: 'info', message, fields: {} } };
}
