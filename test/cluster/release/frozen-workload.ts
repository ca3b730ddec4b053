import { randomBytes } from 'node:crypto';
import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import type { CustomObject, ResourceType } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { workloadTypes } from '../scenarios/workload-manifests.ts';

const place = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
const policies: ResourceType<CustomObject> = {
  ...place,
  plural: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
};
const bindings: ResourceType<CustomObject> = {
  ...place,
  plural: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
};

export interface Frozen {
  readonly kind?: keyof typeof workloadTypes;
  readonly namespace: string;
  readonly name: string;
}

/** Has the apiserver refuse every change of the workload with the message; the answer lets it go again. */
export async function freeze(
  client: KubeClient,
  { kind = 'Deployment', namespace, name }: Frozen,
  message: string,
): Promise<() => Promise<void>> {
  const type = workloadTypes[kind];
  const policyName = `frozen-${randomBytes(4).toString('hex')}`;
  await client.create(policies, undefined, {
    metadata: { name: policyName },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [type.group], apiVersions: [type.version], operations: ['UPDATE'], resources: [type.plural] },
        ],
      },
      matchConditions: [
        { name: 'this-one', expression: `request.namespace == '${namespace}' && request.name == '${name}'` },
      ],
      validations: [{ expression: 'false', message }],
    },
  });
  await client.create(bindings, undefined, {
    metadata: { name: policyName },
    spec: { policyName, validationActions: ['Deny'] },
  });
  const isFrozen = async () => {
    const body = { metadata: { labels: { tried: 'true' } } };
    const tried = client.patch(type, { namespace, name }, { type: 'merge', body }, { dryRun: true });
    return tried.then(
      () => false,
      (error: unknown) => String(error).includes(message),
    );
  };
  while (!(await isFrozen())) await sleep(systemClock, 50);
  return async () => {
    await client.delete(bindings, { name: policyName });
    await client.delete(policies, { name: policyName });
    while (await isFrozen()) await sleep(systemClock, 50);
  };
}
