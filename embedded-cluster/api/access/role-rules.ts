import type { KubeObject } from '../../object-store.ts';
import { arrayOf, isObject, type JsonObject, objectOf, textOf } from '../../store/json-value.ts';
import type { MemoryStore } from '../../store/memory-store.ts';
import type { Identity } from './identity.ts';

const RBAC = 'rbac.authorization.k8s.io';
const ROLES = `roles.${RBAC}`;
const CLUSTER_ROLES = `clusterroles.${RBAC}`;
const ROLE_BINDINGS = `rolebindings.${RBAC}`;
const CLUSTER_ROLE_BINDINGS = `clusterrolebindings.${RBAC}`;

/** A rule with the namespace it holds in; undefined is everywhere. */
interface GrantedRule {
  readonly namespace: string | undefined;
  readonly rule: JsonObject;
  /** Why it holds, as an access review says it. */
  readonly because: string;
}

export interface Grants {
  readonly rules: readonly GrantedRule[];
  /** Roles that a binding names and that do not exist: a refusal mentions them. */
  readonly missing: readonly { readonly namespace: string | undefined; readonly message: string }[];
}

/** Which rules each identity has through the bindings in the store. Worked out once and kept until RBAC changes. */
export class RoleRules {
  readonly #store: MemoryStore;
  #known = new WeakMap<Identity, Grants>();

  constructor(store: MemoryStore) {
    this.#store = store;
    for (const resource of [ROLES, CLUSTER_ROLES, ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS]) {
      store.onChange(resource, () => {
        this.#known = new WeakMap();
      });
    }
  }

  of(identity: Identity): Grants {
    let grants = this.#known.get(identity);
    if (grants === undefined) {
      grants = this.#collect(identity);
      this.#known.set(identity, grants);
    }
    return grants;
  }

  #collect(identity: Identity): Grants {
    const rules: GrantedRule[] = [];
    const missing: { namespace: string | undefined; message: string }[] = [];
    const bindings = [...this.#store.list(CLUSTER_ROLE_BINDINGS), ...this.#store.list(ROLE_BINDINGS)];
    for (const binding of bindings) {
      const subject = arrayOf(binding['subjects']).find((candidate) => isSubject(candidate, identity, binding));
      if (subject === undefined) continue;
      const { namespace } = binding.metadata;
      const role = this.#role(binding);
      if (role === undefined) missing.push({ namespace, message: missingRole(binding) });
      else
        for (const rule of arrayOf(role['rules']))
          if (isObject(rule)) rules.push({ namespace, rule, because: because(binding, subject) });
    }
    return { rules, missing };
  }

  #role(binding: KubeObject): KubeObject | undefined {
    const { kind, name } = objectOf(binding['roleRef']);
    const roleName = textOf(name) ?? '';
    if (kind === 'ClusterRole') return this.#store.get(CLUSTER_ROLES, undefined, roleName);
    return this.#store.get(ROLES, binding.metadata.namespace, roleName);
  }
}

function missingRole(binding: KubeObject): string {
  const { kind, name } = objectOf(binding['roleRef']);
  return `${String(kind).toLowerCase()}.${RBAC} "${name}" not found`;
}

function because(binding: KubeObject, subject: unknown): string {
  const { namespace, name } = binding.metadata;
  const { kind, name: role } = objectOf(binding['roleRef']);
  const { kind: who, name: subjectName, namespace: subjectNamespace } = objectOf(subject);
  const whom = who === 'ServiceAccount' ? `${subjectName}/${subjectNamespace ?? namespace}` : subjectName;
  const bound = namespace === undefined ? name : `${name}/${namespace}`;
  return `RBAC: allowed by ${binding.kind} "${bound}" of ${kind} "${role}" to ${who} "${whom}"`;
}

function isSubject(subject: unknown, identity: Identity, binding: KubeObject): boolean {
  const { kind, name, namespace } = objectOf(subject);
  switch (kind) {
    case 'User':
      return name === identity.user;
    case 'Group':
      return identity.groups.includes(String(name));
    case 'ServiceAccount':
      return identity.user === `system:serviceaccount:${namespace ?? binding.metadata.namespace}:${name}`;
    default:
      return false;
  }
}
