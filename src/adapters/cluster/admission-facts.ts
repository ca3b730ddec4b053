import type { ServiceFacts, WebhookFacts } from '../../domain/targeting/preflight.ts';
import type { Logger } from '../../ports/logger.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { type KubeObject, type ResourceType, resources } from '../kubernetes/client/resource-type.ts';

interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly {
    readonly name?: string;
    readonly failurePolicy?: string;
    readonly clientConfig?: { readonly service?: { readonly namespace?: string; readonly name?: string } };
    readonly rules?: readonly { readonly resources?: readonly string[] }[];
  }[];
}

const mutating: ResourceType<KubeObject> = {
  ...resources.validatingWebhookConfigurations,
  plural: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
} as unknown as ResourceType<KubeObject>; // Of these webhooks only what every object has is read.

/** Admission webhooks and the services behind them, read when asked for. What may not be read counts as not there. */
export class ClusterAdmissionFacts {
  readonly #client: KubeClient;
  readonly #logger: Logger;

  constructor(client: KubeClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  async read(): Promise<{ readonly webhooks: readonly WebhookFacts[]; readonly services: readonly ServiceFacts[] }> {
    try {
      // Read like the mutating ones, by what every object has.
      const validating = resources.validatingWebhookConfigurations as unknown as ResourceType<KubeObject>;
      const lists = await Promise.all([this.#client.list(validating), this.#client.list(mutating)]);
      const webhooks = lists.flatMap(({ items }) => items.flatMap((item) => factsOf(item as WebhookConfiguration)));
      return { webhooks, services: await this.#services(webhooks) };
    } catch (error) {
      this.#logger.debug('Admission webhooks could not be read', { error: String(error) });
      return { webhooks: [], services: [] };
    }
  }

  async #services(webhooks: readonly WebhookFacts[]): Promise<readonly ServiceFacts[]> {
    const wanted = new Map(
      webhooks.flatMap(({ service }) => (service ? [[`${service.namespace}/${service.name}`, service]] : [])),
    );
    const found = [...wanted.values()].map(async ({ namespace, name }): Promise<readonly ServiceFacts[]> => {
      const service = await this.#client.get(resources.services, { namespace, name }).catch(() => undefined);
      return service === undefined ? [] : [{ namespace, name, selector: service.spec?.selector ?? {} }];
    });
    return (await Promise.all(found)).flat();
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
      resources: rules.flatMap((rule) => rule.resources ?? []),
    };
  });
}
