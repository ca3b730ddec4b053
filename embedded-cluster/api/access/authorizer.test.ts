import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../store/json-value.ts';
import { configMap, deployment, EmbeddedApiFixture, MERGE } from '../embedded-api-fixture.ts';
import { serviceAccountIdentity } from './bearer-tokens.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const BOB = serviceAccountIdentity('a', 'bob');
const AS_BOB = { as: BOB };

describe('RBAC', () => {
  let fixture: EmbeddedApiFixture;

  beforeEach(async () => {
    fixture = new EmbeddedApiFixture();
    await fixture.ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
    await fixture.ask('POST', '/apis/apps/v1/namespaces/x/deployments', deployment('web'));
    await fixture.ask('POST', '/api/v1/namespaces/x/configmaps', configMap('mine'));
  });

  const subjects = [{ kind: 'ServiceAccount', name: 'bob', namespace: 'a' }];
  const bind = async (scope: 'Role' | 'ClusterRole', rules: readonly JsonObject[]) => {
    const path = scope === 'Role' ? `${RBAC}/namespaces/x/` : `${RBAC}/`;
    await fixture.ask('POST', `${path}${scope.toLowerCase()}s`, { metadata: { name: 'r' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: scope, name: 'r' };
    await fixture.ask('POST', `${path}${scope.toLowerCase()}bindings`, { metadata: { name: 'rb' }, roleRef, subjects });
  };

  const refusals: Record<string, [path: string, message: string]> = {
    'a list of everything': [
      '/apis/apps/v1/deployments',
      'deployments.apps is forbidden: User "system:serviceaccount:a:bob" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
    'a list in a namespace': [
      '/api/v1/namespaces/x/pods',
      'pods is forbidden: User "system:serviceaccount:a:bob" cannot list resource "pods" in API group "" in the namespace "x"',
    ],
    'a watch': [
      '/api/v1/namespaces/x/pods?watch=true',
      'pods is forbidden: User "system:serviceaccount:a:bob" cannot watch resource "pods" in API group "" in the namespace "x"',
    ],
    'one object': [
      '/api/v1/namespaces/x/configmaps/mine',
      'configmaps "mine" is forbidden: User "system:serviceaccount:a:bob" cannot get resource "configmaps" in API group "" in the namespace "x"',
    ],
    'a subresource': [
      '/apis/apps/v1/namespaces/x/deployments/web/scale',
      'deployments.apps "web" is forbidden: User "system:serviceaccount:a:bob" cannot get resource "deployments/scale" in API group "apps" in the namespace "x"',
    ],
    'a namespace itself': [
      '/api/v1/namespaces/x',
      'namespaces "x" is forbidden: User "system:serviceaccount:a:bob" cannot get resource "namespaces" in API group "" in the namespace "x"',
    ],
    'a path': ['/metrics', 'forbidden: User "system:serviceaccount:a:bob" cannot get path "/metrics"'],
  };
  it.each(Object.entries(refusals))('refuses %s in the words of the apiserver', async (_, [path, message]) => {
    const answer = await fixture.ask('GET', path, undefined, AS_BOB);
    expect([answer.status, answer.body['reason'], answer.message]).toEqual([403, 'Forbidden', message]);
  });

  it('lets everybody who is somebody discover and ask about themselves', async () => {
    expect((await fixture.ask('GET', '/apis', undefined, AS_BOB)).status).toBe(200);
    const spec = { resourceAttributes: { namespace: 'x', verb: 'get', resource: 'configmaps' } };
    const ask = () => fixture.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec }, AS_BOB);
    expect((await ask()).body['status']).toEqual({ allowed: false });
    await bind('Role', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
    expect((await ask()).body['status']).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "rb/x" of Role "r" to ServiceAccount "bob/a"',
    });
  });

  it('keeps a role to its namespace, its verbs and its names', async () => {
    await bind('Role', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['mine'] }]);
    const status = async (path: string) => (await fixture.ask('GET', path, undefined, AS_BOB)).status;
    expect(await status('/api/v1/namespaces/x/configmaps/mine')).toBe(200);
    expect(await status('/api/v1/namespaces/x/configmaps/other')).toBe(403);
    expect(await status('/api/v1/namespaces/x/configmaps')).toBe(403);
    expect(await status('/api/v1/namespaces/default/configmaps/mine')).toBe(403);
  });

  it('takes a subresource for a resource of its own', async () => {
    await bind('ClusterRole', [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] }]);
    const patch = (path: string) => fixture.ask('PATCH', path, { spec: { replicas: 2 } }, { ...MERGE, ...AS_BOB });
    expect((await patch('/apis/apps/v1/namespaces/x/deployments/web/scale')).status).toBe(200);
    expect((await patch('/apis/apps/v1/namespaces/x/deployments/web')).status).toBe(403);
  });

  it('forgets what a deleted binding gave', async () => {
    await bind('ClusterRole', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
    expect((await fixture.ask('GET', '/api/v1/pods', undefined, AS_BOB)).status).toBe(200);
    await fixture.ask('DELETE', `${RBAC}/clusterrolebindings/rb`);
    expect((await fixture.ask('GET', '/api/v1/pods', undefined, AS_BOB)).status).toBe(403);
  });

  it('names a role that a binding refers to and that is not there', async () => {
    await bind('Role', []);
    await fixture.ask('DELETE', `${RBAC}/namespaces/x/roles/r`);
    const answer = await fixture.ask('GET', '/api/v1/namespaces/x/pods', undefined, AS_BOB);
    expect(answer.message).toMatch(/in the namespace "x": RBAC: role\.rbac\.authorization\.k8s\.io "r" not found$/);
  });
});
