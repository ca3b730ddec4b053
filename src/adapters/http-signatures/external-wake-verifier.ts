import type { Config } from '../../config/config.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SharedKeys } from './key-folder.ts';
import { ReplayGuard } from './replay-guard.ts';
import { trimmed } from './trimmed-url.ts';

export interface SignedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Uint8Array;
}

export type Verified =
  | { readonly ok: true; readonly cluster: string }
  | { readonly ok: false; readonly reason: string };

export interface VerifierOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: SharedKeys;
  config(): Config;
}

type AuthorizedCluster = Config['externalWake']['clusters'][number];

const largestBody = 64 * 1024;
/** Stands in for the key of a cluster that we do not know, so that both take the same time. */
const noKey = new Uint8Array(32);

/** Tells which of the clusters in `config.externalWake.clusters` signed a request, if one did. */
export class ExternalWakeRequests {
  readonly #options: VerifierOptions;
  readonly #guard: ReplayGuard;

  constructor(options: VerifierOptions) {
    this.#options = options;
    this.#guard = new ReplayGuard({ clock: options.clock });
  }

  async verify(request: SignedRequest): Promise<Verified> {
    const verified = await this.#judge(request);
    if (!verified.ok)
      this.#options.logger.info('A wake request of another cluster was refused', { why: verified.reason });
    return verified;
  }

  async #judge(request: SignedRequest): Promise<Verified> {
    if (request.rawBody.length > largestBody) return refuse('its body is too large');
    // Most installations are never asked by another cluster: what reads signatures is loaded by the first that asks.
    const [{ keyIdOf }, { isSignedBy, readClaim }] = await Promise.all([
      import('./sign-request.ts'),
      import('./signed-request.ts'),
    ]);
    const read = readClaim(request.headers, 'svc-external-wake');
    if (!read.ok) return refuse(read.reason);
    const { claim } = read;
    const cluster = this.#options.config().externalWake.clusters.find(({ name }) => keyIdOf(name) === claim.keyId);
    const keys = cluster === undefined ? undefined : await this.#keysOf(cluster);
    // From here on nothing waits, so that two copies of a request cannot both be the first.
    const received = { ...request, targetUris: this.#ownUris(request.target) };
    const good = isSignedBy(claim, received, keys ?? [noKey]);
    if (cluster === undefined || keys === undefined)
      return refuse('no cluster of that name may ask, or its key cannot be read');
    if (!good) return refuse('the signature does not match the request');
    const admission = this.#guard.admit(claim);
    return admission.ok ? { ok: true, cluster: cluster.name } : refuse(admission.reason);
  }

  async #keysOf({ name, secretRef }: AuthorizedCluster): Promise<readonly Uint8Array[] | undefined> {
    try {
      return await this.#options.keys.keys(secretRef);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.logger.warn('The shared key of a cluster cannot be read', { cluster: name, why });
      return undefined;
    }
  }

  /** Under our own addresses only: the Host header is whatever the sender makes it. */
  #ownUris(target: string): readonly string[] {
    const { externalUrl, internalUrl } = this.#options.config();
    return [...new Set([externalUrl, internalUrl])]
      .filter((url) => url !== '')
      .map((url) => `${trimmed(url)}${target}`);
  }
}

function refuse(reason: string): Verified {
  return { ok: false, reason };
}
