import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseConfigText } from '../../src/config/parse-config-text.ts';
import { documentedValues, leafPaths } from '../../tools/generate/documented-values.ts';
import { chartFolder, find, render, renderText, smallestValues, type Values } from './harness/helm.ts';

const valuesText = readFileSync(join(chartFolder, 'values.yaml'), 'utf8');
const defaults = parse(valuesText) as Values;
const leaves = leafPaths(defaults);
const ours = leaves.filter((path) => !path.startsWith('config.'));

function at(path: string, value: unknown): Values {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Values;
}

function valueAt(path: string, values: unknown = defaults): unknown {
  return path.split('.').reduce<unknown>((place, key) => (place as Record<string, unknown>)[key], values);
}

function merged(one: unknown, other: unknown): unknown {
  const bothMaps = [one, other].every((it) => typeof it === 'object' && it !== null && !Array.isArray(it));
  if (!bothMaps) return other;
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return { ...a, ...Object.fromEntries(Object.entries(b).map(([key, value]) => [key, merged(a[key], value)])) };
}

/** Another value of the same kind, where any will do. */
function another(path: string, around: Values): unknown {
  const value = valueAt(path, merged(defaults, around));
  if (path in particular) return particular[path];
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 0 ? 1 : value + 1;
  if (typeof value === 'string') return `${value === '' ? 'x' : value}1`;
  throw new Error(`Say in \`particular\` what else ${path} may be.`);
}

const license = '-----BEGIN SVC LICENSE-----\nAAAA\n-----END SVC LICENSE-----\n';
const texts = { 'example.com/x': 'text' };
const contexts = ['api', 'controller', 'frontend'].flatMap((process) => [
  [`securityContext.${process}.capabilities.drop`, ['ALL', 'NET_RAW']],
  [`resources.${process}.requests.cpu`, '20m'],
  [`resources.${process}.requests.memory`, '64Mi'],
  [`resources.${process}.limits.memory`, '256Mi'],
]);
const alerts = Object.keys((valueAt('metrics.prometheusRule.alerts') ?? {}) as object);

/** What another value is, where it cannot be made up. */
const particular: Readonly<Record<string, unknown>> = {
  fullnameOverride: 'svc',
  nameOverride: 'sleep',
  'image.pullPolicy': 'Always',
  ...Object.fromEntries(
    ['api', 'controller', 'frontend', 'satellite'].map((name) => [`image.${name}.digest`, `sha256:${'a'.repeat(64)}`]),
  ),
  'secrets.jwtSecret': 'another-jwt-secret-for-tests-0123456',
  'secrets.internalApiSecret': 'another-internal-secret-for-tests-01',
  'global.imagePullSecrets': ['mine'],
  'externalWakeSecrets.secrets': [{ name: 'wake', keys: { hmac: '0123456789abcdef0123456789abcdef' } }],
  license,
  'podSecurityContext.seccompProfile.type': 'Localhost',
  affinity: { nodeAffinity: {} },
  nodeSelector: texts,
  tolerations: [{ operator: 'Exists' }],
  'satellite.imagePullSecrets': ['theirs'],
  'satellite.nodeSelector': texts,
  'satellite.tolerations': [{ operator: 'Exists' }],
  'satellite.affinity': { nodeAffinity: {} },
  podAnnotations: texts,
  podLabels: texts,
  'deploymentAnnotations.app': texts,
  'deploymentAnnotations.controller': texts,
  'deploymentLabels.app': texts,
  'deploymentLabels.controller': texts,
  extraEnvVars: [{ name: 'A', value: 'b' }],
  extraVolumes: [{ name: 'a', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'a', mountPath: '/a' }],
  'uninstall.timeout': '5m',
  'serviceAccount.api.annotations': texts,
  'serviceAccount.controller.annotations': texts,
  'service.type': 'NodePort',
  'service.api.port': 8888,
  'service.api.healthPort': 8889,
  'service.annotations': texts,
  'frontend.trustedProxies': ['private_ranges'],
  'networkPolicy.metricsFrom': [{ podSelector: {} }],
  'networkPolicy.egress': [{}],
  'metrics.serviceMonitor.additionalLabels': texts,
  'metrics.serviceMonitor.interval': '7s',
  'metrics.serviceMonitor.scrapeTimeout': '3s',
  'metrics.prometheusRule.additionalLabels': texts,
  'metrics.prometheusRule.alertExtraLabels': { team: 'x' },
  'metrics.prometheusRule.alertExtraAnnotations': { note: 'x' },
  'metrics.grafanaDashboard.annotations': texts,
  'metrics.grafanaDashboard.extraLabels': texts,
  'metrics.prometheusRule.alerts.apiErrorRate.thresholdPercent': 0.1,
  ...Object.fromEntries(alerts.map((alert) => [`metrics.prometheusRule.alerts.${alert}.for`, '7m'])),
  ...Object.fromEntries(contexts),
};

