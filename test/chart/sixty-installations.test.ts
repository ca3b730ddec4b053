import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { satelliteSettingsFrom } from '../../src/controller/beside/satellite-settings.ts';
import { satelliteManifest } from '../../src/domain/redirect/satellite-manifest.ts';
import type { Service } from '../../src/domain/redirect/service.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { goodConfig } from '../support/builders/config.ts';
import { ask } from './harness/account-request.ts';
import { find, podsOf, type Rendered, render, type Values } from './harness/helm.ts';
import { type AlertTest, type Rule, testRules } from './harness/promtool.ts';
import { defineMonitoring, refusedByTheCluster, refusedPods } from './harness/strict-apply.ts';
import { type Installation, installations } from './installations.ts';

const folder = join(import.meta.dirname, 'values');
const reviewed = readdirSync(folder).map((file): [string, Installation] => [
  file,
  { values: parse(readFileSync(join(folder, file), 'utf8')) as Values },
]);
const all = [...Object.entries(installations), ...reviewed];

let cluster: RealCluster;
let namespace: string;
const made: string[] = [];
let undefine: () => Promise<void>;
/** Those that the values name, beside that of the release. */
const named = ['shop', 'crm', 'sleeping', 'monitoring'];

beforeAll(async () => {
  cluster = await realCluster();
  namespace = await cluster.namespace('svc', { 'pod-security.kubernetes.io/enforce': 'restricted' });
  for (const name of named) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const { status } = await ask(cluster.admin, 'POST', '/api/v1/namespaces', body);
    if (status === 201) made.push(name);
  }
  undefine = await defineMonitoring(cluster.admin);
});

afterAll(async () => {
  await undefine?.();
  for (const name of made) await ask(cluster.admin, 'DELETE', `/api/v1/namespaces/${name}`);
  await cluster?.close();
});

function rendered({ values, apiVersions = [] }: Installation, more: Values = {}): Promise<readonly Rendered[]> {
  const { metrics, ...rest } = values as { readonly metrics?: Readonly<Record<string, object>> };
  const both = { ...rest, metrics: { ...metrics, ...(more['metrics'] as object | undefined) } };
  return render(both, { namespace, apiVersions });
}

/** The satellite that the controller would make with what it is told. */
function satellitePods(objects: readonly Rendered[]): readonly object[] {
  const { template } = find(objects, 'Deployment', 'svc-controller')['spec'] as {
    template: { spec: { containers: [{ env: readonly { name: string; value?: string }[] }] } };
  };
  const [{ env }] = template.spec.containers;
  const config = goodConfig({ clusterName: 'dev', externalUrl: 'https://svc.example.com' });
  const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const settings = satelliteSettingsFrom(given)(config);
  if (settings === undefined) return [];
  const service: Service = {
    namespace: 'shop',
    name: 'web',
    uid: 'u',
    resourceVersion: '1',
    type: 'ClusterIP',
    selector: { app: 'web' },
    annotations: {},
    labels: {},
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    deleting: false,
  };
  return [
    (satelliteManifest(service, settings).spec as { readonly template: { readonly spec: object } }).template.spec,
  ];
}

describe('sixty installations', () => {
  it('are sixty', () => {
    expect(all).toHaveLength(60);
  });

  it.concurrent.each(all)(
    '%s: the cluster takes every object strictly, and every pod where restricted is enforced',
    async (_, installation) => {
      const objects = await rendered(installation);
      const pods = [...podsOf(objects), ...satellitePods(objects)];
      expect(await refusedByTheCluster(cluster.admin, objects)).toEqual([]);
      expect(await refusedPods(cluster.admin, namespace, pods)).toEqual([]);
    },
  );

  it.concurrent.each(all)('%s: no alert on a good day, and each of them on a bad one', async (_, installation) => {
    const prometheusRule = {
      ...(installation.values['metrics'] as { prometheusRule?: object })?.prometheusRule,
      enabled: true,
    };
    const objects = await rendered(installation, { metrics: { prometheusRule } });
    const { groups } = find(objects, 'PrometheusRule', 'svc')['spec'] as { groups: [{ rules: readonly Rule[] }] };
    const rules = groups[0].rules.map((rule) => ({ ...rule, annotations: {} }));
    const where = find(objects, 'PrometheusRule', 'svc').metadata.namespace ?? '';
    const result = await daysOf(rules, where);
    expect(result.stdout + result.stderr).not.toContain('FAILED');
    expect(result.status).toBe(0);
  });
});

const days = new Map<string, ReturnType<typeof testRules>>();

