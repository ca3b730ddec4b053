import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { serveHttp } from '../../embedded-cluster/http/http-server.ts';
import { ApiStatusError } from '../../src/adapters/kubernetes/client/errors.ts';
import type { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { kubeconfigAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { cryptographicRandom } from '../../src/platform/random.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { type Identity, identity, withToken } from '../cluster/harness/cluster-clients.ts';
import { realCluster } from '../cluster/harness/real-cluster.ts';

/** A cluster under contract, reached over HTTPS like any other. */
export interface Subject {
  readonly name: string;
  readonly admin: Identity;
  readonly client: KubeClient;
  /** One exchange below the client: for paging tokens, watches and errors as they are on the wire. */
  readonly transport: Transport;
  /** An empty namespace of its own. */
  namespace(): Promise<string>;
  /** Signs in as a service account that exists. */
  as(namespace: string, account: string): Promise<KubeClient>;
  /** From here on the cluster no longer knows what happened before. */
  forgetOldVersions(): Promise<void>;
  close(): Promise<void>;
}

export async function embeddedSubject(): Promise<Subject> {
  const cluster = new EmbeddedCluster({ clock: systemClock, random: cryptographicRandom, nodeHeartbeatSeconds: 40 });
  cluster.start();
  const server = await serveHttp(cluster.api);
  const folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });
  const admin = identity(await kubeconfigAccess({ env: process.env, clock: systemClock, kubeconfig }));
  const close = async () => {
    await server.close();
    cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return subject('embedded', admin, async () => cluster.store.compact(), close);
}

export async function realSubject(): Promise<Subject> {
  const cluster = await realCluster();
  // A restarted apiserver starts with empty watch caches; a cluster that is not ours is old enough by itself.
  const forget = () => (process.env['TEST_KUBECONFIG'] ? Promise.resolve() : cluster.plane().restartApiserver());
  return subject('real', cluster.admin, forget, () => cluster.close());
}

function subject(
  name: string,
  admin: Identity,
  forgetOldVersions: () => Promise<void>,
  close: () => Promise<void>,
): Subject {
  const namespaces: string[] = [];
  return {
    name,
    admin,
    client: admin.client,
    transport: admin.transport,
    forgetOldVersions,
    async namespace() {
      const created = await admin.client.create(resources.namespaces, undefined, {
        metadata: { generateName: 'contract-' },
      });
      const made = created.metadata?.name ?? '';
      namespaces.push(made);
      return made;
    },
    async as(namespace, account) {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
      const body = JSON.stringify({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 3600 },
      });
      const answer = await exchange(admin.transport, 'POST', path, body);
      if (answer.status !== 201) throw new Error(`no token for ${account}: ${answer.text}`);
      const token = (answer.json as { status: { token: string } }).status.token;
      return identity(withToken(admin.access, token, namespace)).client;
    },
    async close() {
      for (const one of namespaces) await admin.client.delete(resources.namespaces, { name: one }).catch(() => {});
      await close();
    },
  };
}

export interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
}

/** One request with its whole answer, as it is on the wire. */
// biome-ignore lint/complexity/useMaxParams: in the order of a request: method, path, body.
export async function exchange(
  transport: Transport,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: string,
  contentType = 'application/json',
): Promise<Exchanged> {
  const response = await transport.send({
    method,
    path,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body }),
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body)
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** The refusal of a call that must be refused. */
export async function refusal(call: Promise<unknown>): Promise<ApiStatusError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiStatusError) return error;
    throw error;
  }
  throw new Error('the call was answered, and should have been refused');
}

/** Asks until the answer satisfies; a cluster moves by itself and tells nobody when it is done. */
export async function eventually<T>(ask: () => Promise<T>, holds: (value: T) => boolean, seconds = 30): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`not within ${seconds} s; last seen: ${JSON.stringify(value).slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
