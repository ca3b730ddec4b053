import { describe, expect, it } from 'vitest';
import type { ResourceType } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { type KubeObject, resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { configMap, deployment } from './objects.ts';
import { eventually, refusal, type Subject } from './subject.ts';

const accounts: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};
interface RoleOrBinding extends KubeObject {
  readonly rules?: readonly object[];
  readonly subjects?: readonly object[];
  readonly roleRef?: object;
}
interface AccessReview extends KubeObject {
  readonly spec: { readonly resourceAttributes: object };
  readonly status?: { readonly allowed: boolean };
}
const rbac = (plural: string, kind: string, namespaced: boolean): ResourceType<RoleOrBinding> => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const roles = rbac('roles', 'Role', true);
const roleBindings = rbac('rolebindings', 'RoleBinding', true);

export function rbacCases(subject: () => Subject): void {
  const { configMaps, deployments } = resources;

  /** An account with these rules in its own namespace, and a client signed in as it. */
  async function account(rules: readonly object[]) {
    const namespace = await subject().namespace();
    const { client } = subject();
    await client.create(accounts, namespace, { metadata: { name: 'tester' } });
    await client.create(roles, namespace, { metadata: { name: 'tester' }, rules });
    await client.create(roleBindings, namespace, {
      metadata: { name: 'tester' },
      subjects: [{ kind: 'ServiceAccount', name: 'tester', namespace }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'tester' },
    });
    return {
      namespace,
      as: await subject().as(namespace, 'tester'),
      user: `system:serviceaccount:${namespace}:tester`,
    };
  }

  describe('a service account', () => {
    it('without a role is refused, in words, in a namespace', async () => {
      const { namespace, as, user } = await account([]);
      const error = await refusal(as.list(configMaps, { namespace }));
      expect([error.status, error.reason, error.message]).toEqual([
        403,
        'Forbidden',
        `configmaps is forbidden: User "${user}" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
      ]);
    });

    it('without a role is refused, in words, in the whole cluster', async () => {
      const { as, user } = await account([]);
      const error = await refusal(as.list(deployments));
      expect(error.message).toBe(
        `deployments.apps is forbidden: User "${user}" cannot list resource "deployments" in API group "apps" at the cluster scope`,
      );
    });

    it('is refused one object by its name', async () => {
      const { namespace, as, user } = await account([]);
      const error = await refusal(as.get(configMaps, { namespace, name: 'svc-state' }));
      expect(error.message).toBe(
        `configmaps "svc-state" is forbidden: User "${user}" cannot get resource "configmaps" in API group "" in the namespace "${namespace}"`,
      );
    });

    it('may do what its role says, and nothing else', async () => {
      const { namespace, as } = await account([
        { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get', 'list'] },
      ]);
      await eventually(
        () =>
          as.list(configMaps, { namespace }).then(
            () => true,
            () => false,
          ),
        (allowed) => allowed,
        10,
      );
      await as.create(configMaps, namespace, configMap('a'));
      expect((await refusal(as.delete(configMaps, { namespace, name: 'a' }))).status).toBe(403);
      expect((await refusal(as.list(deployments, { namespace }))).status).toBe(403);
    });

    it('may be bound to names', async () => {
      const { namespace, as } = await account([
        { apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get', 'patch'] },
      ]);
      await subject().client.create(configMaps, namespace, configMap('mine'));
      await subject().client.create(configMaps, namespace, configMap('theirs'));
      await eventually(
        () =>
          as.get(configMaps, { namespace, name: 'mine' }).then(
            () => true,
            () => false,
          ),
        (allowed) => allowed,
        10,
      );
      expect((await refusal(as.get(configMaps, { namespace, name: 'theirs' }))).status).toBe(403);
    });

    it('needs a verb of its own for a subresource', async () => {
      const { namespace, as, user } = await account([
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] },
      ]);
      await subject().client.create(deployments, namespace, deployment('web', 0));
      await eventually(
        () =>
          as.get(deployments, { namespace, name: 'web' }).then(
            () => true,
            () => false,
          ),
        (allowed) => allowed,
        10,
      );
      const scale = { type: 'merge', body: { spec: { replicas: 1 } } } as const;
      const error = await refusal(as.patch(deployments, { namespace, name: 'web' }, scale, { subresource: 'scale' }));
      expect(error.message).toBe(
        `deployments.apps "web" is forbidden: User "${user}" cannot patch resource "deployments/scale" in API group "apps" in the namespace "${namespace}"`,
      );
    });

    it('learns what it may do', async () => {
      const { namespace, as } = await account([{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
      const review: ResourceType<AccessReview> = {
        group: 'authorization.k8s.io',
        version: 'v1',
        plural: 'selfsubjectaccessreviews',
        kind: 'SelfSubjectAccessReview',
        namespaced: false,
      };
      const ask = async (verb: string) => {
        const resourceAttributes = { namespace, verb, resource: 'configmaps' };
        const answer = await as.create(review, undefined, { spec: { resourceAttributes } });
        return answer.status?.allowed ?? false;
      };
      await eventually(
        () => ask('get'),
        (allowed) => allowed,
        10,
      );
      expect(await ask('delete')).toBe(false);
    });
  });
}
