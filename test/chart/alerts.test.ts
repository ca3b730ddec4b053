import { beforeAll, describe, expect, it } from 'vitest';
import { alertName, runbooks } from '../../tools/generate/alerts-reference.ts';
import { panels } from '../../tools/generate/grafana-dashboard.ts';
import { metricsTable } from '../../tools/generate/metrics-table.ts';
import { find, render, type Values } from './harness/helm.ts';
import { type AlertTest, checkExpressions, checkRules, type Moment, type Rule, testRules } from './harness/promtool.ts';

async function rulesOf(values: Values = {}, config: Values = {}): Promise<readonly Rule[]> {
  const prometheusRule = { enabled: true, ...values };
  const object = find(await render({ config, metrics: { prometheusRule } }), 'PrometheusRule', 'svc');
  return (object['spec'] as { groups: [{ rules: readonly Rule[] }] }).groups[0].rules;
}

/** Descriptions show values; what they say is not what these tests are about. */
function inShort(rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule) => ({ ...rule, annotations: { summary: rule.annotations['summary'] ?? '' } }));
}

const target = 'namespace="svc-system",pod="svc-controller-0"';
const labels = { namespace: 'svc-system', pod: 'svc-controller-0' };
const day = 86_400;

function moments(alert: string, quietAt: string, firesAt: string, firing: Readonly<Record<string, string>>): Moment[] {
  return [
    { at: quietAt, alert, firing: [] },
    { at: firesAt, alert, firing: [firing] },
  ];
}

/** A gauge that stays where it is put. */
function steady(name: string, value: number, extra = ''): Readonly<Record<string, string>> {
  return { [`${name}{${target}${extra}}`]: `${value}x2100` };
}

const never = (alert: string, at: string): Moment[] => [{ at, alert, firing: [] }];

function sizeTests(alert: string, series: string, bytes: number, held: number, severity: string): AlertTest[] {
  return [
    {
      name: `${alert}: above its threshold`,
      series: steady(series, bytes + 1),
      moments: moments(alert, `${held - 1}m`, `${held}m`, { severity, ...labels }),
    },
    { name: `${alert}: at its threshold`, series: steady(series, bytes), moments: never(alert, '60m') },
    {
      name: `${alert}: of another release's namespace`,
      series: { [`${series}{namespace="other"}`]: `${bytes + 1}x200` },
      moments: never(alert, '60m'),
    },
  ];
}

const requests = (status: number) => `svc_api_requests_total{${target},method="GET",route="/x",status="${status}"}`;

