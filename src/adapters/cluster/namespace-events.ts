import { createHash } from 'node:crypto';
import type { NamespaceEvent } from '../../domain/announcement/announcement.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { EventSink } from '../../ports/sinks.ts';
import { ApiStatusError } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';

export interface NamespaceEventsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly releaseNamespace: string;
  readonly component: string;
}

/**
 * Events against the release's Namespace object. The apiserver takes such an event in the namespace of the same name,
 * or in `default` when the reference names no namespace of its own.
 */
export class NamespaceEvents implements EventSink {
  readonly #options: NamespaceEventsOptions;

  constructor(options: NamespaceEventsOptions) {
    this.#options = options;
  }

  async emit(event: NamespaceEvent, id: string): Promise<'written' | 'refused'> {
    const { client, logger } = this.#options;
    const object = this.#object(event, id);
    try {
      await client.create(resources.events, object.metadata.namespace, object);
      return 'written';
    } catch (error) {
      if (isAlreadyThere(error)) return 'written';
      logger.warn('A Kubernetes event could not be written', { reason: event.reason, error: String(error) });
      if (isFinal(error)) return 'refused';
      throw error;
    }
  }

  #object(event: NamespaceEvent, id: string) {
    const { clock, releaseNamespace, component } = this.#options;
    const at = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const namespace = event.where === 'release' ? releaseNamespace : 'default';
    // The same name for the same announcement: told again after a crash, it is found there.
    const suffix = createHash('sha256').update(id).digest('hex').slice(0, 16);
    return {
      apiVersion: 'v1' as const,
      kind: 'Event' as const,
      metadata: { name: `${releaseNamespace}.${suffix}`, namespace },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Namespace',
        name: releaseNamespace,
        ...(event.where === 'release' ? { namespace: releaseNamespace } : {}),
      },
      type: event.type,
      reason: event.reason,
      // The apiserver refuses a longer message.
      message: event.message.slice(0, 1024),
      source: { component },
      reportingComponent: component,
      reportingInstance: component,
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    };
  }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof ApiStatusError && error.reason === 'AlreadyExists';
}

/** No right to write it, no such namespace, nothing it would ever take; all else may pass. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiStatusError && [400, 401, 403, 404, 405, 413, 422].includes(error.status);
}
