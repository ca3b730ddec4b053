import type { ServiceFacts, WebhookFacts } from '../domain/preflight/preflight.ts';

/** What admission webhooks could block a wake. */
export interface AdmissionFacts {
  /** Never rejects: what may not be read counts as not there, and is logged. */
  read(signal?: AbortSignal): Promise<{
    readonly webhooks: readonly WebhookFacts[];
    readonly services: readonly ServiceFacts[];
  }>;
}
