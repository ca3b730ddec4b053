import { onWhenNamed, rowOf } from '../../src/domain/kinds/kinds.ts';
import { placeText } from '../../src/domain/kinds/place.ts';

/** One rule that the chart grants; a test holds the rendered roles against this list. */
export interface Right {
  readonly account: 'controller' | 'api';
  /** `release`: the release's namespace. `redirected`: each namespace with a redirected Service. */
  readonly where: 'cluster' | 'release' | 'default' | 'redirected';
  /** Empty for the core group. */
  readonly group: string;
  readonly resources: readonly string[];
  /** Which objects of the kind; all of them while absent. */
  readonly named?: 'redirected services' | 'their satellites' | 'state and passkeys';
  readonly verbs: readonly string[];
  /** The switch, or the list, without which nothing of it is granted. */
  readonly feature?:
    | 'config.serviceRedirection.enabled'
    | 'admissionPolicy.enabled'
    | 'admissionPolicy.enabled: false'
    | 'config.targeting.kinds';
  readonly why: string;
  /** What does not work without it. */
  readonly without: string;
}

const redirection = { feature: 'config.serviceRedirection.enabled' } as const;
/** What ends a redirect is granted whatever the values name: the policy holds it to what carries our mark. */
const fenced = { feature: 'admissionPolicy.enabled' } as const;
/** Without the policy, for what is listed, switched on or off, and for what an upgrade finds redirected. */
const unfenced = { feature: 'admissionPolicy.enabled: false' } as const;

const namedKinds = onWhenNamed.map((kind) => ({ kind, ...rowOf(kind) }));

/** Granted for each kind that is named there, and for no other. */
const sleepingKinds: readonly Right[] = namedKinds.flatMap(({ kind, group, plural, sleep }): readonly Right[] => {
  const more = { where: 'cluster', group, resources: [plural], feature: 'config.targeting.kinds' } as const;
  return [
    {
      account: 'controller',
      ...more,
      verbs: ['get', 'list', 'watch', 'patch'],
      why: `${kind}: one patch of ${placeText(sleep)} and our annotations.`,
      without: `A ${kind} stays as it is; the log says that it may not be read. Nothing else waits for it.`,
    },
    {
      account: 'api',
      ...more,
      verbs: ['list', 'watch'],
      why: `${kind}: what the lists and the preview show.`,
      without: 'The lists leave the kind out; the log says that it may not be read.',
    },
  ];
});

