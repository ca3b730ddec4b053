/** Who asks: a person's browser, a program, or something that only checks whether this pod is alive. */
export type Caller = 'person' | 'program' | 'probe' | 'load-balancer';

export interface CallerTraits {
  readonly path: string;
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
}

const probePath = /^\/(?:healthz?|readyz?|livez|health\/(?:live|ready)|ping|status)\/?$/i;
const loadBalancer = /^(?:kube-probe\/|GoogleHC\/|ELB-HealthChecker\/|AzureLB|Azure-Load-Balancer)/i;

/**
 * Only a person gets HTML. Checks by the cluster and by load balancers ask about this pod, which is well; checks by
 * path ask about the service, which sleeps; neither counts as somebody who wants the service.
 */
export function callerOf({ path, accept, userAgent }: CallerTraits): Caller {
  if (userAgent !== undefined && loadBalancer.test(userAgent)) return 'load-balancer';
  if (probePath.test(path)) return 'probe';
  return accept?.toLowerCase().includes('text/html') ? 'person' : 'program';
}
