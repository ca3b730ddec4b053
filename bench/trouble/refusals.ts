import type { RequestFault } from '../../test/simulation/world/faulty-transport.ts';

/** How a cluster says no for good, by turns. */
export const refusals: readonly RequestFault[] = [
  { kind: 'status', status: 403, done: false, message: 'denied by the policy of the house' },
  { kind: 'status', status: 422, done: false, message: 'spec.replicas: Invalid value: 0' },
  { kind: 'status', status: 500, done: false, message: 'failed calling webhook "gate": no endpoints available' },
  { kind: 'silence', done: false },
];
