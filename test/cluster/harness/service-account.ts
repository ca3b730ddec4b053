import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceAccountFolderVariable } from '../../../src/adapters/kubernetes/transport/in-cluster.ts';
import { kubeconfigText } from '../../../tools/cluster/kubeconfig.ts';
import { type Identity, identity, withToken } from './cluster-clients.ts';

/** A service account as a pod would use it. */
export interface ServiceAccountIdentity extends Identity {
  readonly token: string;
  readonly kubeconfig: string;
  /** Holds token, ca.crt and namespace, as a pod has them mounted. */
  readonly folder: string;
  /** What makes a process outside of the cluster believe that it is a pod with this account. */
  readonly podEnvironment: Readonly<Record<string, string>>;
}

interface TokenRequest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: { readonly expirationSeconds: number };
  readonly status?: { readonly token: string };
}

/** Asks the cluster for a token of an account that exists; 600 seconds is the shortest that an apiserver grants. */
export async function serviceAccountIdentity(
  admin: Identity,
  namespace: string,
  name: string,
  expirationSeconds = 3600,
): Promise<ServiceAccountIdentity> {
  const token = await requestToken(admin, namespace, name, expirationSeconds);
  const folder = await mkdtemp(join(tmpdir(), 'svc-account-'));
  const ca = admin.access.ca ?? '';
  const server = new URL(admin.access.server);
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(join(folder, 'token'), token, { mode: 0o600 });
  await writeFile(join(folder, 'ca.crt'), ca);
  await writeFile(join(folder, 'namespace'), namespace);
  const authority = ca === '' ? {} : { certificateAuthority: ca };
  await writeFile(kubeconfig, kubeconfigText({ name, server: admin.access.server, ...authority, token, namespace }), {
    mode: 0o600,
  });
  return {
    ...identity(withToken(admin.access, token, namespace)),
    token,
    kubeconfig,
    folder,
    podEnvironment: {
      KUBERNETES_SERVICE_HOST: server.hostname,
      KUBERNETES_SERVICE_PORT: server.port,
      [serviceAccountFolderVariable]: folder,
    },
  };
}

async function requestToken(admin: Identity, namespace: string, name: string, seconds: number): Promise<string> {
  const tokens = {
    group: '',
    version: 'v1',
    plural: `serviceaccounts/${name}/token`,
    kind: 'TokenRequest',
    namespaced: true,
  } as const;
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: seconds },
  };
  const answer = await admin.client.create<TokenRequest>(tokens, namespace, request);
  if (answer.status === undefined) throw new Error(`the cluster gave no token for ${namespace}/${name}`);
  return answer.status.token;
}
