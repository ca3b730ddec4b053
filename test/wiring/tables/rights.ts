import type { Rendered } from '../../chart/harness/helm.ts';

/** One request of a process to the cluster, as RBAC sees it. `resource` is `plural` or `plural.group`. */
export interface Call {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One verb on one resource that an account has. */
export interface Grant {
  readonly account: string;
  /** A namespace; absent for the whole cluster. */
  readonly namespace?: string;
  /** `plural` or `plural.group`. */
  readonly resource: string;
  readonly verb: string;
  /** The only object; absent for all of the kind. */
  readonly name?: string;
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Every single right that the rendered roles and bindings give. */
export function grantsOf(objects: readonly Rendered[]): readonly Grant[] {
  return objects
    .filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding')
    .flatMap((binding) => {
      const { kind, name } = binding['roleRef'] as { kind: string; name: string };
      const { namespace } = binding.metadata;
      const role = objects.find(
        (one) => one.kind === kind && one.metadata.name === name && one.metadata.namespace === namespace,
      );
      const subjects = binding['subjects'] as readonly { readonly name: string }[];
      const rules = (role?.['rules'] ?? []) as readonly Rule[];
      const where = namespace === undefined ? {} : { namespace };
      return subjects.flatMap((subject) =>
        rules.flatMap((rule) => singles(rule).map((single) => ({ account: subject.name, ...where, ...single }))),
      );
    });
}

function singles({ apiGroups, resources, resourceNames = [], verbs }: Rule) {
  const names = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ name }));
  return apiGroups.flatMap((group) =>
    resources.flatMap((plural) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({ resource: group === '' ? plural : `${plural}.${group}`, verb, ...name })),
      ),
    ),
  );
}

export interface RightsProblems {
  /** Calls that no right covers: the cluster refused them. */
  readonly notGranted: readonly string[];
  /** Rights that no call used. */
  readonly notUsed: readonly string[];
}

/** Both directions: what is asked is granted, and what is granted is asked. */
export function rightsProblems(grants: readonly Grant[], calls: readonly Call[]): RightsProblems {
  const notGranted = calls.filter((call) => !grants.some((grant) => covers(grant, call))).map(callText);
  const notUsed = grants.filter((grant) => !calls.some((call) => uses(call, grant))).map(grantText);
  return { notGranted: [...new Set(notGranted)].toSorted(), notUsed: [...new Set(notUsed)].toSorted() };
}

function covers(grant: Grant, call: Call): boolean {
  const resource = call.subresource === '' ? call.resource : `${call.resource}/${call.subresource}`;
  return (
    accountOf(call) === grant.account &&
    grant.verb === call.verb &&
    grant.resource === resource &&
    (grant.namespace === undefined || grant.namespace === call.namespace) &&
    (grant.name === undefined || grant.name === call.name)
  );
}

/** An apiserver that cannot stream a list with the watch, as this one can, is asked for the list. */
function uses(call: Call, grant: Grant): boolean {
  return covers(grant, call) || (grant.verb === 'list' && covers({ ...grant, verb: 'watch' }, call));
}

function accountOf({ user }: Call): string {
  return user.slice(user.lastIndexOf(':') + 1);
}

function callText(call: Call): string {
  const where = call.namespace === undefined ? 'whole cluster' : `namespace ${call.namespace}`;
  return `${accountOf(call)}: ${call.verb} ${call.resource} in the ${where}`;
}

function grantText({ account, namespace, resource, verb, name }: Grant): string {
  const where = namespace === undefined ? 'whole cluster' : `namespace ${namespace}`;
  return `${account}: ${verb} ${resource}${name === undefined ? '' : ` ${name}`} in the ${where}`;
}

/** Every right that was granted in the run, each of them used. */
export function rightsTable(grants: readonly Grant[]): string {
  const rows = [...new Set(grants.map(grantText))].toSorted().map((text) => `- ${text}`);
  return `${rows.join('\n')}\n`;
}
