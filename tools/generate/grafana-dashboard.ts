interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries';
  readonly expr: string;
  readonly legend?: string;
  readonly unit?: string;
  readonly description: string;
}

const here = 'namespace="$namespace"';

/** In reading order: is it all right, what happened, is there room. */
export const panels: readonly Panel[] = [
  {
    title: 'Hibernated',
    type: 'stat',
    expr: `max(svc_cluster_hibernated{${here}})`,
    description: '1 while the cluster sleeps.',
  },
  {
    title: 'Acting',
    type: 'stat',
    expr: `max(svc_acting{${here}})`,
    description: '0 while a stand-down or the license keeps the service from scaling.',
  },
  {
    title: 'Stand-down',
    type: 'stat',
    expr: `max by (source) (svc_stand_down{${here}})`,
    legend: '{{source}}',
    description: '1 while that source holds a stand-down.',
  },
  {
    title: 'State readable',
    type: 'stat',
    expr: `min(svc_state_readable{${here}})`,
    description: '0 while a key of svc-state cannot be decoded: nothing is scaled then.',
  },
  {
    title: 'License',
    type: 'stat',
    expr: `svc_license_verdict{${here}} == 1`,
    legend: '{{verdict}}',
    description: 'The verdict that holds.',
  },
  {
    title: 'License expires in',
    type: 'stat',
    expr: `(svc_license_expiry_timestamp_seconds{${here}} > 0) - time()`,
    unit: 's',
    description: 'Empty for a license that does not expire.',
  },
  {
    title: 'Recorded workloads',
    type: 'timeseries',
    expr: `max(svc_recorded_workloads{${here}})`,
    legend: 'recorded',
    description: 'Workloads that are or may be down.',
  },
  {
    title: 'Transitions',
    type: 'timeseries',
    expr: `sum by (kind, result) (increase(svc_transitions_total{${here}}[1h]))`,
    legend: '{{kind}} {{result}}',
    description: 'Hibernations and wakes an hour, by result.',
  },
  {
    title: 'Scaling writes',
    type: 'timeseries',
    expr: `sum by (act, outcome) (rate(svc_scaling_operations_total{${here}}[5m]))`,
    legend: '{{act}} {{outcome}}',
    unit: 'ops',
    description: 'Writes a second that scale a workload.',
  },
  {
    title: 'Refused scaling writes',
    type: 'timeseries',
    expr: `sum by (act) (increase(svc_scaling_failures_total{${here}}[1h]))`,
    legend: '{{act}}',
    description: 'An hour. Anything above zero needs a look at the log of the controller.',
  },
  {
    title: 'Recoveries and drift',
    type: 'timeseries',
    expr: `sum by (reason) (increase(svc_workload_recoveries_total{${here}}[1h])) or sum by (kind) (increase(svc_drift_total{${here}}[1h]))`,
    legend: '{{reason}}{{kind}}',
    description: 'Write-offs that were withdrawn, and changes that others made to a sleeping cluster.',
  },
  {
    title: 'Pass duration, 95th percentile',
    type: 'timeseries',
    expr: `histogram_quantile(0.95, sum by (le) (rate(svc_reconcile_duration_seconds_bucket{${here}}[15m])))`,
    legend: 'p95',
    unit: 's',
    description: 'How long a pass of the controller takes.',
  },
  {
    title: 'Passes',
    type: 'timeseries',
    expr: `sum by (result) (rate(svc_reconcile_total{${here}}[5m]))`,
    legend: '{{result}}',
    unit: 'ops',
    description: 'Passes a second, by how they ended.',
  },
  {
    title: 'Since the last pass',
    type: 'timeseries',
    expr: `time() - max(svc_reconcile_last_completed_timestamp_seconds{${here}})`,
    legend: 'age',
    unit: 's',
    description: 'Two hours raise an alert.',
  },
  {
    title: 'API requests',
    type: 'timeseries',
    expr: `sum by (status) (rate(svc_api_requests_total{${here}}[5m]))`,
    legend: '{{status}}',
    unit: 'reqps',
    description: 'Requests a second, by status.',
  },
  {
    title: 'API errors',
    type: 'timeseries',
    expr: `sum by (code) (increase(svc_api_errors_total{${here}}[1h]))`,
    legend: '{{code}}',
    description: 'An hour, by code. Refusals such as stood_down are among them.',
  },
  {
    title: 'API answer time, 95th percentile',
    type: 'timeseries',
    expr: `histogram_quantile(0.95, sum by (le) (rate(svc_api_request_duration_seconds_bucket{${here}}[5m])))`,
    legend: 'p95',
    unit: 's',
    description: 'How long an answer takes.',
  },
  {
    title: 'Open streams and external sessions',
    type: 'timeseries',
    expr: `label_replace(max(svc_api_event_streams{${here}}), "what", "streams", "", "") or label_replace(max(svc_external_wake_sessions{${here}}), "what", "sessions", "", "")`,
    legend: '{{what}}',
    description: 'Browsers that watch, and other clusters that keep this one awake.',
  },
  {
    title: 'Notifications',
    type: 'timeseries',
    expr: `sum by (channel, outcome) (increase(svc_notification_deliveries_total{${here}}[1h]))`,
    legend: '{{channel}} {{outcome}}',
    description: 'Deliveries an hour, by what became of them.',
  },
  {
    title: 'Notifications that wait or were dropped',
    type: 'timeseries',
    expr: `label_replace(max(svc_notification_queue_length{${here}}), "what", "waiting", "", "") or label_replace(sum(increase(svc_notifications_dropped_total{${here}}[1h])), "what", "dropped an hour", "", "")`,
    legend: '{{what}}',
    description: 'A destination that does not answer fills its queue.',
  },
  {
    title: 'Store sizes',
    type: 'timeseries',
    expr: `label_replace(max(svc_state_configmap_size_bytes{${here}}), "store", "svc-state", "", "") or label_replace(max(svc_passkey_store_size_bytes{${here}}), "store", "svc-passkeys", "", "") or label_replace(max by (parameter) (svc_parameter_store_size_bytes{${here}}), "store", "$1", "parameter", "(.*)")`,
    legend: '{{store}}',
    unit: 'bytes',
    description: 'A ConfigMap holds 1 MiB at most, a standard parameter 4096 bytes.',
  },
  {
    title: 'Saved core-hours',
    type: 'timeseries',
    expr: `sum(increase(svc_saved_core_hours_total{${here}}[24h]))`,
    legend: 'last 24 hours',
    description: 'Core-hours that hibernated workloads did not request.',
  },
];