const tests: readonly AlertTest[] = [
  {
    name: 'SvcApiErrorRate: one request in ten fails',
    series: { [requests(200)]: '0+90x120', [requests(500)]: '0+10x120' },
    moments: moments('SvcApiErrorRate', '5m', '7m', { severity: 'warning', namespace: 'svc-system' }),
  },
  {
    name: 'SvcApiErrorRate: one in a hundred fails, and refusals are no failures',
    series: { [requests(200)]: '0+49x120', [requests(409)]: '0+50x120', [requests(503)]: '0+1x120' },
    moments: never('SvcApiErrorRate', '60m'),
  },
  {
    name: 'SvcApiErrorRate: no request at all',
    series: { [requests(200)]: '0x120' },
    moments: never('SvcApiErrorRate', '60m'),
  },
  ...sizeTests('SvcConfigMapSizeWarning', 'svc_state_configmap_size_bytes', 819_200, 15, 'warning'),
  ...sizeTests('SvcConfigMapSizeCritical', 'svc_state_configmap_size_bytes', 900_000, 10, 'critical'),
  ...sizeTests('SvcParameterStoreSizeWarning', 'svc_parameter_store_size_bytes', 3_500, 15, 'warning'),
  ...sizeTests('SvcParameterStoreSizeCritical', 'svc_parameter_store_size_bytes', 3_900, 10, 'critical'),
  ...sizeTests('SvcPasskeyStoreSizeWarning', 'svc_passkey_store_size_bytes', 600_000, 15, 'warning'),
  {
    name: 'SvcReconciliationStalled: the last pass was at the start, two hours ago',
    series: steady('svc_reconcile_last_completed_timestamp_seconds', 0),
    moments: moments('SvcReconciliationStalled', '125m', '126m', { severity: 'warning', ...labels }),
  },
  {
    name: 'SvcReconciliationStalled: a pass every hour',
    series: { [`svc_reconcile_last_completed_timestamp_seconds{${target}}`]: '0x60 3600x60 7200x60 10800x60' },
    moments: never('SvcReconciliationStalled', '240m'),
  },
  {
    name: 'SvcConfigurationRefused: the changed configuration breaks a rule',
    series: steady('svc_config_refused', 1),
    moments: moments('SvcConfigurationRefused', '4m', '5m', { severity: 'warning', ...labels }),
  },
  {
    name: 'SvcConfigurationRefused: never, while the newest is in force',
    series: steady('svc_config_refused', 0),
    moments: never('SvcConfigurationRefused', '60m'),
  },
  {
    name: 'SvcNotActing: not before the license was checked for the first time',
    series: { [`svc_license_acts{${target}}`]: '_x30 1x60' },
    moments: [...never('SvcNotActing', '20m'), ...never('SvcNotActing', '60m')],
  },
  {
    name: 'SvcReconciliationStalled: no controller series in the namespace',
    series: { 'svc_reconcile_last_completed_timestamp_seconds{namespace="other"}': '0+60x120' },
    moments: moments('SvcReconciliationStalled', '4m', '5m', { severity: 'warning', namespace: 'svc-system' }),
  },
  {
    name: 'SvcScalingFailures: the first failure of a series that did not exist before',
    series: { [`svc_scaling_failures_total{${target},act="lower"}`]: '_x30 1x90' },
    moments: [
      ...moments('SvcScalingFailures', '34m', '35m', { severity: 'critical', namespace: 'svc-system', act: 'lower' }),
      ...never('SvcScalingFailures', '60m'),
    ],
  },
  {
    name: 'SvcScalingFailures: a further failure, and none for long',
    series: { [`svc_scaling_failures_total{${target},act="raise"}`]: '1x60 2x60' },
    moments: [
      ...never('SvcScalingFailures', '60m'),
      {
        at: '67m',
        alert: 'SvcScalingFailures',
        firing: [{ severity: 'critical', namespace: 'svc-system', act: 'raise' }],
      },
      ...never('SvcScalingFailures', '90m'),
    ],
  },
  {
    name: 'SvcLicenseExpiring: in thirty days and ten minutes, so soon within thirty',
    series: steady('svc_license_expiry_timestamp_seconds', 30 * day + 600),
    moments: moments('SvcLicenseExpiring', '15m', '17m', { severity: 'warning', ...labels }),
  },
  {
    name: 'SvcLicenseExpiring: no longer when it has expired, which is another alert',
    series: steady('svc_license_expiry_timestamp_seconds', 1_800),
    moments: [
      { at: '20m', alert: 'SvcLicenseExpiring', firing: [{ severity: 'warning', ...labels }] },
      ...never('SvcLicenseExpiring', '31m'),
    ],
  },
  {
    name: 'SvcLicenseExpiring: never, when it does not expire',
    series: steady('svc_license_expiry_timestamp_seconds', 0),
    moments: never('SvcLicenseExpiring', '60m'),
  },
  {
    name: 'SvcLicenseUnverified: a day after the last check that said licensed',
    series: {
      ...steady('svc_license_verdict', 1, ',verdict="unverified"'),
      ...steady('svc_license_last_licensed_timestamp_seconds', 0),
    },
    moments: moments('SvcLicenseUnverified', '1445m', '1446m', {
      severity: 'warning',
      verdict: 'unverified',
      ...labels,
    }),
  },
  {
    name: 'SvcLicenseUnverified: not while another verdict holds',
    series: {
      ...steady('svc_license_verdict', 0, ',verdict="unverified"'),
      ...steady('svc_license_verdict', 1, ',verdict="licensed"'),
      ...steady('svc_license_last_licensed_timestamp_seconds', 0),
    },
    moments: never('SvcLicenseUnverified', '2000m'),
  },
  {
    name: 'SvcNotActing: no verdict lets it act',
    series: steady('svc_license_acts', 0),
    moments: moments('SvcNotActing', '4m', '5m', { severity: 'warning', ...labels }),
  },
  {
    name: 'SvcNotActing: not for a stand-down, which somebody wanted',
    series: { ...steady('svc_license_acts', 1), ...steady('svc_acting', 0) },
    moments: never('SvcNotActing', '60m'),
  },
];