/** Many installations have the same rules, and Prometheus needs seconds for two days of them. */
function daysOf(rules: readonly Rule[], where: string): ReturnType<typeof testRules> {
  const key = JSON.stringify([rules, where]);
  const running = days.get(key) ?? testRules(rules, [goodDay(rules, where), badDay(rules, where)], '5m');
  days.set(key, running);
  return running;
}

const day = 86_400;
const length = 1_620;

/** More than a day of a release that is well; its license was checked some time after its start. */
function goodDay(rules: readonly Rule[], where: string): AlertTest {
  const of = (name: string, more = '') => `${name}{namespace="${where}",pod="p"${more}}`;
  return {
    name: 'a good day',
    series: {
      [of('svc_api_requests_total', ',status="200"')]: `0+90x${length}`,
      [of('svc_api_requests_total', ',status="503"')]: `0+1x${length}`,
      [of('svc_state_configmap_size_bytes')]: `4000x${length}`,
      [of('svc_parameter_store_size_bytes', ',parameter="a"')]: `900x${length}`,
      [of('svc_passkey_store_size_bytes')]: `900x${length}`,
      // As rarely as any of these configurations lets it look.
      [of('svc_reconcile_last_completed_timestamp_seconds')]: passes(60),
      [of('svc_config_refused')]: `0x${length}`,
      [of('svc_license_acts')]: `_x10 1x${length}`,
      [of('svc_license_expiry_timestamp_seconds')]: `${100 * day}x${length}`,
      [of('svc_license_verdict', ',verdict="unverified"')]: `0x${length}`,
      [of('svc_license_last_licensed_timestamp_seconds')]: `0+60x${length}`,
    },
    moments: rules.flatMap(({ alert }) =>
      ['10m', '30m', '700m', '1500m', '1600m'].map((at) => ({ at, alert, firing: [] })),
    ),
  };
}

/** A pass every so many minutes. */
function passes(minutes: number): string {
  return Array.from({ length: length / minutes }, (_, index) => `${index * minutes * 60}x${minutes - 1}`).join(' ');
}

interface Trouble {
  readonly series: Readonly<Record<string, string>>;
  /** What its series leave on the alert. */
  readonly labels: Readonly<Record<string, string>>;
}

const ofPod = (...series: readonly (readonly [string, number])[]): Trouble => ({
  series: Object.fromEntries(series.map(([name, value]) => [`${name}{pod="p"}`, `${value}x${length}`])),
  labels: { pod: 'p' },
});
const full = 1_048_576;
const unverified = ofPod(['svc_license_last_licensed_timestamp_seconds', 0]);

/** What makes each alert fire. */
const troubles: Readonly<Record<string, Trouble>> = {
  SvcApiErrorRate: { series: { 'svc_api_requests_total{status="500"}': `0+9x${length}` }, labels: {} },
  SvcConfigMapSizeWarning: ofPod(['svc_state_configmap_size_bytes', full]),
  SvcConfigMapSizeCritical: ofPod(['svc_state_configmap_size_bytes', full]),
  SvcParameterStoreSizeWarning: ofPod(['svc_parameter_store_size_bytes', full]),
  SvcParameterStoreSizeCritical: ofPod(['svc_parameter_store_size_bytes', full]),
  SvcPasskeyStoreSizeWarning: ofPod(['svc_passkey_store_size_bytes', full]),
  SvcReconciliationStalled: ofPod(['svc_reconcile_last_completed_timestamp_seconds', 0]),
  SvcConfigurationRefused: ofPod(['svc_config_refused', 1]),
  SvcScalingFailures: {
    series: { 'svc_scaling_failures_total{act="lower"}': `0+1x${length}` },
    labels: { act: 'lower' },
  },
  SvcLicenseExpiring: ofPod(['svc_license_expiry_timestamp_seconds', 20 * day]),
  SvcLicenseUnverified: {
    series: { ...unverified.series, 'svc_license_verdict{pod="p",verdict="unverified"}': `1x${length}` },
    labels: { ...unverified.labels, verdict: 'unverified' },
  },
  SvcNotActing: ofPod(['svc_license_acts', 0]),
};

/** Everything is wrong for more than a day. */
function badDay(rules: readonly Rule[], where: string): AlertTest {
  const series = Object.values(troubles).flatMap((trouble) => Object.entries(trouble.series));
  return {
    name: 'a bad day',
    series: Object.fromEntries(series.map(([name, text]) => [name.replace('{', `{namespace="${where}",`), text])),
    moments: rules.map(({ alert, labels }) => {
      const firing = [{ ...troubles[alert]?.labels, ...labels, namespace: where }];
      return { at: `${length - 20}m`, alert, firing };
    }),
  };
}
