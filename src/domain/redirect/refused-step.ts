import { type ServiceRef, serviceKey } from './service.ts';

/** The steps towards a satellite; each takes a right that the chart grants with the name of the Service. */
export type SatelliteStep = 'create-satellite' | 'redirect';

export function isSatelliteStep(act: string): act is SatelliteStep {
  return act === 'create-satellite' || act === 'redirect';
}

/** The words of a missing right: of RBAC, and of an admission policy, ours among them. */
const missingRight = /cannot \w+ resource|ValidatingAdmissionPolicy/;

/** Why the cluster takes no such step until somebody mends it; undefined where the next try may do. */
export function whyRefused(
  act: SatelliteStep,
  ref: ServiceRef,
  { status, message }: { readonly status: number; readonly message: string },
): string | undefined {
  if (status !== 403 && status !== 422) return undefined;
  const right = `svc may not ${rightFor(act, ref)}`;
  if (!missingRight.test(message)) return `${right}: ${message}`;
  return `${right}; helm upgrade grants it to what the value config.serviceRedirection.services names (${message})`;
}

function rightFor(act: SatelliteStep, ref: ServiceRef): string {
  return act === 'create-satellite'
    ? `create Deployments in the namespace ${ref.namespace}`
    : `patch the Service ${serviceKey(ref)}`;
}
