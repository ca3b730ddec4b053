// What our accounts are let loose on: one of each kind, with fields to tamper with.

const labels = { app: 'web' };
const template = {
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
};
const metadata = (name: string) => ({ name, labels: { team: 'shop' }, annotations: { 'example.com/owner': 'shop' } });

export const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata('web'),
  spec: { replicas: 1, selector: { matchLabels: labels }, template },
};

export const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: metadata('db'),
  spec: { replicas: 1, serviceName: 'db', selector: { matchLabels: labels }, template },
};

export const cronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: metadata('report'),
  spec: {
    schedule: '0 0 1 1 *',
    jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
  },
};

export const service = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(name),
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
});

export const configMap = (name: string, data: Readonly<Record<string, string>> = { a: 'b' }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

export const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'credentials' },
  data: { password: 'c2VjcmV0' },
};

/** As the controller makes one: the image of the release, nothing else of note. */
export function satellite(image: string, changes: { pod?: object; container?: object; name?: string } = {}) {
  const selector = { 'svc.io/satellite': 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: changes.name ?? 'svc-satellite-web', labels: selector },
    spec: {
      replicas: 1,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          automountServiceAccountToken: false,
          containers: [
            { name: 'satellite', image, env: [{ name: 'SERVICE', value: 'web' }], ...(changes.container ?? {}) },
          ],
          ...(changes.pod ?? {}),
        },
      },
    },
  };
}
