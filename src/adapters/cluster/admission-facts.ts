import type { ServiceFacts, WebhookFacts } from '../../domain/preflight/preflight.ts';
import type { AdmissionFacts } from '../../ports/admission-facts.ts';
import type { Logger } from '../../ports/logger.ts';
import { isNotFound } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { type KubeObject, type ResourceType, resources } from '../kubernetes/client/resource-type.ts';

/** Both kinds have the same, as far as it is read here. */
interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly Webhook[];
}

interface Webhook {
  readonly name?: string;
  readonly failurePolicy?: string;
  readonly clientConfig?: { readonly service?: { readonly namespace?: string; readonly name?: string } };
  readonly rules?: readonly object[];
}

const { validatingWebhookConfigurations: validating, mutatingWebhookConfigurations: mutating, services } = resources;

/**
 * Admission webhooks and the services behind them, read when asked for. Each part is read apart: one that may not be
 * read empties itself alone, and is a warning until it can be read again.
 */
export class ClusterAdmissionFacts implements AdmissionFacts {
  readonly #client: KubeClient;
  readonly #logger: Logger;
  readonly #refused = new Set<string>();

  constructor(client: KubeClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  async read(signal?: AbortSignal) {
    const lists = await Promise.all([validating, mutating].map((type) => this.#configurations(type, signal)));
    const webhooks = lists.flat();
    return { webhooks, services: await this.#services(webhooks, signal) };
  }

  #configurations(type: ResourceType<WebhookConfiguration>, signal?: AbortSignal): Promise<readonly WebhookFacts[]> {
    return this.#part(type.plural, [], async () => {
      const { items } = await this.#client.list(type, signal === undefined ? {} : { signal });
      return items.flatMap(factsOf);
    });
  }

  /** Of the services that webhooks name, and of no others. */
  #services(webhooks: readonly WebhookFacts[], signal?: AbortSignal): Promise<readonly ServiceFacts[]> {
    const wanted = new Map(
      webhooks.flatMap(({ service }) => (service ? [[`${service.namespace}/${service.name}`, service]] : [])),
    );
    if (wanted.size === 0) return Promise.resolve([]);
    return this.#part(services.plural, [], async () => {
      const found = [...wanted.values()].map((ref) => this.#service(ref, signal));
      return (await Promise.all(found)).flat();
    });
  }

  /** One that is gone answers nobody, so nothing can be its backend. */
  async #service(
    { namespace, name }: { readonly namespace: string; readonly name: string },
    signal?: AbortSignal,
  ): Promise<readonly ServiceFacts[]> {
    try {
      const ref = { namespace, name };
      const { spec } = await this.#client.get(services, ref, signal === undefined ? {} : { signal });
      return [{ namespace, name, selector: spec?.selector ?? {} }];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  async #part<T>(what: string, otherwise: T, read: () => Promise<T>): Promise<T> {
    try {
      const found = await read();
      this.#refused.delete(what);
      return found;
    } catch (error) {
      if (!this.#refused.has(what)) {
        this.#logger.warn('A part of the admission webhooks cannot be read: whom a wake needs first is not known', {
          part: what,
          error: String(error),
        });
      }
      this.#refused.add(what);
      return otherwise;
    }
  }
}

function factsOf({ metadata, webhooks = [] }: WebhookConfiguration): readonly WebhookFacts[] {
  return webhooks.map(({ name = '', failurePolicy, clientConfig, rules = [] }) => {
    const { namespace, name: service } = clientConfig?.service ?? {};
    return {
      configuration: metadata?.name ?? '',
      name,
      failurePolicy: failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
      ...(namespace !== undefined && service !== undefined ? { service: { namespace, name: service } } : {}),
      // The published type of a rule leaves its resources out.
      resources: rules.flatMap((rule) => (rule as { readonly resources?: readonly string[] }).resources ?? []),
    };
  });
}
