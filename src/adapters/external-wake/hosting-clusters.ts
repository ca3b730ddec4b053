import type { Clock } from '../../ports/clock.ts';
import type { HostAnswer, HostingCluster, HostingClusters } from '../../ports/hosting-clusters.ts';
import type { Random } from '../../ports/random.ts';
import type { WebAnswer, WebClient } from '../../ports/web-client.ts';
import type { SharedKeys } from '../http-signatures/key-folder.ts';
import { keyIdOf, signRequest } from '../http-signatures/sign-request.ts';
import { trimmed } from '../http-signatures/trimmed-url.ts';

export interface PeerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Not limited to global addresses: hosting clusters are often on the same private network. */
  readonly web: WebClient;
  readonly keys: SharedKeys;
  /** `config.clusterName`: the name by which hosts know us. */
  clusterName(): string;
}

const path = '/api/v1/external-wake';

/** Asks hosting clusters over HTTP, each request signed with the key that is shared with that host. */
export class HttpHostingClusters implements HostingClusters {
  readonly #options: PeerOptions;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  async wake(host: HostingCluster, origins: readonly string[], signal: AbortSignal): Promise<HostAnswer> {
    try {
      const { resources = [] } = host;
      const body = JSON.stringify({ host: host.cluster, origins, ...(resources.length === 0 ? {} : { resources }) });
      return readAnswer(await this.#send('POST', host, body, signal));
    } catch (error) {
      return { outcome: 'unreachable', message: words(error) };
    }
  }

  async end(host: HostingCluster, signal: AbortSignal, session?: string): Promise<boolean> {
    try {
      const query = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
      return (await this.#send('DELETE', host, '', signal, query)).status < 500;
    } catch {
      return false;
    }
  }

  // biome-ignore lint/complexity/useMaxParams: the parts of one request, in their order.
  async #send(
    method: 'POST' | 'DELETE',
    host: HostingCluster,
    text: string,
    signal: AbortSignal,
    query = '',
  ): Promise<WebAnswer> {
    const { clock, random, web, keys, clusterName } = this.#options;
    const [key] = await keys.keys(host.secretRef);
    const url = `${trimmed(host.url)}${path}${query}`;
    const body = Buffer.from(text);
    const signature = signRequest({
      method,
      url,
      body,
      keyId: keyIdOf(clusterName()),
      key: key!,
      created: Math.floor(clock.now() / 1000),
      nonce: Buffer.from(random.bytes(18)).toString('base64url'),
      purpose: 'svc-external-wake',
    });
    const type = text === '' ? {} : { 'content-type': 'application/json' };
    return web.send({ method, url, headers: { accept: 'application/json', ...type, ...signature }, body }, signal);
  }
}

function readAnswer({ status, text, retryAfterMs }: WebAnswer): HostAnswer {
  const json = parsed(text);
  if (status === 200) {
    const { id, expiresAt: end } = (json['session'] ?? {}) as { readonly id?: unknown; readonly expiresAt?: unknown };
    const expiresAt = Date.parse(String(end));
    if (Number.isNaN(expiresAt)) return { outcome: 'unreachable', message: 'the answer is not that of this service' };
    const missing = json['notFound'];
    const notFound = Array.isArray(missing) ? missing.map((name) => String(name).slice(0, 300)).slice(0, 20) : [];
    const ready = json['ready'] !== false;
    const session = typeof id === 'string' ? { session: id } : {};
    return { outcome: 'awake', expiresAt, ready, ...session, ...(notFound.length === 0 ? {} : { notFound }) };
  }
  const said = typeof json['message'] === 'string' ? `: ${json['message'].slice(0, 200)}` : '';
  const message = `it answered ${status}${said}`;
  if (status >= 500 || status === 409 || status === 408) return { outcome: 'unreachable', message };
  return { outcome: 'refused', message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
