import type { SecretPlace } from '../domain/notification/destinations.ts';
import type { EpochMs } from '../domain/workload.ts';

/** An entry of `config.externalDependencies`. */
export interface HostingCluster {
  readonly cluster: string;
  readonly url: string;
  readonly secretRef: SecretPlace;
  readonly resources?: readonly { readonly namespace: string; readonly type?: string; readonly name?: string }[];
}

export type HostAnswer =
  /** It stays awake until then; `ready` once what was asked for is up. */
  | {
      readonly outcome: 'awake';
      readonly expiresAt: EpochMs;
      readonly ready: boolean;
      readonly session?: string;
      readonly notFound?: readonly string[];
    }
  /** It said no, in its own words; asking again soon will not help. */
  | { readonly outcome: 'refused'; readonly message: string; readonly retryAfterMs?: number }
  | { readonly outcome: 'unreachable'; readonly message: string };

/** The clusters that this one depends on. Nothing here rejects. */
export interface HostingClusters {
  /** Begins a session there, or prolongs the one we have. `origins`: the clusters with a reason of their own, we or others. */
  wake(host: HostingCluster, origins: readonly string[], signal: AbortSignal): Promise<HostAnswer>;
  /** Ends our sessions there, or the one that is named; false when no answer came. */
  end(host: HostingCluster, signal: AbortSignal, session?: string): Promise<boolean>;
}
