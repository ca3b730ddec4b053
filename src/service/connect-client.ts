import { KubeClient } from '../adapters/kubernetes/client/kube-client.ts';
import { type Rate, TokenBucket } from '../adapters/kubernetes/client/token-bucket.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Transport } from '../ports/transport.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** As the apiserver knows us: user agent and field manager. */
  readonly account: string;
  readonly requestTimeoutMs: number;
}

/** The one way to the apiserver, for the service and for what asks before or without it. */
export function connectClient(options: ClientOptions, rate: Rate): { client: KubeClient; limiter: TokenBucket } {
  const { account, clock, ...others } = options;
  const limiter = new TokenBucket(clock, rate);
  return { client: new KubeClient({ ...others, clock, limiter, userAgent: account, fieldManager: account }), limiter };
}
