import { isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import type { CustomObject, ResourceType } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { type Rendered, render } from '../../chart/harness/helm.ts';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** One thing that an account may do, and the role that says so. */
export interface Right {
  readonly role: Rendered;
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const admission = { group: 'admissionregistration.k8s.io', version: 'v1' } as const;

/** In the order in which they are created. */
const kinds: Readonly<Record<string, ResourceType<CustomObject>>> = {
  ServiceAccount: { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true },
  ClusterRole: { ...rbac, plural: 'clusterroles', kind: 'ClusterRole', namespaced: false },
  ClusterRoleBinding: { ...rbac, plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false },
  Role: { ...rbac, plural: 'roles', kind: 'Role', namespaced: true },
  RoleBinding: { ...rbac, plural: 'rolebindings', kind: 'RoleBinding', namespaced: true },
  ValidatingAdmissionPolicy: {
    ...admission,
    plural: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    namespaced: false,
  },
  ValidatingAdmissionPolicyBinding: {
    ...admission,
    plural: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    namespaced: false,
  },
};

const rendered = new Map<string, Promise<readonly Rendered[]>>();
const placeholder = 'svc-of-the-tests';

/**
 * The account of one of our processes, its rights and the admission policies, exactly as the chart grants them, so that
 * whatever it does in these tests it does within them.
 */
export class ChartRights {
  readonly #client: KubeClient;
  readonly #objects: readonly Rendered[];

  private constructor(client: KubeClient, objects: readonly Rendered[]) {
    this.#client = client;
    this.#objects = objects;
  }

  /** `policies: false` for a cluster that knows no admission policies; `values` turn on features that need rights. */
  static async grant(
    client: KubeClient,
    namespace: string,
    { component: whose = 'controller', policies = true, values = {} } = {},
  ): Promise<ChartRights> {
    const key = JSON.stringify(values);
    const chart = rendered.get(key) ?? render(values, { namespace: placeholder });
    rendered.set(key, chart);
    const ours = (await chart).filter(({ kind, metadata }) => {
      const component = metadata.labels?.['app.kubernetes.io/component'];
      return (
        kinds[kind] !== undefined &&
        (component === whose || component === undefined) &&
        (policies || !kind.includes('Policy'))
      );
    });
    const order = Object.keys(kinds);
    const objects = ours
      .map((object) => inNamespace(object, namespace))
      .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    for (const object of objects)
      await client.create(typeOf(object), object.metadata.namespace, object as CustomObject);
    return new ChartRights(client, objects);
  }

  /** Each single verb on each single resource. */
  all(): readonly Right[] {
    return this.#objects.flatMap((role) =>
      rulesOf(role).flatMap((rule) =>
        rule.apiGroups.flatMap((group) =>
          rule.resources.flatMap((resource) => rule.verbs.map((verb) => ({ role, group, resource, verb }))),
        ),
      ),
    );
  }

  /** Takes these away, and only these: what was taken from their roles before is back. */
  async revoke(...rights: readonly Right[]): Promise<void> {
    for (const [role, ofRole] of Map.groupBy(rights, ({ role }) => role)) {
      const left = ofRole.reduce((rules, one) => rules.flatMap((rule) => without(rule, one)), rulesOf(role));
      await this.#setRules(role, left);
    }
  }

  /** Gives their roles everything back. */
  async restore(...rights: readonly Right[]): Promise<void> {
    for (const role of new Set(rights.map(({ role }) => role))) await this.#setRules(role, rulesOf(role));
  }

  /** Takes away what outlives the release namespace. */
  async remove(): Promise<void> {
    for (const object of this.#objects) {
      const { name, namespace } = object.metadata;
      const ref = namespace === undefined ? { name } : { name, namespace };
      await this.#client.delete(typeOf(object), ref).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }

  async #setRules(role: Rendered, rules: readonly Rule[]): Promise<void> {
    const { name, namespace } = role.metadata;
    const ref = namespace === undefined ? { name } : { name, namespace };
    await this.#client.patch(typeOf(role), ref, { type: 'merge', body: { rules } });
  }
}

function rulesOf(role: Rendered): readonly Rule[] {
  return (role['rules'] as readonly Rule[] | undefined) ?? [];
}

/** The rule without that verb on that resource; its other resources keep it. */
function without(rule: Rule, { group, resource, verb }: Right): readonly Rule[] {
  if (!rule.apiGroups.includes(group) || !rule.resources.includes(resource)) return [rule];
  const others = rule.resources.filter((one) => one !== resource);
  return [
    { ...rule, resources: [resource], verbs: rule.verbs.filter((one) => one !== verb) },
    ...(others.length === 0 ? [] : [{ ...rule, resources: others }]),
  ].filter(({ verbs }) => verbs.length > 0);
}

/** Names that are cluster-wide, or in a namespace that is not ours, get the release's name, so that two never meet. */
function inNamespace(object: Rendered, namespace: string): Rendered {
  const placed = JSON.parse(JSON.stringify(object).replaceAll(placeholder, namespace)) as Rendered;
  if (placed.metadata.namespace === namespace) return placed;
  const renamed = (name: string) => `${name}-${namespace}`;
  const { roleRef, spec } = placed as { roleRef?: { name: string }; spec?: { policyName?: string } };
  return {
    ...placed,
    metadata: { ...placed.metadata, name: renamed(placed.metadata.name) },
    ...(roleRef === undefined ? {} : { roleRef: { ...roleRef, name: renamed(roleRef.name) } }),
    ...(spec?.policyName === undefined ? {} : { spec: { ...spec, policyName: renamed(spec.policyName) } }),
  };
}

function typeOf(object: Rendered): ResourceType<CustomObject> {
  return kinds[object.kind]!;
}
