import { readFileSync } from 'node:fs';
import { isNotFound } from '../../src/adapters/kubernetes/client/errors.ts';
import type { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import type { CustomObject, ResourceType } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import type { Identity } from '../../test/cluster/harness/cluster-clients.ts';
import { type ServiceAccountIdentity, serviceAccountIdentity } from '../../test/cluster/harness/service-account.ts';
import { ask } from '../../tools/cluster/apiserver-request.ts';
import type { ClusterConnection } from '../../tools/cluster/control-plane.ts';
import { type Calls, parseCalls, schemaName, type Verb, verbs } from './calls.ts';

const type = (group: string, plural: string, kind: string, namespaced = false): ResourceType<CustomObject> => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const flowSchemas = type('flowcontrol.apiserver.k8s.io', 'flowschemas', 'FlowSchema');
const bindings = type('rbac.authorization.k8s.io', 'clusterrolebindings', 'ClusterRoleBinding');
const accounts = type('', 'serviceaccounts', 'ServiceAccount', true);

/** Where the accounts of the callers are. */
export const callersNamespace = 'bench-callers';

/**
 * A service account that may do everything, whose calls the apiserver counts apart. They are exempt from its queues, as an
 * administrator's are: what is measured is the caller.
 */
export class Caller {
  readonly name: string;
  readonly namespace: string;
  readonly #admin: Identity;
  readonly #plane: ClusterConnection;

  private constructor(plane: ClusterConnection, admin: Identity, at: { name: string; namespace: string }) {
    this.#plane = plane;
    this.#admin = admin;
    this.name = at.name;
    this.namespace = at.namespace;
  }

  static async admit(plane: ClusterConnection, admin: Identity, at: { name: string; namespace: string }) {
    const { client } = admin;
    const subject = { kind: 'ServiceAccount', ...at };
    await needNamespace(client, at.namespace);
    await client.create(accounts, at.namespace, { metadata: { name: at.name } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    const binding = { metadata: { name: `bench-${at.name}` }, roleRef, subjects: [subject] };
    await client.create(bindings, undefined, binding);
    await Promise.all(verbs.map((verb) => client.create(flowSchemas, undefined, flowSchema(at, verb))));
    await Promise.all(verbs.map((verb) => inForce(client, schemaName(at.name, verb))));
    return new Caller(plane, admin, at);
  }

  /** A token of its own, and the files that a pod would have. */
  account(expirationSeconds: number): Promise<ServiceAccountIdentity> {
    return serviceAccountIdentity(this.#admin, this.namespace, this.name, expirationSeconds);
  }

  /** Since the apiserver started. */
  async calls(): Promise<Calls> {
    const { url, caFile, adminToken: token } = this.#plane;
    const answer = await ask({ url: `${url}/metrics`, ca: readFileSync(caFile, 'utf8'), token });
    if (answer?.status !== 200) throw new Error(`The apiserver's /metrics answered ${answer?.status ?? 'nothing'}.`);
    return parseCalls(answer.body, this.name);
  }
}

async function needNamespace(client: KubeClient, name: string): Promise<void> {
  try {
    await client.get(resources.namespaces, { name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(resources.namespaces, undefined, { metadata: { name } });
  }
}

function flowSchema(serviceAccount: { readonly name: string; readonly namespace: string }, verb: Verb): CustomObject {
  const everything = { apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
  const rules =
    verb === 'other'
      ? { nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }
      : { resourceRules: [{ verbs: verb === 'delete' ? ['delete', 'deletecollection'] : [verb], ...everything }] };
  return {
    metadata: { name: schemaName(serviceAccount.name, verb) },
    spec: {
      // Before those that the apiserver has of its own, but for the one of administrators.
      matchingPrecedence: 5,
      priorityLevelConfiguration: { name: 'exempt' },
      rules: [{ subjects: [{ kind: 'ServiceAccount', serviceAccount }], ...rules }],
    },
  };
}

/** The apiserver says of a schema that it leads somewhere in the same step in which it begins to use it. */
async function inForce(client: KubeClient, name: string): Promise<void> {
  for (;;) {
    const { status } = await client.get(flowSchemas, { name });
    const conditions = (status?.['conditions'] ?? []) as readonly { type: string; status: string }[];
    if (conditions.some((one) => one.type === 'Dangling' && one.status === 'False')) return;
    await sleep(systemClock, 100);
  }
}
