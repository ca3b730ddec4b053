import { ApiError, forbidden } from '../../store/api-error.ts';
import { arrayOf, type JsonObject } from '../../store/json-value.ts';
import type { MemoryStore } from '../../store/memory-store.ts';
import type { Identity } from './identity.ts';
import { RoleRules } from './role-rules.ts';

/** What is asked for, as RBAC sees it. */
export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

export interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
}

const ALLOWED: Verdict = { allowed: true, reason: '' };

export class Authorizer {
  readonly roles: RoleRules;

  constructor(store: MemoryStore) {
    this.roles = new RoleRules(store);
  }

  mayAccess(identity: Identity, access: ResourceAccess): Verdict {
    if (isMaster(identity)) return ALLOWED;
    const { rules, missing } = this.roles.of(identity);
    const granted = rules.find(
      ({ namespace, rule }) =>
        (namespace === undefined || namespace === access.namespace) && coversAccess(rule, access),
    );
    if (granted !== undefined) return { allowed: true, reason: granted.because };
    const unresolved = missing.filter(({ namespace }) => namespace === undefined || namespace === access.namespace);
    return { allowed: false, reason: missingReason(unresolved.map(({ message }) => message)) };
  }

  mayVisit(identity: Identity, verb: string, path: string): Verdict {
    if (isMaster(identity)) return ALLOWED;
    const { rules } = this.roles.of(identity);
    const granted = rules.find(({ namespace, rule }) => namespace === undefined && coversPath(rule, verb, path));
    return { allowed: granted !== undefined, reason: granted?.because ?? '' };
  }

  /** Throws the apiserver's 403 when RBAC does not let the identity do it. */
  requireAccess(identity: Identity, access: ResourceAccess): void {
    const verdict = this.mayAccess(identity, access);
    if (verdict.allowed) return;
    const { group, resource, subresource, name, namespace, verb } = access;
    const what = subresource === '' ? resource : `${resource}/${subresource}`;
    const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    const sentence = `User "${identity.user}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`;
    const why = verdict.reason === '' ? sentence : `${sentence}: ${verdict.reason}`;
    throw forbidden(group === '' ? resource : `${resource}.${group}`, name, why);
  }

  requireVisit(identity: Identity, verb: string, path: string): void {
    if (this.mayVisit(identity, verb, path).allowed) return;
    throw new ApiError(403, 'Forbidden', `forbidden: User "${identity.user}" cannot ${verb} path "${path}"`, {});
  }
}

export function isMaster(identity: Identity): boolean {
  return identity.groups.includes('system:masters');
}

function missingReason(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  if (unique.length === 0) return '';
  return `RBAC: ${unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`}`;
}

function coversAccess(rule: JsonObject, access: ResourceAccess): boolean {
  const names = arrayOf(rule['resourceNames']);
  return (
    includes(rule['verbs'], access.verb) &&
    includes(rule['apiGroups'], access.group) &&
    coversResource(arrayOf(rule['resources']), access) &&
    (names.length === 0 || names.includes(access.name))
  );
}

function coversResource(resources: readonly unknown[], { resource, subresource }: ResourceAccess): boolean {
  if (resources.includes('*')) return true;
  if (subresource === '') return resources.includes(resource);
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function includes(list: unknown, value: string): boolean {
  const values = arrayOf(list);
  return values.includes('*') || values.includes(value);
}

function coversPath(rule: JsonObject, verb: string, path: string): boolean {
  if (!includes(rule['verbs'], verb)) return false;
  return arrayOf(rule['nonResourceURLs']).some((url) => {
    if (typeof url !== 'string') return false;
    return url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
  });
}