describe('the alert rules', () => {
  let rules: readonly Rule[];
  beforeAll(async () => {
    rules = inShort(await rulesOf());
  });

  it('are the twelve, each with its name, its time and its severity', () => {
    expect(rules.map((rule) => [rule.alert, rule.for, rule.labels['severity']])).toEqual([
      ['SvcApiErrorRate', '5m', 'warning'],
      ['SvcConfigMapSizeWarning', '15m', 'warning'],
      ['SvcConfigMapSizeCritical', '10m', 'critical'],
      ['SvcParameterStoreSizeWarning', '15m', 'warning'],
      ['SvcParameterStoreSizeCritical', '10m', 'critical'],
      ['SvcPasskeyStoreSizeWarning', '15m', 'warning'],
      ['SvcReconciliationStalled', '5m', 'warning'],
      ['SvcConfigurationRefused', '5m', 'warning'],
      ['SvcScalingFailures', '5m', 'critical'],
      ['SvcLicenseExpiring', '5m', 'warning'],
      ['SvcLicenseUnverified', '5m', 'warning'],
      ['SvcNotActing', '5m', 'warning'],
    ]);
    expect(rules.map((rule) => rule.alert)).toEqual(Object.keys(runbooks).map(alertName));
  });

  it('are valid', async () => {
    const result = await checkRules(await rulesOf());
    expect(result.stdout).toContain('SUCCESS: 12 rules found');
    expect(result.status).toBe(0);
  });

  it('fire when they should, after their time, and not otherwise', async () => {
    const tested = new Set(tests.flatMap(({ moments }) => moments.map(({ alert }) => alert)));
    expect([...tested].toSorted()).toEqual(rules.map((rule) => rule.alert).toSorted());
    const result = await testRules(rules, tests);
    expect(result.stdout + result.stderr).not.toContain('FAILED');
    expect(result.status).toBe(0);
  });

  it('take thresholds, times and switches from the values', async () => {
    const alerts = {
      notActing: { enabled: false },
      configMapSizeWarning: { thresholdBytes: 1_000_000, for: '1m', severity: 'page' },
    };
    const changed = await rulesOf({ alerts, alertExtraLabels: { team: 'a' }, alertExtraAnnotations: { wiki: 'b' } });
    expect(changed.map((rule) => rule.alert)).not.toContain('SvcNotActing');
    const size = changed.find((rule) => rule.alert === 'SvcConfigMapSizeWarning');
    expect(size?.expr).toBe('svc_state_configmap_size_bytes{namespace="svc-system"} > 1000000');
    expect(size?.for).toBe('1m');
    expect(size?.labels).toEqual({ severity: 'page', team: 'a' });
    expect(size?.annotations['wiki']).toBe('b');
  });

  it('call no controller stalled that looks twice a day because it was told to', async () => {
    const quiet = inShort(await rulesOf({}, { controller: { reconcileInterval: '12h' } }));
    const half = `svc_reconcile_last_completed_timestamp_seconds{${target}}`;
    const result = await testRules(quiet, [
      {
        name: 'a pass every twelve hours',
        series: { [half]: '0x720 43200x720 86400x720' },
        moments: never('SvcReconciliationStalled', '700m'),
      },
      {
        name: 'none for more than a day',
        series: { [half]: '0x1500' },
        moments: moments('SvcReconciliationStalled', '1445m', '1446m', { severity: 'warning', ...labels }),
      },
    ]);
    expect(result.stdout + result.stderr).not.toContain('FAILED');
  });

  it('can all be off', async () => {
    const off = Object.fromEntries(Object.keys(runbooks).map((key) => [key, { enabled: false }]));
    expect(await rulesOf({ alerts: off })).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('asks Prometheus nothing that it does not understand', async () => {
    const result = await checkExpressions(panels.map(({ expr }) => expr.replaceAll('$namespace', 'svc')));
    expect(result.stderr).toBe('');
    expect(result.stdout).toContain(`SUCCESS: ${panels.length} rules found`);
  });

  it('reaches the sidecar with the labels and the folder of the values', async () => {
    const dashboard = find(
      await render({ metrics: { grafanaDashboard: { enabled: true, folder: 'Operations', sidecarLabel: 'board' } } }),
      'ConfigMap',
      'svc-dashboard',
    );
    expect(dashboard.metadata.labels).toMatchObject({ board: '1' });
    expect(dashboard.metadata.annotations).toEqual({ grafana_folder: 'Operations' });
    const shown = JSON.parse((dashboard['data'] as Record<string, string>)['svc.json'] ?? '') as { panels: unknown[] };
    expect(shown.panels).toHaveLength(panels.length);
  });
});

describe('the series that rules and dashboard use', () => {
  const known = new Set(
    metricsTable.flatMap(({ name, type }) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );

  it('are all in the table of metrics', async () => {
    const expressions = [...(await rulesOf()).map((rule) => rule.expr), ...panels.map((panel) => panel.expr)];
    const used = new Set(expressions.flatMap((expression) => expression.match(/\bsvc_[a-z_]+/g) ?? []));
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
  });

  it('cover the table: what is measured is shown or alerted on', async () => {
    const text = [...(await rulesOf()).map((rule) => rule.expr), ...panels.map((panel) => panel.expr)].join('\n');
    const unused = metricsTable.map(({ name }) => name).filter((name) => !text.includes(name));
    expect(unused).toEqual(['svc_license_stop_timestamp_seconds']);
  });
});
