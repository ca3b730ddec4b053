// The events a destination can take or leave, each by its key or by its priority.

export type EventPriority = 'high' | 'medium' | 'low';

export const eventPriorities: readonly EventPriority[] = ['high', 'medium', 'low'];

export interface EventKind {
  readonly priority: EventPriority;
  /** The priority of its card among others of its kind, where a degraded one reaches takers of high additionally. */
  readonly ordinarily?: EventPriority;
  /** A state that holds, sent once it has held for the confirmation window; the others report what has happened. */
  readonly condition: boolean;
  /** Whether a repetition inside the deduplication window is held back. */
  readonly deduplicated: boolean;
  readonly description: string;
}

const report = (priority: EventPriority, description: string) =>
  ({ priority, condition: false, deduplicated: false, description }) satisfies EventKind;

const condition = (priority: EventPriority, description: string) =>
  ({ priority, condition: true, deduplicated: true, description }) satisfies EventKind;

export const eventKinds = {
  wakeStarted: report('low', 'A wake has begun.'),
  wakeComplete: report('low', 'A wake has ended with nothing lost.'),
  wakeFailed: {
    ...report('high', 'A wake has ended and at least one workload failed; with high off it goes to who takes low.'),
    ordinarily: 'low',
  },
  hibernationComplete: report('low', 'A hibernation has ended.'),
  hibernationFailed: report('high', 'A hibernation has ended and something could not be taken down.'),
  wakeBarrierTimeout: report('medium', 'A wake tier was released before all of its group was up.'),
  catchUp: report('medium', 'A schedule edge that was missed has been made up for.'),
  standDown: report('medium', 'A stand-down has begun or ended.'),
  resourceAdded: report('low', 'A workload came under management.'),
  resourceRemoved: report('low', 'A workload left management.'),
  externalWakeStarted: report('low', 'Another cluster has woken resources here.'),
  externalWakeExpired: report('low', "Another cluster's session has run out."),
  // Renewals repeat for as long as a session lives, so they are the one report that is deduplicated.
  externalWakeRenewed: { ...report('low', 'Another cluster has prolonged its session.'), deduplicated: true },
  scheduleOverride: report('medium', 'Someone has overridden the schedule or resumed it.'),
  databaseStopped: report('low', 'A managed database has been stopped.'),
  workloadWillNotScale: condition('high', 'A workload does not follow the scale it was given.'),
  stateSize: condition('high', 'The state ConfigMap is close to its largest size.'),
  parameterStoreSize: condition('medium', 'The statistics in the parameter store are close to their largest size.'),
  stateMismatch: condition('high', 'The recorded state and the cluster contradict each other.'),
  unexpectedReplicaChange: condition('medium', 'Someone else has changed the scale of a hibernated workload.'),
  scheduleUnparseable: condition(
    'high',
    'A changed configuration was refused for its working hours; the last good one stays.',
  ),
  configReloadFailed: condition(
    'high',
    'A changed configuration was refused for anything else; the last good one stays.',
  ),
  licenseExpiring: condition('medium', 'The license expires soon.'),
  licenseUnverified: condition('medium', 'The license cannot be checked; the service acts until the stop date.'),
  externalDependencyUnreachable: condition('medium', 'A hosting cluster does not answer or refuses a wake request.'),
  licenseNotActing: condition('high', 'No license verdict lets the service act.'),
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventKey = keyof typeof eventKinds;

export const eventKeys = Object.keys(eventKinds) as readonly EventKey[];