export const rightsTable: readonly Right[] = [
  {
    account: 'controller',
    where: 'cluster',
    group: 'apps',
    resources: ['deployments', 'statefulsets'],
    verbs: ['get', 'list', 'watch', 'patch'],
    why: 'What is scaled: one patch of replicas and our annotations.',
    without: 'The controller does not become ready, or workloads of the kind fail with `svc could not scale it up`.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: 'batch',
    resources: ['cronjobs'],
    verbs: ['get', 'list', 'watch', 'patch'],
    why: 'What is suspended: one patch of suspend and our annotations.',
    without: 'The controller does not become ready, or CronJobs are not suspended and resumed.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: '',
    resources: ['namespaces'],
    verbs: ['list', 'watch'],
    why: 'Which namespaces are excluded or on their way out.',
    without: 'The controller does not become ready: it does not guess what is excluded.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: 'autoscaling',
    resources: ['horizontalpodautoscalers'],
    verbs: ['list', 'watch'],
    why: 'Which workloads an autoscaler would bring back up.',
    without: 'The controller does not become ready.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: 'keda.sh',
    resources: ['scaledobjects'],
    verbs: ['list', 'watch'],
    why: 'The same for KEDA. Needed only where KEDA is installed.',
    without: 'Workloads of KEDA are treated as any other.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: '',
    resources: ['pods'],
    verbs: ['list', 'watch'],
    why: 'How woken workloads get on, and when the pods of a hibernate tier are gone. Watched only meanwhile.',
    without:
      'Workloads are woken, but of one that does not come up a wake can only say that it `could not be read`; the log says `pods is forbidden`.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: 'admissionregistration.k8s.io',
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    verbs: ['list'],
    why: 'Which webhooks refuse writes while what answers them sleeps.',
    without: 'A wake does not bring up first what answers the webhooks of that kind; the log has a warning.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: '',
    resources: ['services'],
    verbs: ['get', 'list'],
    why: 'Which workload answers such a webhook; ports and selectors of the Services that satellites stand in for.',
    without:
      'A wake does not bring up first what answers webhooks, and no satellite is put in place; the log has a warning.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: '',
    resources: ['services'],
    verbs: ['patch'],
    ...fenced,
    why: 'The selector points at the satellite while the service sleeps, and back. The admission policy takes a redirect of what is listed alone, and the way back of what carries our mark.',
    without:
      'Callers of the sleeping service get a refused connection; a redirect that is up stays, and no wake is a success.',
  },
  {
    account: 'controller',
    where: 'cluster',
    group: 'apps',
    resources: ['deployments'],
    verbs: ['delete'],
    ...fenced,
    why: 'The satellite goes when its service is back. The admission policy takes nothing but satellites.',
    without: 'Satellites stay behind, without callers.',
  },
  {
    account: 'controller',
    where: 'release',
    group: '',
    resources: ['configmaps'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    why: 'Configuration, license and state are watched; state and audit log written. The admission policy limits the writes to our own.',
    without: 'Nothing is decided: without a record nothing is scaled.',
  },
  {
    account: 'controller',
    where: 'release',
    group: '',
    resources: ['pods'],
    verbs: ['patch'],
    why: 'Two annotations on our own pods while the cluster is down, so that node autoscalers leave them.',
    without: 'A node autoscaler may take the node under the controller; the log has one warning a night.',
  },
  {
    account: 'controller',
    where: 'release',
    group: '',
    resources: ['events'],
    verbs: ['create'],
    why: 'Events about stand-downs.',
    without: 'No events; the log has a warning for each.',
  },
  {
    account: 'controller',
    where: 'default',
    group: '',
    resources: ['events'],
    verbs: ['create'],
    why: 'Events about transitions: they name the Namespace object, and such events live there.',
    without: 'No events; the log has a warning for each.',
  },
  {
    account: 'controller',
    where: 'redirected',
    group: '',
    resources: ['services'],
    named: 'redirected services',
    verbs: ['patch'],
    ...unfenced,
    why: 'The selector points at the satellite while the service sleeps, and back. An upgrade grants it for what is redirected by then, too, listed or not.',
    without:
      'Callers of the sleeping service get a refused connection; a redirect that is up stays, and no wake is a success.',
  },
  {
    account: 'controller',
    where: 'redirected',
    group: 'apps',
    resources: ['deployments'],
    verbs: ['create'],
    ...redirection,
    why: 'The satellite itself. The admission policy takes nothing but satellites.',
    without:
      'No satellite is put in place: the log names the Service and the right, once a night. Nothing waits for it; it is tried again every five minutes.',
  },
  {
    account: 'controller',
    where: 'redirected',
    group: 'apps',
    resources: ['deployments'],
    named: 'their satellites',
    verbs: ['delete'],
    ...unfenced,
    why: 'The satellite goes when its service is back.',
    without: 'Satellites stay behind, without callers.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: 'apps',
    resources: ['deployments', 'statefulsets'],
    verbs: ['list', 'watch'],
    why: 'What the lists and the preview show.',
    without: 'The API does not become ready.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: 'batch',
    resources: ['cronjobs'],
    verbs: ['list', 'watch'],
    why: 'What the lists and the preview show.',
    without: 'The API does not become ready.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: '',
    resources: ['namespaces'],
    verbs: ['list', 'watch'],
    why: 'Why a workload is excluded.',
    without: 'The API does not become ready.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: 'autoscaling',
    resources: ['horizontalpodautoscalers'],
    verbs: ['list', 'watch'],
    why: 'Who owns the replicas of a workload.',
    without: 'The API does not become ready.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: 'keda.sh',
    resources: ['scaledobjects'],
    verbs: ['list', 'watch'],
    why: 'The same for KEDA.',
    without: 'KEDA is not shown as an owner.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: 'admissionregistration.k8s.io',
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    verbs: ['list'],
    why: 'The preview warns of webhooks whose backend would sleep.',
    without: 'The preview does not know the webhooks of that kind; the log has a warning.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: '',
    resources: ['services'],
    verbs: ['get'],
    why: 'Which workload is the backend of a webhook; why a named service gets no satellite.',
    without: 'The preview has no such warning, and no reason but that the service cannot be read; the log has one.',
  },
  {
    account: 'api',
    where: 'cluster',
    group: '',
    resources: ['events', 'pods'],
    verbs: ['list'],
    why: 'Why a workload is not up now: one page of its pods and of its events, when an admin opens its page. Of a pod its states are passed on, nothing of its spec.',
    without: 'The page of a workload says which of the two could not be read, and shows the rest.',
  },
  {
    account: 'api',
    where: 'release',
    group: '',
    resources: ['configmaps'],
    verbs: ['get', 'list', 'watch', 'create'],
    why: 'Configuration, license and state are watched, the audit log is read. The admission policy limits what is created to our own.',
    without: 'Status endpoints answer 503 `managed_state_unavailable`.',
  },
  {
    account: 'api',
    where: 'release',
    group: '',
    resources: ['configmaps'],
    named: 'state and passkeys',
    verbs: ['patch'],
    why: 'Intents and passkeys are written.',
    without: 'Acts and passkeys are refused with 503 `managed_state_unavailable`.',
  },
  ...sleepingKinds,
];

const inWords = {
  cluster: 'whole cluster',
  release: 'own namespace',
  default: 'namespace `default`',
  redirected: 'namespaces of redirected Services',
} as const;

/** The apiserver's own words for a verb that is missing; the same for every Kubernetes. */
// biome-ignore lint/complexity/useMaxParams: in the order of the sentence that the apiserver answers.
export function forbidden(verb: string, resource: string, group: string, user: string, scope: string): string {
  return `User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${scope}`;
}

const introduction = `<!-- Generated by npm run generate from tools/generate/rights-table.ts. -->

# Rights

What \`rbac.create\` grants, rule by rule. There is no rule on Secrets, none on \`exec\`, and no wildcard; the keys that the
service needs are mounted as files. The frontend and the satellites have no token at all. Beyond the rules, the admission
policy (\`admissionPolicy.enabled\`) lets our accounts change nothing of a workload but \`spec.replicas\`, \`spec.suspend\`, the
selector of a redirected Service and \`svc.io/\` metadata, and write no ConfigMaps but our own.

A verb that is missing shows in the log in the apiserver's words, for example:

\`\`\`
deployments.apps is forbidden: ${forbidden('list', 'deployments', 'apps', 'system:serviceaccount:svc:svc-controller', 'at the cluster scope')}
\`\`\`
`;

export function rightsReference(): string {
  const parts = (['controller', 'api'] as const).map((account) => {
    const rows = rightsTable.filter((right) => right.account === account).map(row);
    const title = account === 'api' ? 'Account `svc-api`' : 'Account `svc-controller`';
    return `## ${title}\n\n| Where | What | Verbs | Why | Without it |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [introduction, ...parts].join('\n');
}

function row({ where, group, resources, named, verbs, feature, why, without }: Right): string {
  const what = resources.map((resource) => `\`${group === '' ? '' : `${group}/`}${resource}\``).join(', ');
  const only = feature === undefined ? '' : ` Only with \`${feature}\`.`;
  const which = named === undefined ? '' : ` (${named})`;
  return `| ${inWords[where]} | ${what}${which} | ${verbs.join(', ')} | ${why}${only} | ${without} |`;
}
