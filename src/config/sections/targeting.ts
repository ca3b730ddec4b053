import { onWhenNamed } from '../../domain/kinds/kinds.ts';
import { glob, objectName } from '../formats/names.ts';
import { choice, list, optional, record, text } from '../formats/value-types.ts';

export const targeting = record(
  {
    kinds: list(choice(onWhenNamed, { description: 'A kind.' }), {
      maxItems: onWhenNamed.length,
      rule: 'no kind twice',
      description:
        'Kinds that sleep beside Deployments, StatefulSets and CronJobs: `ScaledObject` and `ScaledJob` of KEDA, `Rollout` of Argo Rollouts, `Kustomization` and `HelmRelease` of Flux, `Application` of Argo CD (alpha there: nothing of it is synced meanwhile), `Cluster` of CloudNativePG, `postgresql` of Zalando, `Prometheus`, `KafkaConnect`, `KafkaBridge` and `KafkaMirrorMaker2` of Strimzi, `AutoscalingRunnerSet` of GitHub, `DaemonSet`, `HorizontalPodAutoscaler` (held, with `minReplicas: 0` alone). A kind that the cluster does not have costs nothing. Its right comes with `helm upgrade`.',
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
);
