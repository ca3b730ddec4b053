import { onWhenNamed } from '../../domain/kinds/kinds.ts';
import {
  annotationName,
  apiGroup,
  apiVersion,
  conditionType,
  kindName,
  pluralName,
  sleepText,
  specPointer,
} from '../formats/kind-formats.ts';
import { glob, objectName } from '../formats/names.ts';
import { choice, either, list, optional, record, scalar, text } from '../formats/value-types.ts';

/** A kind of the operator's own. */
const described = record(
  {
    kind: text({ format: kindName, description: 'The kind, as in its manifests.' }),
    group: text({ format: apiGroup, description: 'Its API group.' }),
    version: text({ format: apiVersion, description: 'A version of it that the cluster serves.' }),
    plural: text({ format: pluralName, description: 'Its name in paths of the API.' }),
    scale: optional(text({ format: specPointer, description: 'The count that is set to 0 while it sleeps.' })),
    field: optional(
      record(
        {
          pointer: text({ format: specPointer, description: 'The field that is set while it sleeps.' }),
          value: scalar({ format: sleepText, max: 1_000_000, description: 'What the field is set to.' }),
        },
        { description: 'A field and the value that it sleeps by.' },
      ),
    ),
    annotation: optional(
      record(
        {
          name: text({ format: annotationName, description: 'The annotation that is set while it sleeps.' }),
          value: text({ format: sleepText, description: 'What the annotation is set to.' }),
        },
        { description: 'An annotation and the value that it sleeps by.' },
      ),
    ),
    ready: optional(
      record(
        { condition: text({ format: conditionType, description: 'The condition that is `True` when it is up.' }) },
        {
          description:
            'Which condition of its status says that it is up. A wake waits for it as for other workloads; without it, a wake does not wait for the kind.',
        },
      ),
    ),
  },
  { description: 'A kind of your own: one of `scale`, `field` and `annotation` says by what it sleeps.' },
);

const mostDescribed = 20;

export const targeting = record(
  {
    kinds: list(
      either(
        { text: choice(onWhenNamed, { description: 'A kind.' }), record: described },
        { description: 'A kind by its name, or a description of a kind of your own.' },
      ),
      {
        maxItems: onWhenNamed.length + mostDescribed,
        rule: 'no kind twice; a description sets exactly one of `scale`, `field` and `annotation`',
        description:
          'Kinds that sleep beside Deployments, StatefulSets and CronJobs: `ScaledObject` and `ScaledJob` of KEDA, `Rollout` of Argo Rollouts, `Kustomization` and `HelmRelease` of Flux, `Application` of Argo CD (alpha there: nothing of it is synced meanwhile), `Cluster` of CloudNativePG, `postgresql` of Zalando, `Prometheus`, `KafkaConnect`, `KafkaBridge` and `KafkaMirrorMaker2` of Strimzi, `AutoscalingRunnerSet` of GitHub, `DaemonSet`, `HorizontalPodAutoscaler` (held, with `minReplicas: 0` alone); any other custom resource of a namespace by a description. A kind that the cluster does not have costs nothing. Its right comes with `helm upgrade`.',
      },
    ),
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
