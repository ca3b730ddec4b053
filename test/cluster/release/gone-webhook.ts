import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import type { CustomObject, ResourceType } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { workloadTypes } from '../scenarios/workload-manifests.ts';

const webhooks: ResourceType<CustomObject> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  namespaced: false,
};

/** Which part of the cluster's own words says whose fault it was. */
export const goneWebhookWords = 'failed calling webhook "gate.example.com"';

/** A webhook that has to agree to every change of the Deployment, and whose backend is gone. The answer takes it away. */
export async function askGoneWebhook(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<() => Promise<void>> {
  const configuration = `gate-${randomBytes(4).toString('hex')}`;
  await client.create(webhooks, undefined, {
    metadata: { name: configuration },
    webhooks: [
      {
        name: 'gate.example.com',
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
        clientConfig: { url: `https://127.0.0.1:${await portOfNobody()}/admit` },
        rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments'] }],
        matchConditions: [
          { name: 'this-one', expression: `request.namespace == '${namespace}' && request.name == '${name}'` },
        ],
      },
    ],
  } as CustomObject);
  const asks = async () => {
    const body = { metadata: { labels: { tried: 'true' } } };
    const tried = client.patch(
      workloadTypes.Deployment,
      { namespace, name },
      { type: 'merge', body },
      { dryRun: true },
    );
    return tried.then(
      () => false,
      (error: unknown) => String(error).includes(goneWebhookWords),
    );
  };
  while (!(await asks())) await sleep(systemClock, 50);
  return async () => {
    await client.delete(webhooks, { name: configuration });
    while (await asks()) await sleep(systemClock, 50);
  };
}

/** Somebody listened there, and no longer does. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
