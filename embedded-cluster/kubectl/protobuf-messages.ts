/** A field of a message: its number, its name, and what it holds. */
type FieldShape = readonly [number: number, name: string, kind: FieldKind];
export type FieldKind =
  | 'text'
  | 'number'
  | 'flag'
  | 'texts'
  | 'textMap'
  | 'bytesMap'
  | 'intOrText'
  | MessageShape
  | readonly [MessageShape];
export type MessageShape = readonly FieldShape[];

const META: MessageShape = [
  [1, 'name', 'text'],
  [2, 'generateName', 'text'],
  [3, 'namespace', 'text'],
  [11, 'labels', 'textMap'],
  [12, 'annotations', 'textMap'],
];
const metadata: FieldShape = [1, 'metadata', META];

const CONTAINER: MessageShape = [
  [1, 'name', 'text'],
  [2, 'image', 'text'],
  [3, 'command', 'texts'],
  [4, 'args', 'texts'],
  [
    6,
    'ports',
    [
      [
        [1, 'name', 'text'],
        [3, 'containerPort', 'number'],
        [4, 'protocol', 'text'],
      ],
    ],
  ],
  [
    7,
    'env',
    [
      [
        [1, 'name', 'text'],
        [2, 'value', 'text'],
      ],
    ],
  ],
];
const TEMPLATE: MessageShape = [
  metadata,
  [
    2,
    'spec',
    [
      [2, 'containers', [CONTAINER]],
      [3, 'restartPolicy', 'text'],
      [8, 'serviceAccountName', 'text'],
    ],
  ],
];
const JOB_SPEC: MessageShape = [
  [1, 'parallelism', 'number'],
  [2, 'completions', 'number'],
  [6, 'template', TEMPLATE],
  [7, 'backoffLimit', 'number'],
  [10, 'suspend', 'flag'],
];
const SERVICE_PORT: MessageShape = [
  [1, 'name', 'text'],
  [2, 'protocol', 'text'],
  [3, 'port', 'number'],
  [4, 'targetPort', 'intOrText'],
  [5, 'nodePort', 'number'],
];
const ROLE: MessageShape = [
  metadata,
  [
    2,
    'rules',
    [
      [
        [1, 'verbs', 'texts'],
        [2, 'apiGroups', 'texts'],
        [3, 'resources', 'texts'],
        [4, 'resourceNames', 'texts'],
        [5, 'nonResourceURLs', 'texts'],
      ],
    ],
  ],
];
const BINDING: MessageShape = [
  metadata,
  [
    2,
    'subjects',
    [
      [
        [1, 'kind', 'text'],
        [2, 'apiGroup', 'text'],
        [3, 'name', 'text'],
        [4, 'namespace', 'text'],
      ],
    ],
  ],
  [
    3,
    'roleRef',
    [
      [1, 'apiGroup', 'text'],
      [2, 'kind', 'text'],
      [3, 'name', 'text'],
    ],
  ],
];
const RESOURCE_ATTRIBUTES: MessageShape = [
  [1, 'namespace', 'text'],
  [2, 'verb', 'text'],
  [3, 'group', 'text'],
  [4, 'version', 'text'],
  [5, 'resource', 'text'],
  [6, 'subresource', 'text'],
  [7, 'name', 'text'],
];

/**
 * The messages that kubectl sends encoded whatever the server prefers: its questions about access, and what its
 * `create` commands make, with the fields that those commands can set.
 */
export const MESSAGES: Readonly<Record<string, MessageShape>> = {
  SelfSubjectAccessReview: [
    [
      2,
      'spec',
      [
        [1, 'resourceAttributes', RESOURCE_ATTRIBUTES],
        [
          2,
          'nonResourceAttributes',
          [
            [1, 'path', 'text'],
            [2, 'verb', 'text'],
          ],
        ],
      ],
    ],
  ],
  SelfSubjectRulesReview: [[2, 'spec', [[1, 'namespace', 'text']]]],
  SelfSubjectReview: [],
  TokenRequest: [
    metadata,
    [
      2,
      'spec',
      [
        [1, 'audiences', 'texts'],
        [4, 'expirationSeconds', 'number'],
      ],
    ],
  ],
  Eviction: [
    metadata,
    [
      2,
      'deleteOptions',
      [
        [1, 'gracePeriodSeconds', 'number'],
        [4, 'propagationPolicy', 'text'],
      ],
    ],
  ],
  Namespace: [metadata],
  ServiceAccount: [metadata],
  ConfigMap: [metadata, [2, 'data', 'textMap'], [3, 'binaryData', 'bytesMap'], [4, 'immutable', 'flag']],
  Secret: [
    metadata,
    [2, 'data', 'bytesMap'],
    [3, 'type', 'text'],
    [4, 'stringData', 'textMap'],
    [5, 'immutable', 'flag'],
  ],
  Service: [
    metadata,
    [
      2,
      'spec',
      [
        [1, 'ports', [SERVICE_PORT]],
        [2, 'selector', 'textMap'],
        [3, 'clusterIP', 'text'],
        [4, 'type', 'text'],
        [10, 'externalName', 'text'],
      ],
    ],
  ],
  Deployment: [
    metadata,
    [
      2,
      'spec',
      [
        [1, 'replicas', 'number'],
        [2, 'selector', [[1, 'matchLabels', 'textMap']]],
        [3, 'template', TEMPLATE],
      ],
    ],
  ],
  Job: [metadata, [2, 'spec', JOB_SPEC]],
  CronJob: [
    metadata,
    [
      2,
      'spec',
      [
        [1, 'schedule', 'text'],
        [4, 'suspend', 'flag'],
        [5, 'jobTemplate', [metadata, [2, 'spec', JOB_SPEC]]],
      ],
    ],
  ],
  Role: ROLE,
  ClusterRole: ROLE,
  RoleBinding: BINDING,
  ClusterRoleBinding: BINDING,
};
