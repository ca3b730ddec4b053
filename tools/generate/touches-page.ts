import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onWhenNamed, rowOf } from '../../src/domain/kinds/kinds.ts';
import { placeText } from '../../src/domain/kinds/place.ts';
import { annotations, configMaps } from '../../src/domain/names.ts';
import type { SkipCode } from '../../src/domain/targeting/targeting.ts';
import { type Right, rightsTable } from './rights-table.ts';

const root = join(import.meta.dirname, '../..');
const writing = ['create', 'update', 'patch', 'delete'] as const;

interface Touch {
  readonly field: string;
  readonly when: string;
}

/** What each right to write is used for. A right that has no line here stops the generator: nothing is left out by oversight. */
const touches: Readonly<Record<string, Touch>> = {
  'apps/deployments patch': {
    field: '`spec.replicas` and `svc.io/*` annotations, in one patch',
    when: 'Taken down outside working hours, brought back inside them and by a handback.',
  },
  'apps/statefulsets patch': {
    field: '`spec.replicas` and `svc.io/*` annotations, in one patch',
    when: 'The same.',
  },
  'batch/cronjobs patch': {
    field: '`spec.suspend` and `svc.io/*` annotations, in one patch',
    when: 'Suspended and resumed with the others.',
  },
  ...Object.fromEntries(
    onWhenNamed.map((kind) => {
      const { group, plural, sleep } = rowOf(kind);
      const field = sleep.by === 'annotation' ? `the annotation \`${sleep.name}\`` : `\`${placeText(sleep)}\``;
      const when = `Only while \`config.targeting.kinds\` names \`${kind}\`: put to sleep and given back as it was.`;
      return [`${group}/${plural} patch`, { field: `${field} and \`svc.io/*\` annotations, in one patch`, when }];
    }),
  ),
  'services patch': {
    field: `\`spec.selector\` and the annotation \`${annotations.originalSelector}\``,
    when: 'Only Services that `config.serviceRedirection` names: at the satellite while they sleep, then back.',
  },
  'apps/deployments create': {
    field: 'a satellite, `svc-satellite-<service>`, beside the Service that it stands in for',
    when: 'While that Service sleeps.',
  },
  'apps/deployments delete': { field: 'that satellite', when: 'When its Service is back.' },
  'configmaps create': {
    field: 'our own ConfigMaps, in the release namespace',
    when: 'When there is something to keep.',
  },
  'configmaps patch': { field: 'our own ConfigMaps, in the release namespace', when: 'With every act.' },
  'configmaps delete': {
    field: `audit logs \`${configMaps.auditPrefix}<n>\` past their retention`,
    when: 'When a ninth is begun.',
  },
  'pods patch': {
    field:
      'two annotations on our own pods: `karpenter.sh/do-not-disrupt`, `cluster-autoscaler.kubernetes.io/safe-to-evict`',
    when: 'While the cluster is down, so that a node autoscaler leaves what can wake it.',
  },
  'events create': {
    field: 'events about stand-downs and transitions',
    when: 'In the release namespace and in `default`.',
  },
};

/** What is left alone, by the code of its reason, in the order in which reasons are looked for. */
const leftAlone: Readonly<Record<SkipCode, string>> = {
  own_namespace: "The service's own namespace.",
  deleting: 'A workload that is being deleted.',
  namespace_unknown: 'A namespace that has not been read yet.',
  namespace_terminating: 'A namespace that is being deleted.',
  namespace_excluded: 'A namespace in `config.targeting.namespaces.exclude`; by default `kube-*` and `svc`.',
  system_namespace: `\`kube-system\`, \`kube-public\` and \`kube-node-lease\`, also where your own list does not name them, unless the namespace carries \`${annotations.exclude}: "false"\`.`,
  excluded_by_annotation: `A workload or namespace with the annotation \`${annotations.exclude}\`, whatever its value but \`false\`.`,
  never_scale: 'What a rule of `config.resourceRules.neverScale` selects.',
  scaled_object: 'What a KEDA ScaledObject drives.',
  operator:
    'What an operator controls: its owner reference says so. What a Rollout runs in its place (`workloadRef`), while Rollouts are named.',
  deletes_volumes:
    'A StatefulSet that would lose its volumes: `persistentVolumeClaimRetentionPolicy.whenScaled: Delete`.',
  autoscaler_from_zero:
    'What a HorizontalPodAutoscaler with `minReplicas: 0` may raise by itself, unless it is held too. Any other one rests while its target is at zero.',
  kept_up_by_floor: 'An AutoscalingRunnerSet with `minRunners` above 0: its operator takes no fewer.',
  frozen_by_owner:
    'A ScaledObject that its owner froze by `autoscaling.keda.sh/paused` or `autoscaling.keda.sh/paused-scale-out`, without `paused-replicas`: KEDA would leave its target at zero.',
  applies_nothing:
    'A Kustomization or HelmRelease of Flux, an Application of Argo CD, or a HorizontalPodAutoscaler, that would raise nothing that sleeps.',
};

