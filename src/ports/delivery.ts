import type { Destination } from '../domain/notification/destinations.ts';
import type { Message } from '../domain/notification/message.ts';

/** One request to a destination. Rejects with `DeliveryFailure`, or anything else for a failure that may pass. */
export type Shipment = (signal: AbortSignal) => Promise<void>;

export interface DeliveryChannel {
  /** What has to be sent, in this order, so that the destination has the whole message: a long list needs several. */
  shipments(destination: Destination, message: Message): readonly Shipment[];
}

/** Why a shipment was not taken, in words that carry no address and no secret. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure';
  /** Trying again would end the same. */
  readonly permanent: boolean;
  /** The destination's own wish. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, more: { readonly permanent?: boolean; readonly retryAfterMs?: number } = {}) {
    super(message);
    this.permanent = more.permanent ?? false;
    this.retryAfterMs = more.retryAfterMs;
  }
}
