import { demoWorkloads } from './demo-workloads.ts';

interface DemoSelector {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface DemoTierEntry {
  readonly name: string;
  readonly timeout?: string;
  readonly select: readonly DemoSelector[];
}

const inEveryNamespace = (tier: string): DemoSelector[] =>
  Object.keys(demoWorkloads).map((namespace) => ({ namespace, labels: { tier } }));

const tier = (name: string, label: string, timeout?: string): DemoTierEntry => ({
  name,
  ...(timeout === undefined ? {} : { timeout }),
  select: inEveryNamespace(label),
});

/** The part of `config` that suits the demo world: data up first, then what uses it, then what people see. */
export function demoConfig() {
  return {
    clusterName: 'demo',
    workingHours: { timezone: 'Europe/Berlin' },
    targeting: { namespaces: { exclude: [{ pattern: 'kube-*' }, { exact: 'svc' }] } },
    resourceRules: {
      neverScale: [
        { namespace: 'tools', type: 'Deployment', name: 'registry', reason: 'nodes pull their images from it' },
      ],
    },
    wakeOrdering: {
      tiers: [tier('data', 'data', '4m'), tier('backends', 'backend'), tier('frontends', 'frontend')],
    },
    hibernateOrdering: {
      tiers: [tier('frontends', 'frontend'), tier('backends', 'backend'), tier('data', 'data')],
    },
    serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'storefront' }] },
  } as const;
}
