import { NamespaceEvents } from '../adapters/cluster/namespace-events.ts';
import { KubernetesWorkloadWriter } from '../adapters/cluster/workload-writer.ts';
import { fieldManager } from '../domain/names.ts';
import type { Service } from '../service/service.ts';
import type { ControllerPorts } from './pass/ports.ts';

/** What they are made from. */
export type AdapterBase = Pick<Service, 'client' | 'projections' | 'view' | 'clock' | 'logger' | 'ownNamespace'>;

/** The ports through which the controller alone writes to the cluster: made here for the process and the simulation alike. */
export function controllerAdapters(base: AdapterBase): Pick<ControllerPorts, 'writer' | 'events'> {
  const { client, projections, view, clock, logger, ownNamespace } = base;
  return {
    writer: new KubernetesWorkloadWriter(client, projections, (workload) => view.noteAnswer(workload), ownNamespace),
    events: new NamespaceEvents({ client, clock, logger, releaseNamespace: ownNamespace, component: fieldManager }),
  };
}
