import { readFile } from 'node:fs/promises';
import type { Clock } from '../../../ports/clock.ts';
import { AccessError, type ClusterAccess, type Credential, fixedCredential, type Proof } from './credential.ts';
import { ExecCredential, execApiVersions } from './exec-credential.ts';
import { type InClusterSource, inClusterAccess, runsInCluster } from './in-cluster.ts';
import { type Kubeconfig, kubeconfigPaths, type NamedEntry, readKubeconfig, resolvedPath } from './kubeconfig.ts';
import { TokenFile } from './token-file.ts';

export interface AccessSource extends InClusterSource {
  /** A kubeconfig to use, also inside a cluster. */
  readonly kubeconfig?: string;
  /** A context other than the current one. */
  readonly context?: string;
}

/** A kubeconfig that was named wins; then the service account of the pod; then the usual kubeconfig. */
export async function findAccess(source: AccessSource): Promise<ClusterAccess> {
  const named = source.kubeconfig || source.env['KUBECONFIG'];
  if (!named && runsInCluster(source.env)) return inClusterAccess(source);
  return kubeconfigAccess(source);
}

export async function kubeconfigAccess(source: AccessSource): Promise<ClusterAccess> {
  const config = await readKubeconfig(kubeconfigPaths(source.env, source.kubeconfig));
  const context = chosenContext(config, source.context);
  const where = `context ${context.name} of ${context.file}`;
  const cluster = entry(config, 'clusters', field(context, 'cluster'), where);
  const user = entry(config, 'users', field(context, 'user'), where);
  const server = field(cluster, 'server');
  if (!/^https?:\/\/./.test(server)) {
    throw new AccessError(
      `Cluster ${cluster.name} of ${cluster.file}: server must be a URL such as https://10.0.0.1:6443; it is ${JSON.stringify(server)}.`,
    );
  }
  if (field(cluster, 'proxy-url') !== '') {
    throw new AccessError(
      `Cluster ${cluster.name} of ${cluster.file}: proxy-url is not supported; reach the server directly.`,
    );
  }
  const ca = await dataOrFile(cluster, 'certificate-authority');
  const tlsServerName = field(cluster, 'tls-server-name');
  return {
    server,
    ...(ca === undefined ? {} : { ca }),
    insecureSkipTlsVerify: cluster.fields['insecure-skip-tls-verify'] === true,
    ...(tlsServerName === '' ? {} : { tlsServerName }),
    credential: await credentialOf(user, cluster, source.clock),
    namespace: field(context, 'namespace') || 'default',
  };
}

function chosenContext(config: Kubeconfig, wanted: string | undefined): NamedEntry {
  const name = wanted || config.currentContext;
  const files = config.files.join(', ');
  if (name === '') throw new AccessError(`The kubeconfig ${files} has no current-context; name a context.`);
  const found = config.contexts.find((context) => context.name === name);
  if (found !== undefined) return found;
  const known = config.contexts.map((context) => context.name).join(', ') || 'none';
  throw new AccessError(`There is no context ${name} in ${files}; it has ${known}.`);
}

function entry(config: Kubeconfig, list: 'clusters' | 'users', name: string, where: string): NamedEntry {
  const one = list.slice(0, -1);
  if (name === '') throw new AccessError(`The ${where} names no ${one}.`);
  const found = config[list].find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  throw new AccessError(`The ${where} names the ${one} ${name}, which is not in ${config.files.join(', ')}.`);
}

async function credentialOf(user: NamedEntry, cluster: NamedEntry, clock: Clock): Promise<Credential> {
  const cert = await dataOrFile(user, 'client-certificate');
  const key = await dataOrFile(user, 'client-key');
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? 'client-certificate' : 'client-key';
    throw new AccessError(
      `User ${user.name} of ${user.file}: ${missing} or ${missing}-data is missing; a certificate needs its key.`,
    );
  }
  const certificate = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  const token = field(user, 'token');
  const tokenFile = field(user, 'tokenFile');
  if (user.fields['exec'] != null) return execCredential(user, cluster, clock);
  if (tokenFile !== '') return new TokenFile(resolvedPath(tokenFile, user.file), clock, certificate);
  const proof: Proof = { ...(token === '' ? {} : { token }), ...(certificate === undefined ? {} : { certificate }) };
  if (user.fields['auth-provider'] != null && token === '' && certificate === undefined) {
    throw new AccessError(`User ${user.name} of ${user.file}: auth-provider was removed from Kubernetes; use exec.`);
  }
  return fixedCredential(proof);
}

function execCredential(user: NamedEntry, cluster: NamedEntry, clock: Clock): Credential {
  const exec = user.fields['exec'] as Readonly<Record<string, unknown>>;
  const where = `User ${user.name} of ${user.file}: exec`;
  const apiVersion = String(exec['apiVersion'] ?? '');
  if (!execApiVersions.includes(apiVersion)) {
    throw new AccessError(
      `${where}.apiVersion must be one of ${execApiVersions.join(', ')}; it is ${JSON.stringify(apiVersion)}.`,
    );
  }
  const command = String(exec['command'] ?? '');
  if (command === '') throw new AccessError(`${where}.command is missing.`);
  if (exec['interactiveMode'] === 'Always') {
    throw new AccessError(`${where}.interactiveMode is Always, but there is nobody to ask; use IfAvailable or Never.`);
  }
  const variables = (exec['env'] ?? []) as readonly { name: string; value: string }[];
  return new ExecCredential(
    {
      apiVersion,
      // A command with a folder in it is relative to the kubeconfig; a bare name is looked up in PATH.
      command: command.includes('/') ? resolvedPath(command, user.file) : command,
      args: ((exec['args'] ?? []) as readonly unknown[]).map(String),
      env: Object.fromEntries(variables.map(({ name, value }) => [name, String(value)])),
      user: user.name,
      ...(typeof exec['installHint'] === 'string' ? { installHint: exec['installHint'] } : {}),
      ...(exec['provideClusterInfo'] === true ? { cluster: cluster.fields } : {}),
    },
    clock,
  );
}

/** `<name>-data` holds base64 of what the file `<name>` would hold, and wins over it. */
async function dataOrFile(owner: NamedEntry, name: string): Promise<string | undefined> {
  const data = field(owner, `${name}-data`);
  if (data !== '') return Buffer.from(data, 'base64').toString();
  const path = field(owner, name);
  if (path === '') return undefined;
  const file = resolvedPath(path, owner.file);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccessError(`${owner.name} of ${owner.file}: ${name} ${file} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

function field(owner: NamedEntry, name: string): string {
  const value = owner.fields[name];
  return typeof value === 'string' ? value : '';
}
