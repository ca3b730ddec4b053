import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { CronJob } from 'kubernetes-types/batch/v1.d.ts';
import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';

const podTemplate = (name: string, annotations: Record<string, string> = {}) => ({
  metadata: { labels: { app: name }, annotations },
  spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'main', image: 'example.com/app:1' }] },
});

export function deployment(name: string, replicas: number, annotations: Record<string, string> = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name, annotations) },
  };
}

export function statefulSet(name: string, replicas: number, annotations: Record<string, string> = {}): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, labels: { app: name } },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, annotations),
    },
  };
}

export function cronJob(name: string, schedule: string, suspend = false): CronJob {
  const template = podTemplate(name, { 'sim.svc.io/run-seconds': '1' });
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: {
      schedule,
      suspend,
      jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  };
}

export function configMap(
  name: string,
  data: Record<string, string> = {},
  labels: Record<string, string> = {},
): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data };
}