const datasource = { type: 'prometheus', uid: '$datasource' };
const columns = 24;

/** The dashboard as Grafana imports it. */
export function grafanaDashboard(): string {
  let x = 0;
  let y = 0;
  const placed = panels.map((panel, index) => {
    const [w, h] = panel.type === 'stat' ? [4, 4] : [8, 8];
    if (x + w > columns) [x, y] = [0, y + (panels[index - 1]?.type === 'stat' ? 4 : 8)];
    const shown = panelJson(panel, index + 1, { x, y, w, h });
    x += w;
    return shown;
  });
  const dashboard = {
    title: 'Cluster hibernation',
    uid: 'svc-hibernation',
    tags: ['svc'],
    schemaVersion: 39,
    timezone: 'browser',
    refresh: '1m',
    time: { from: 'now-7d', to: 'now' },
    templating: { list: variables() },
    panels: placed,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function panelJson(panel: Panel, id: number, gridPos: object): object {
  const { title, type, expr, legend, unit, description } = panel;
  return {
    id,
    type,
    title,
    description,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit: unit ?? 'short', min: 0 }, overrides: [] },
    targets: [{ refId: 'A', datasource, expr, ...(legend === undefined ? {} : { legendFormat: legend }) }],
  };
}

function variables(): readonly object[] {
  return [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
    {
      name: 'namespace',
      label: 'Namespace',
      type: 'query',
      datasource,
      query: 'label_values(svc_acting, namespace)',
      refresh: 2,
    },
  ];
}
