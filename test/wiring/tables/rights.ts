import { onWhenNamed, rowOf } from '../../../src/domain/kinds/kinds.ts';
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

/** One release of the run: what the chart granted for its values, and what the processes asked while it was installed. */
export interface SeenRelease {
  /** What of its values the roles are rendered from: `kind ScaledObject`, or `kind pools.example.com` of one that is described, `service redirection`. */
  readonly features: readonly string[];
  readonly grants: readonly Grant[];
  readonly calls: readonly Call[];
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
  /** Calls that no right of the release covers: the cluster refused them. */
  readonly notGranted: readonly string[];
  /** Rights that no call used, or only where a feature is on that is off here. */
  readonly notUsed: readonly string[];
  /** Rights to more objects or namespaces than they are used for. */
  readonly tooWide: readonly string[];
}

/**
 * Both directions, for each release by itself. What is asked under it is granted by it, whatever others grant. What it grants is
 * used: by a call under a release that grants it too, and has no feature on that all users share and this one has not.
 */
export function rightsProblems(releases: readonly SeenRelease[]): RightsProblems {
  const notGranted = releases.flatMap((release) =>
    release.calls
      .filter((call) => !release.grants.some((grant) => covers(grant, call)))
      .map((call) => under(release, callText(call))),
  );
  const shared = new Map<string, ReadonlySet<string> | undefined>();
  const featuresOfUsers = (grant: Grant): ReadonlySet<string> | undefined => {
    const text = grantText(grant);
    if (!shared.has(text)) {
      const users = releases.filter((release) => isUsed(grant, release));
      shared.set(text, sharedFeatures(users.map((release) => featuresThatMatter(grant, release))));
    }
    return shared.get(text);
  };
  const notUsed = releases.flatMap((release) =>
    release.grants
      .filter((grant) => featuresOfUsers(grant)?.isSubsetOf(new Set(release.features)) !== true)
      .map((grant) => under(release, grantText(grant))),
  );
  return {
    notGranted: [...new Set(notGranted)].toSorted(),
    notUsed: [...new Set(notUsed)].toSorted(),
    tooWide: tooWide(releases),
  };
}

/** Rights in a namespace to single objects that no rule can name, and why not. */
const unnamed: readonly { readonly grant: Omit<Grant, 'namespace'>; readonly why: string }[] = [
  {
    grant: { account: 'svc-api', resource: 'configmaps', verb: 'get' },
    why: 'files of the audit log and further parts of the state, whose numbers grow',
  },
  ...['get', 'patch', 'delete'].map((verb) => ({
    grant: { account: 'svc-controller', resource: 'configmaps', verb },
    why: 'files of the audit log and further parts of the state, whose numbers grow',
  })),
  {
    grant: { account: 'svc-controller', resource: 'pods', verb: 'patch' },
    why: 'the names of our own pods are made by their ReplicaSet',
  },
];

/** Nothing that they ask for has a name: the whole collection, or what is yet to be. */
const ofCollections: ReadonlySet<string> = new Set(['list', 'watch', 'create', 'deletecollection']);

/** What could name its objects and does not, and what could be granted in one namespace and is granted in all. */
function tooWide(releases: readonly SeenRelease[]): readonly string[] {
  const granted = new Map(releases.flatMap(({ grants }) => grants.map((grant) => [grantText(grant), grant] as const)));
  return [...granted]
    .flatMap(([text, grant]) => {
      const calls = releases
        .filter(({ grants }) => grants.some((one) => grantText(one) === text))
        .flatMap((release) => release.calls.filter((call) => covers(grant, call)));
      // What nobody uses is told as that.
      if (calls.length === 0) return [];
      const places = new Set(calls.map(({ namespace }) => namespace));
      if (grant.namespace === undefined) {
        const isWide = places.has(undefined) || places.size > 1;
        return isWide ? [] : [`${text}: it is used in the namespace ${[...places].join()} alone`];
      }
      if (grant.name !== undefined || ofCollections.has(grant.verb) || unnamed.some((one) => isOf(one.grant, grant)))
        return [];
      return [`${text}: it could name ${[...new Set(calls.map(({ name }) => name))].toSorted().join(', ')}`];
    })
    .toSorted();
}

function isOf(one: Omit<Grant, 'namespace'>, { account, resource, verb }: Grant): boolean {
  return one.account === account && one.resource === resource && one.verb === verb;
}

/** Whether the release grants it, and a call under it made use of that. */
function isUsed(grant: Grant, { grants, calls }: SeenRelease): boolean {
  const text = grantText(grant);
  return grants.some((one) => grantText(one) === text) && calls.some((call) => covers(grant, call));
}

/** The rights to a kind have nothing to do with the other kinds that are named beside it. */
function featuresThatMatter({ resource }: Grant, { features }: SeenRelease): readonly string[] {
  const named = onWhenNamed.find((kind) => `${rowOf(kind).plural}.${rowOf(kind).group}` === resource);
  const own = named ?? (features.includes(`kind ${resource}`) ? resource : undefined);
  if (own === undefined) return features;
  return features.filter((feature) => !feature.startsWith('kind ') || feature === `kind ${own}`);
}

function sharedFeatures(all: readonly (readonly string[])[]): ReadonlySet<string> | undefined {
  return all
    .map((features) => new Set(features))
    .reduce<Set<string> | undefined>((shared, features) => shared?.intersection(features) ?? features, undefined);
}

function under({ features }: SeenRelease, text: string): string {
  return `${text}, with ${features.length === 0 ? 'no feature' : features.join(' and ')}`;
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

/** Every right that was granted in the run, each of them used, with the features without which there is none. */
export function rightsTable(releases: readonly SeenRelease[]): string {
  const all = new Map(releases.flatMap(({ grants }) => grants.map((grant) => [grantText(grant), grant] as const)));
  const rows = [...all.keys()].toSorted().map((text) => {
    const granting = releases.filter(({ grants }) => grants.some((grant) => grantText(grant) === text));
    const features = [...(sharedFeatures(granting.map((one) => featuresThatMatter(all.get(text)!, one))) ?? [])];
    return `- ${text}${features.length === 0 ? '' : ` (${features.toSorted().join(', ')})`}`;
  });
  return `${rows.join('\n')}\n`;
}
