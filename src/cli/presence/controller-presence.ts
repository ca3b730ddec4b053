import { fieldManager } from '../../domain/names.ts';
import { isScalable } from '../../domain/workload.ts';
import type { ClusterView } from '../../ports/cluster.ts';

export interface ControllerPresence {
  readonly present: boolean;
  /** What was found, for people. */
  readonly text: string;
}

/** On every object of the chart; one that runs otherwise, as the demo does, has no Deployment to look for. */
const chartLabel = 'helm.sh/chart';

/** Whether anybody is there to carry out what is asked for. Undefined where that cannot be told. */
export function controllerPresence(
  view: Pick<ClusterView, 'workload'>,
  namespace: string,
  labelsOfConfig: Readonly<Record<string, string>>,
): ControllerPresence | undefined {
  if (labelsOfConfig[chartLabel] === undefined) return undefined;
  const found = view.workload({ kind: 'Deployment', namespace, name: fieldManager });
  const name = `Deployment ${namespace}/${fieldManager}`;
  if (found === undefined || !isScalable(found)) return absent(`${name} is not there`);
  if (found.replicas === 0) return absent(`${name} is at 0 replicas`);
  if (found.readyReplicas === 0) return absent(`${name} has no pod that is ready`);
  return { present: true, text: `${name} is ready` };
}

function absent(what: string): ControllerPresence {
  return { present: false, text: `${what}: nobody carries out what is asked for` };
}
