import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../../ports/clock.ts';
import { AccessError, type ClusterAccess } from './credential.ts';
import { TokenFile } from './token-file.ts';

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Names another folder with token, ca.crt and namespace: for a process that runs outside of a pod with a pod's identity. */
export const serviceAccountFolderVariable = 'SVC_SERVICE_ACCOUNT_FOLDER';

export interface InClusterSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

export function runsInCluster(env: InClusterSource['env']): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST'] && env['KUBERNETES_SERVICE_PORT']);
}

/** The access that a pod has through its service account. */
export async function inClusterAccess(source: InClusterSource): Promise<ClusterAccess> {
  const folder = source.env[serviceAccountFolderVariable] || serviceAccountFolder;
  const host = variable(source.env, 'KUBERNETES_SERVICE_HOST');
  const port = variable(source.env, 'KUBERNETES_SERVICE_PORT');
  const credential = new TokenFile(join(folder, 'token'), source.clock);
  await credential.current();
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca: await mounted(join(folder, 'ca.crt')),
    insecureSkipTlsVerify: false,
    credential,
    namespace: (await mounted(join(folder, 'namespace'))).trim(),
  };
}

function variable(env: InClusterSource['env'], name: string): string {
  const value = env[name];
  if (value) return value;
  throw new AccessError(
    `The environment variable ${name} is not set; in a pod the kubelet sets it to the apiserver's service.`,
  );
}

async function mounted(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccessError(`The service account file ${path} cannot be read: ${reason}`, { cause: error });
  }
}
