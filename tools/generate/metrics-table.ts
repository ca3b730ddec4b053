/** Every series of our processes. A test holds it against what the processes register. */
export interface MetricRow {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly process: 'controller' | 'api';
  readonly labels: Readonly<Record<string, string>>;
  /** What it says, and what to make of it. */
  readonly meaning: string;
}

const act = 'what was written: `lower`, `raise`, `suspend`, `resume` or `disown`';

export const metricsTable: readonly MetricRow[] = [
  {
    name: 'svc_transitions_total',
    type: 'counter',
    process: 'controller',
    labels: { kind: '`hibernation` or `wake`', result: '`success`, `incomplete` or `failed`' },
    meaning: 'Hibernations and wakes that ended.',
  },
  {
    name: 'svc_scaling_operations_total',
    type: 'counter',
    process: 'controller',
    labels: { act, outcome: '`done`, `conflict`, `gone`, `refused` or `unknown`' },
    meaning: 'Writes that scale a workload. A conflict is decided anew and is no failure.',
  },
  {
    name: 'svc_scaling_failures_total',
    type: 'counter',
    process: 'controller',
    labels: { act },
    meaning: 'Scaling writes that the cluster refused.',
  },
  {
    name: 'svc_workload_recoveries_total',
    type: 'counter',
    process: 'controller',
    labels: { reason: 'why the workload had been written off' },
    meaning: 'Write-offs that were withdrawn because the workload came up after all.',
  },
  {
    name: 'svc_drift_total',
    type: 'counter',
    process: 'controller',
    labels: { kind: '`added`, `changed-by-owner`, `marked`, `look` or `removed`' },
    meaning: 'Changes that others made under a hibernated cluster.',
  },
  {
    name: 'svc_reconcile_total',
    type: 'counter',
    process: 'controller',
    labels: { result: '`completed`, `conflict`, `undecodable` or `failed`' },
    meaning: 'Passes of the controller.',
  },
  {
    name: 'svc_reconcile_duration_seconds',
    type: 'histogram',
    process: 'controller',
    labels: {},
    meaning: 'How long a pass took.',
  },
  {
    name: 'svc_reconcile_last_completed_timestamp_seconds',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: 'When a pass last ran to its end. One that is skipped because of a stand-down or the license counts.',
  },
  {
    name: 'svc_acting',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: '1 while neither a stand-down nor the license keeps the service from scaling.',
  },
  {
    name: 'svc_cluster_hibernated',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: '1 while the cluster sleeps.',
  },
  {
    name: 'svc_stand_down',
    type: 'gauge',
    process: 'controller',
    labels: { source: '`admin` or `configuration`' },
    meaning: '1 while that source holds a stand-down.',
  },
  {
    name: 'svc_recorded_workloads',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: 'Workloads whose count is recorded, because they are or may be down.',
  },
  {
    name: 'svc_state_configmap_size_bytes',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: 'Size of the ConfigMap `svc-state`, which holds 1 MiB at most.',
  },
  {
    name: 'svc_state_readable',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: '1 while the state can be read and decoded. At 0 nothing is scaled: the service does not guess.',
  },
  {
    name: 'svc_config_refused',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: '1 while the newest configuration is refused and the last good one is in force.',
  },
  {
    name: 'svc_license_verdict',
    type: 'gauge',
    process: 'controller',
    labels: { verdict: '`licensed`, `unverified`, `check_failed` or `unlicensed`' },
    meaning: '1 for the verdict that holds.',
  },
  {
    name: 'svc_license_acts',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: '1 while the license lets the service act.',
  },
  {
    name: 'svc_license_expiry_timestamp_seconds',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: 'When the license expires; 0 for never.',
  },
  {
    name: 'svc_license_last_licensed_timestamp_seconds',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: 'When a check last said licensed; 0 for never.',
  },
  {
    name: 'svc_license_stop_timestamp_seconds',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: 'When the service stops acting unless a check succeeds before; 0 while none fails.',
  },
  {
    name: 'svc_api_requests_total',
    type: 'counter',
    process: 'api',
    labels: { route: 'name of the route, never the path itself', method: 'of the request', status: 'of the answer' },
    meaning: 'Requests that the API answered.',
  },
  {
    name: 'svc_api_errors_total',
    type: 'counter',
    process: 'api',
    labels: { route: 'name of the route', code: 'of the error' },
    meaning: 'Answers that are errors, by the code in their body.',
  },
  {
    name: 'svc_api_request_duration_seconds',
    type: 'histogram',
    process: 'api',
    labels: {},
    meaning: 'How long an answer took; event streams are left out.',
  },
  {
    name: 'svc_api_event_streams',
    type: 'gauge',
    process: 'api',
    labels: {},
    meaning: 'Open event streams: browsers that show the live state.',
  },
  {
    name: 'svc_passkey_store_size_bytes',
    type: 'gauge',
    process: 'api',
    labels: {},
    meaning: 'Size of the ConfigMap `svc-passkeys`, which holds 1 MiB at most.',
  },
  {
    name: 'svc_parameter_store_size_bytes',
    type: 'gauge',
    process: 'api',
    labels: { parameter: 'name of the parameter' },
    meaning: 'Size of a parameter that holds statistics, at most 4096 bytes. Absent while cost queries are off.',
  },
  {
    name: 'svc_notification_deliveries_total',
    type: 'counter',
    process: 'controller',
    labels: {
      channel: '`email`, `teams`, `slack` or `webhook`',
      outcome: '`delivered`, `failed`, `dropped` or `suppressed`',
    },
    meaning: 'Deliveries to one destination each, after all attempts.',
  },
  {
    name: 'svc_notifications_dropped_total',
    type: 'counter',
    process: 'controller',
    labels: { channel: 'as above' },
    meaning: 'Notifications that gave way because too many waited for their destination.',
  },
  {
    name: 'svc_notification_queue_length',
    type: 'gauge',
    process: 'controller',
    labels: {},
    meaning: 'Deliveries that wait for their turn.',
  },
  {
    name: 'svc_external_wake_sessions',
    type: 'gauge',
    process: 'api',
    labels: {},
    meaning: 'Sessions of other clusters that keep this one awake.',
  },
  {
    name: 'svc_saved_core_hours_total',
    type: 'counter',
    process: 'controller',
    labels: {},
    meaning: 'Core-hours that hibernated workloads did not request.',
  },
];
