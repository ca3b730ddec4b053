import { onWhenNamed } from '../../domain/kinds/kinds.ts';
import {
  awsRegion,
  databaseIdentifier,
  dataKey,
  displayName,
  glob,
  labelKey,
  objectName,
  shortName,
  workloadType,
} from '../formats/names.ts';
import { wait } from '../formats/times.ts';
import { peerAddress } from '../formats/urls.ts';
import { choice, flag, float, list, map, optional, record, required, text } from '../node.ts';
import { proxy } from './core.ts';

const type = optional(text({ format: workloadType, description: 'Kind of workload; any while absent.' }));
const selectorNamespace = text({ format: glob, description: 'Namespace, or a pattern of namespaces.' });
const selectorName = optional(text({ format: glob, description: 'Name, or a pattern of names; any while absent.' }));
const labelValue = text({ maxLength: 63, default: '', description: 'The value the label must have.' });
const labels = optional(map(labelKey, labelValue, { maxItems: 50, description: 'Labels that must all match.' }));
const annotationValue = text({ maxLength: 4096, default: '', description: 'The value the annotation must have.' });

/** Resources as one cluster names them to another. */
export const remoteResources = optional(
  list(
    record({ namespace: selectorNamespace, type, name: selectorName }, { description: 'Resources of one namespace.' }),
    { description: 'Resources that are woken; all of the cluster while absent.' },
  ),
);

export const secretRef = required(
  record(
    {
      name: text({ format: objectName, description: 'Name of a Secret in the release namespace.' }),
      key: text({ format: dataKey, description: 'Key of that Secret.' }),
    },
    { description: 'Where the shared key is kept.' },
  ),
);

const tier = record(
  {
    name: text({
      format: displayName,
      rule: 'unique within the ordering',
      description: 'Name of the tier in progress and reports.',
    }),
    timeout: optional(
      text({
        format: wait,
        description: 'How long the next tier waits for this one; the fallback of the controller while absent.',
      }),
    ),
    select: list(
      record(
        { namespace: selectorNamespace, type, name: selectorName, labels },
        { description: 'Workloads of one namespace or of a pattern of namespaces.' },
      ),
      { description: 'The workloads of this tier.' },
    ),
    databases: list(text({ format: shortName, description: 'A key of `config.databases`.' }), {
      rule: 'keys of `config.databases`, each in one tier at most',
      description: 'The managed databases of this tier.',
    }),
  },
  { description: 'A tier; it selects workloads, databases, or both.' },
);

const ordering = (what: string, rest: string) =>
  record(
    { tiers: list(tier, { maxItems: 100, description: `Tiers in ${what} order; ${rest}` }) },
    { description: `In which order the cluster ${what}s.` },
  );

const database = record(
  {
    provider: choice(['aws'], { default: 'aws', description: 'The cloud that runs the database.' }),
    type: choice(['instance', 'cluster'], { description: 'A single instance or a cluster of them.' }),
    identifier: text({ format: databaseIdentifier, description: 'Identifier of the database in the cloud.' }),
    region: text({ format: awsRegion, description: 'Region of the database.' }),
    endpoint: optional(
      text({ format: peerAddress, description: "Address of the cloud's API instead of the public one." }),
    ),
    profile: optional(text({ format: displayName, description: 'Credential profile.' })),
    proxyURL: optional(proxy('HTTP proxy for this database, instead of `config.proxyURL`.')),
    hourlyRate: optional(
      float({
        default: 0,
        min: 0,
        max: 100_000,
        description: 'What an hour of it costs, in the currency of the costs; the list price while absent.',
      }),
    ),
  },
  { description: 'A managed database.' },
);

export const workloadFields = {
  targeting: record(
    {
      kinds: list(choice(onWhenNamed, { description: 'A kind.' }), {
        maxItems: onWhenNamed.length,
        rule: 'no kind twice',
        description:
          'Kinds that sleep beside Deployments, StatefulSets and CronJobs: `ScaledObject` of KEDA, `Kustomization` and `HelmRelease` of Flux. A kind that the cluster does not have costs nothing.',
      }),
      namespaces: record(
        {
          exclude: list(
            record(
              {
                exact: optional(text({ format: objectName, description: 'One namespace.' })),
                pattern: optional(text({ format: glob, description: 'Every namespace that matches.' })),
              },
              { description: 'Sets `exact` or `pattern`, never both.' },
            ),
            {
              default: [{ pattern: 'kube-*' }, { exact: 'svc' }],
              rule: 'each entry sets `exact` or `pattern`, never both',
              description:
                'Namespaces the service leaves alone; a list given here replaces the default. `kube-system`, `kube-public` and `kube-node-lease` stay left alone with any list, unless they carry the annotation `svc.io/exclude: "false"`.',
            },
          ),
        },
        { description: 'Which namespaces are managed.' },
      ),
    },
    { description: 'What the service manages.' },
  ),
  resourceRules: record(
    {
      neverScale: list(
        record(
          {
            namespace: selectorNamespace,
            type,
            name: selectorName,
            labels,
            annotations: optional(
              map(labelKey, annotationValue, { maxItems: 50, description: 'Annotations that must all match.' }),
            ),
            reason: optional(text({ format: displayName, description: 'Why; shown beside the workload.' })),
          },
          { description: 'A selector.' },
        ),
        { description: 'Workloads that are never scaled.' },
      ),
    },
    { description: 'Rules for single workloads.' },
  ),
  hibernateOrdering: ordering('hibernate', 'what no tier names goes first; one pass while empty.'),
  wakeOrdering: ordering('wake', 'what no tier names goes last; one pass while empty.'),
  databases: map(shortName, database, {
    maxItems: 200,
    description: 'Managed databases that are stopped and started with the schedule.',
  }),
  externalDependencies: list(
    record(
      {
        cluster: text({
          format: displayName,
          rule: 'unique',
          description: 'Name of the hosting cluster: its own `externalWake.localClusterName`.',
        }),
        url: text({
          format: peerAddress,
          rule: 'https unless `config.allowInsecureExternalUrl`',
          description: 'Address of the instance on the hosting cluster.',
        }),
        secretRef,
        resources: remoteResources,
      },
      { description: 'A hosting cluster.' },
    ),
    { maxItems: 50, description: 'Hosting clusters whose resources a wake of this cluster also wakes.' },
  ),
  serviceRedirection: record(
    {
      enabled: flag({
        default: false,
        description: 'Put a satellite in place of the services below while they hibernate.',
      }),
      services: list(
        record(
          {
            namespace: text({ format: shortName, description: 'Namespace of the service.' }),
            name: text({ format: shortName, description: 'Name of the service.' }),
          },
          { description: 'A service.' },
        ),
        {
          maxItems: 500,
          rule: 'no service twice',
          description: 'Services that show a wake page while they hibernate.',
        },
      ),
    },
    { description: 'Wake pages in place of hibernating services.' },
  ),
};
