import type { NamespaceEvent } from '../../domain/announcement/announcement.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { EventSink } from '../../ports/records.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';

export interface NamespaceEventsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
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

  emit(event: NamespaceEvent): void {
    const { client, logger } = this.#options;
    const object = this.#object(event);
    client.create(resources.events, object.metadata.namespace, object).catch((error: unknown) => {
      logger.warn('A Kubernetes event could not be written', { reason: event.reason, error: String(error) });
    });
  }

  #object(event: NamespaceEvent) {
    const { clock, random, releaseNamespace, component } = this.#options;
    const at = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const namespace = event.where === 'release' ? releaseNamespace : 'default';
    const suffix = Array.from(random.bytes(5), (byte) => byte.toString(16).padStart(2, '0')).join('');
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