/** What must be on for a value to matter. */
const needed: Readonly<Record<string, Values>> = {
  nameOverride: { fullnameOverride: 'svc' },
  'namespace.name': { namespace: { create: true } },
  'image.satellite.': at('config.serviceRedirection.enabled', true),
  'satellite.': at('config.serviceRedirection.enabled', true),
  'satellite.createPullSecrets': { imagePullSecrets: { create: true, username: 'robot', password: 'token' } },
  imagePullSecrets: { imagePullSecrets: { create: true, username: 'robot', password: 'token' } },
  externalWakeSecrets: {
    externalWakeSecrets: { create: true, secrets: [{ name: 'a', keys: { k: '0123456789abcdef0123456789abcdef' } }] },
  },
  'tls.': { tls: { enabled: true, secretName: 'tls' } },
  'serviceAccount.api.create': { serviceAccount: { api: { name: 'mine' } } },
  'serviceAccount.controller.create': { serviceAccount: { controller: { name: 'mine' } } },
  'metrics.serviceMonitor': { metrics: { serviceMonitor: { enabled: true } } },
  'metrics.prometheusRule': { metrics: { prometheusRule: { enabled: true } } },
  'metrics.grafanaDashboard': { metrics: { grafanaDashboard: { enabled: true } } },
};

function surroundings(path: string): Values {
  const found = Object.entries(needed).filter(([prefix]) => path.startsWith(prefix));
  return found.reduce<unknown>((all, [, values]) => merged(all, values), {}) as Values;
}

const rendered = new Map<string, Promise<string>>();
function renderedOnce(values: Values): Promise<string> {
  const key = JSON.stringify(values);
  const text = rendered.get(key) ?? renderText(values);
  rendered.set(key, text);
  return text;
}

describe('every value of the chart', () => {
  it.each(ours.filter((path) => path !== 'fullnameOverride'))('%s changes what is rendered', async (path) => {
    const around = surroundings(path);
    const changed = merged(around, at(path, another(path, around))) as Values;
    const [before, after] = await Promise.all([renderedOnce(around), renderText(changed)]);
    expect(after).not.toBe(before);
  });

  it('fullnameOverride gives a release of another name the name svc', async () => {
    await expect(renderText({ fullnameOverride: 'svc' }, { release: 'other' })).resolves.toContain('name: svc-app');
    await expect(renderText({}, { release: 'other' })).rejects.toThrow('set fullnameOverride=svc');
  });

  it('is documented, by a comment of its own or of what it is part of', () => {
    const documented = new Set(documentedValues(valuesText).map(({ path }) => path));
    const undocumented = leaves.filter((leaf) => {
      const parts = leaf.split('.');
      return !parts.some((_, index) => documented.has(parts.slice(0, index + 1).join('.')));
    });
    expect(undocumented).toEqual([]);
  });
});

describe('the configuration', () => {
  let text: string;
  beforeAll(async () => {
    const configMap = find(await render(), 'ConfigMap', 'svc-config');
    text = (configMap['data'] as Record<string, string>)['config.yaml'] ?? '';
  });

  it('reaches the ConfigMap whole, every key with its value', () => {
    expect(parse(text)).toEqual(merged(defaults['config'], smallestValues['config']));
  });

  it('has the defaults of the service itself', () => {
    const rendered = parseConfigText(text);
    const least = parseConfigText(stringify(smallestValues['config']));
    expect(rendered).toEqual(least);
    expect(rendered.ok).toBe(true);
  });

  it('reaches the ConfigMap changed, every key of it', async () => {
    const paths = leaves.filter((path) => path.startsWith('config.'));
    const changed = paths.reduce<unknown>((all, path) => merged(all, at(path, changedConfig(path))), {}) as Values;
    const objects = await render(changed, { skipSchema: true });
    const data = find(objects, 'ConfigMap', 'svc-config')['data'] as Record<string, string>;
    expect(parse(data['config.yaml'] ?? '')).toEqual(changed['config']);
  });

  it('has bare on and off as words again', async () => {
    const schedule = { monday: true, sunday: false };
    const objects = await render({ config: { workingHours: { schedule } } });
    const data = find(objects, 'ConfigMap', 'svc-config')['data'] as Record<string, string>;
    const parsed = parseConfigText(data['config.yaml'] ?? '');
    expect(parsed.ok && parsed.config.workingHours.schedule.monday).toBe('on');
    expect(parsed.ok && parsed.config.workingHours.schedule.sunday).toBe('off');
  });
});

/** Any other value that the templates themselves take; the schema is another test's matter. */
function changedConfig(path: string): unknown {
  const value = valueAt(path);
  if (path === 'config.externalUrl' || path === 'config.internalUrl') return 'https://other.example.com';
  if (path.includes('.schedule.')) return '09:00-10:00';
  if (path === 'config.workingHours.timezone') return 'UTC';
  if (path === 'config.api.shutdownTimeout') return '31s';
  if (path === 'config.targeting.namespaces.exclude') return [{ exact: 'other' }];
  if (Array.isArray(value)) return [];
  if (typeof value === 'boolean') return path.endsWith('.enabled') ? false : !value;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'string' ? `${value}x` : value;
}
