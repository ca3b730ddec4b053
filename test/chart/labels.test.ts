import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { provision } from '../../tools/provision/provision.ts';
import { runCommand } from '../../tools/provision/run-command.ts';
import { find, parseObjects, type Rendered, renderText } from './harness/helm.ts';

/** Labels that the chart sets too; a user's own value takes their place. */
const labels = {
  'app.kubernetes.io/part-of': 'platform',
  'app.kubernetes.io/managed-by': 'flux',
  'app.kubernetes.io/version': '7',
  'helm.sh/chart': 'ours',
  team: 'a',
};

const everywhere = {
  podLabels: labels,
  deploymentLabels: { app: labels, controller: labels },
  metrics: {
    serviceMonitor: { enabled: true, additionalLabels: labels },
    prometheusRule: { enabled: true, additionalLabels: labels },
    grafanaDashboard: { enabled: true, extraLabels: labels },
  },
};

const podLabels = (object: Rendered) =>
  (object['spec'] as { template: { metadata: { labels: Record<string, string> } } }).template.metadata.labels;

describe('labels of the values', () => {
  it('take the place of ours, and no key is there twice', async () => {
    const text = await renderText(everywhere);
    expect(parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message))).toEqual([]);
    const objects = parseObjects(text);
    for (const [kind, name] of [
      ['Deployment', 'svc-app'],
      ['Deployment', 'svc-controller'],
      ['ServiceMonitor', 'svc'],
      ['PrometheusRule', 'svc'],
      ['ConfigMap', 'svc-dashboard'],
    ] as const) {
      expect(find(objects, kind, name).metadata.labels).toMatchObject(labels);
    }
  });

  it('leave what selectors and the node-autoscaler protection stand on', async () => {
    const objects = parseObjects(await renderText(everywhere));
    for (const component of ['app', 'controller']) {
      const deployment = find(objects, 'Deployment', `svc-${component}`);
      const { selector } = deployment['spec'] as { selector: { matchLabels: Record<string, string> } };
      expect(podLabels(deployment)).toMatchObject({ ...labels, ...selector.matchLabels, 'svc.io/part-of': 'svc' });
    }
  });

  it('stay text for a release whose name looks like a number', async () => {
    const [app] = parseObjects(await renderText({ fullnameOverride: 'svc' }, { release: '123' })).filter(
      ({ kind }) => kind === 'Deployment',
    );
    expect(podLabels(app!)['app.kubernetes.io/instance']).toBe('123');
  });

  it('leave a render that kubectl kustomize takes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-kustomize-'));
    try {
      writeFileSync(join(folder, 'svc.yaml'), await renderText(everywhere));
      writeFileSync(join(folder, 'kustomization.yaml'), 'resources: [svc.yaml]\n');
      const { kubectl } = await provision('controlplane');
      const result = await runCommand(kubectl, ['kustomize', folder]);
      expect([result.stderr, result.status]).toEqual(['', 0]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
