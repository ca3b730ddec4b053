import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import type { Identity } from '../../cluster/harness/cluster-clients.ts';
import { apply, ask } from './account-request.ts';
import type { Rendered } from './helm.ts';

const monitoring = 'monitoring.coreos.com';
const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const object = (properties: object) => ({ type: 'object', properties });
const list = (items: object) => ({ type: 'array', items });

/** As much of the Prometheus operator's kinds as charts use; a field beyond it is refused. */
const definitions = [
  {
    plural: 'servicemonitors',
    kind: 'ServiceMonitor',
    spec: object({
      jobLabel: text,
      endpoints: list(object({ port: text, path: text, scheme: text, interval: text, scrapeTimeout: text })),
      selector: object({
        matchLabels: texts,
        matchExpressions: list(object({ key: text, operator: text, values: list(text) })),
      }),
      namespaceSelector: object({ any: { type: 'boolean' }, matchNames: list(text) }),
    }),
  },
  {
    plural: 'prometheusrules',
    kind: 'PrometheusRule',
    spec: object({
      groups: list(
        object({
          name: text,
          rules: list(object({ alert: text, expr: text, for: text, labels: texts, annotations: texts })),
        }),
      ),
    }),
  },
];

/** The kinds of the Prometheus operator, where the cluster has none; answers how to take them away again. */
export async function defineMonitoring({ client }: Identity): Promise<() => Promise<void>> {
  const made: string[] = [];
  for (const { plural, kind, spec } of definitions) {
    const name = `${plural}.${monitoring}`;
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    const body = {
      metadata: { name },
      spec: {
        group: monitoring,
        scope: 'Namespaced',
        names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    // One that is there already is the operator's own.
    const there = await client.create(resources.customResourceDefinitions, undefined, body).catch(() => undefined);
    if (there !== undefined) made.push(name);
  }
  return async () => {
    for (const name of made) await client.delete(resources.customResourceDefinitions, { name });
  };
}

const plurals: Readonly<Record<string, string>> = {
  NetworkPolicy: 'networkpolicies',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
};
const clusterWide = new Set([
  'Namespace',
  'ClusterRole',
  'ClusterRoleBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);

function pathOf({ apiVersion, kind, metadata }: Rendered): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  const scope = clusterWide.has(kind) ? '' : `/namespaces/${metadata.namespace}`;
  return `${root}${scope}/${plural}`;
}

/** What the apiserver says against each object, applied strictly and without a trace; empty when it takes all of them. */
export async function refusedByTheCluster(who: Identity, objects: readonly Rendered[]): Promise<readonly string[]> {
  const answers = await Promise.all(
    objects.map(async (one) => {
      const query = 'dryRun=All&fieldManager=strict&force=true&fieldValidation=Strict';
      const { message, status } = await apply(who, `${pathOf(one)}/${one.metadata.name}?${query}`, one);
      return status < 300 ? [] : [`${one.kind} ${one.metadata.name}: ${status} ${message}`];
    }),
  );
  return answers.flat();
}

/** What a namespace that enforces restricted PodSecurity says against each pod that the objects would run. */
export async function refusedPods(
  who: Identity,
  namespace: string,
  specs: readonly object[],
): Promise<readonly string[]> {
  const answers = await Promise.all(
    specs.map(async (spec, index) => {
      // Whether its account exists is another matter; without one the pod gets that of the namespace.
      const { serviceAccountName: _account, ...rest } = spec as { readonly serviceAccountName?: string };
      const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `pod-${index}`, namespace }, spec: rest };
      const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All&fieldValidation=Strict`;
      const { message, status } = await ask(who, 'POST', path, body);
      return status < 300 ? [] : [`${status} ${message}`];
    }),
  );
  return answers.flat();
}
