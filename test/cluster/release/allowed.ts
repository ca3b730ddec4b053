import type { CustomObject, ResourceType } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import type { Right } from './chart-rights.ts';
import type { Release } from './release.ts';

const reviews: ResourceType<CustomObject> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
};

/** The apiserver learns of a changed role a moment later. */
export async function untilAllowed(release: Release, right: Right, allowed: boolean): Promise<void> {
  const user = `system:serviceaccount:${release.releaseNamespace}:svc-controller`;
  const namespace = right.role.kind === 'Role' ? right.role.metadata.namespace : '';
  const { group, resource, verb } = right;
  await release.until(`${resource} ${verb} is ${allowed ? 'allowed' : 'refused'}`, async () => {
    const spec = { user, resourceAttributes: { group, resource, verb, namespace } };
    const review = await release.client.create(reviews, undefined, { spec } as CustomObject);
    return review.status?.['allowed'] === allowed;
  });
}