const annotationMeanings: Readonly<Record<keyof typeof annotations, string>> = {
  exclude: 'Yours: keeps the service off a workload or a whole namespace.',
  hibernatedReplicas: 'The count to restore, as a number. Written in the same patch that sets `replicas: 0`.',
  markedUid: 'The uid of the object it was written to. A copy of a hibernated workload is left alone.',
  markedBy: 'The namespace of the release that wrote it. Another release leaves it alone.',
  markedEpoch: 'Which life of the controller wrote it.',
  suspendedByService: 'On what the service suspended: a CronJob, or a kind that `config.targeting.kinds` names.',
  valueBefore: 'Beside it, where something else stood at the place that was set: that value, as JSON.',
  besideData: 'With the name of a key: on ConfigMap `svc-state`, a stop or a wake for which its data has no room.',
  originalSelector: "On a redirected Service: its owner's selector, as JSON.",
};

export function touchesPage(): string {
  const rows = writes().map((key) => {
    const touch = touches[key];
    if (touch === undefined) throw new Error(`The right to ${key} has no line in tools/generate/touches-page.ts.`);
    const [what, verb] = key.split(' ');
    return `| \`${what}\` | ${verb} | ${touch.field} | ${touch.when} |`;
  });
  const marks = Object.entries(annotations).map(
    ([key, name]) => `| \`${name}\` | ${annotationMeanings[key as keyof typeof annotations]} |`,
  );
  const cloud = ['databases', 'costs'].map((name) => {
    const path = `docs/iam/${name}.json`;
    const policy = JSON.parse(readFileSync(join(root, path), 'utf8')) as { Statement: { Action: string[] }[] };
    const actions = policy.Statement.flatMap(({ Action }) => Action.map((action) => `\`${action}\``));
    return `| [${name}.json](iam/${name}.json) | \`${name === 'databases' ? 'config.databases' : 'config.awsCosts.enabled'}\` | ${actions.join(', ')} |`;
  });
  return `<!-- Generated by npm run generate from tools/generate/{rights-table,touches-page}.ts, src/domain and docs/iam. -->

# What it touches, and what never

This page is made from the rights that the chart grants, so it cannot leave out a kind. Every right with its reason:
[rights](reference/rights.md).

## In the cluster

| What | Verb | Which field | When |
|---|---|---|---|
${rows.join('\n')}

A kind that \`config.targeting.kinds\` [describes](neighbours.md#any-other-kind) is touched in the same way: the count, field or annotation of its description and
\`svc.io/*\` annotations, in one patch; the chart then renders that right and that line of the policy, too.

Nothing else of these objects is changed. The chart ships an admission policy (\`admissionPolicy.enabled\`) that has the
apiserver refuse it to our accounts. Dry run (\`config.operations.dryRun\`) changes nothing but what a handback restores.

It reads namespaces, workloads, HorizontalPodAutoscalers, ScaledObjects, webhook configurations, Services and, during a
transition, pods. It reads no Secret: the keys it needs are mounted as files. It has no \`exec\` and no wildcard.

## Our annotations

| Annotation | What it says |
|---|---|
${marks.join('\n')}

## In the cloud

Nothing unless you configure it, and then with a policy of its own:

| Policy | For | Actions |
|---|---|---|
${cloud.join('\n')}

Only databases that \`config.databases\` names are asked about, stopped and started, each by its identifier.

## What it leaves alone

The first reason that holds is shown: by \`svc resources ignored\`, in the web app and in the key \`ignored_resources\`.

${Object.values(leftAlone)
  .map((text, index) => `${index + 1}. ${text}`)
  .join('\n')}

Any other kind, such as Jobs and bare pods, is left alone without being listed. The kinds that there are stand in the first table.

Why one workload is up or down, in sentences:

\`\`\`sh
svc why deployment shop/cart
\`\`\`

To keep something out of it:

\`\`\`sh
kubectl -n shop annotate deployment cart ${annotations.exclude}=true
kubectl annotate namespace shop ${annotations.exclude}=true
\`\`\`

A workload that is excluded while it sleeps is woken: leaving scope hands back.
`;
}

/** Each resource and verb that some account of ours may write, once. */
function writes(): readonly string[] {
  const verbsOf = ({ group, resources, verbs }: Right) =>
    resources.flatMap((resource) =>
      writing
        .filter((verb) => verbs.includes(verb))
        .map((verb) => `${group === '' ? '' : `${group}/`}${resource} ${verb}`),
    );
  return [...new Set(rightsTable.flatMap(verbsOf))];
}
