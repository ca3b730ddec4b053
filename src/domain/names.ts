// Every name that carries the product's word, in one place.

export const product = 'svc';

export const annotations = {
  /** On a workload or a namespace: `"true"` keeps the service off it. */
  exclude: 'svc.io/exclude',
  /** Written in the same patch that sets `replicas: 0`; holds the count to restore. */
  hibernatedReplicas: 'svc.io/hibernated-replicas',
  /**
   * Written beside the two marks above and below: the uid of the object it was written to. A copy of a hibernated
   * workload carries the mark too, and must not be taken for one that we lowered.
   */
  markedUid: 'svc.io/hibernated-uid',
  /** Beside them as well: the namespace of the release that wrote them. Another release on the same cluster leaves them alone. */
  markedBy: 'svc.io/hibernated-by',
  /** Beside them as well: which life of the controller wrote them. */
  markedEpoch: 'svc.io/hibernated-epoch',
  /** Written in the same patch that sets `suspend: true`. */
  suspendedByService: 'svc.io/suspended',
  /** Beside it, where something else stood at the place that is set: that value, as JSON. */
  valueBefore: 'svc.io/value-before',
  /** On a redirected Service: its selector as JSON, as its owner had it. */
  originalSelector: 'svc.io/original-selector',
  /** On `svc-state`, followed by a key with dashes: a short value for which there is no room in its data. */
  besideData: 'svc.io/state-',
} as const;

export const labels = {
  /** On our own pods, by the chart: `svc`. The customary labels are the user's to replace, this one is not. */
  partOf: 'svc.io/part-of',
  /** On a ConfigMap in which a key of the state goes on: the name of that key. */
  continues: 'svc.io/continues',
} as const;

export const configMaps = {
  state: 'svc-state',
  /** Followed by a number: where a key of the state goes on that has outgrown `svc-state`. */
  statePartPrefix: 'svc-state-',
  config: 'svc-config',
  license: 'svc-license',
  passkeys: 'svc-passkeys',
  /** What hibernation has saved, day by day. */
  insights: 'svc-insights',
  /** Followed by a number: `svc-audit-0`, `svc-audit-1`, … */
  auditPrefix: 'svc-audit-',
} as const;

export const fieldManager = 'svc-controller';
