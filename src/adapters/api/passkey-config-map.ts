import { configMaps } from '../../domain/names.ts';
import { isConflict, isNotFound } from '../kubernetes/errors.ts';
import type { KubeClient } from '../kubernetes/kube-client.ts';
import { resources } from '../kubernetes/resource-type.ts';

/** `svc-passkeys`, one key a user, written with the version it was read at. */
export class PasskeyConfigMap {
  readonly #client: KubeClient;
  readonly #place: { readonly namespace: string; readonly name: string };

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#place = { namespace, name: configMaps.passkeys };
  }

  /** An absent ConfigMap holds no passkeys. */
  async read(): Promise<{ readonly data: Readonly<Record<string, string>>; readonly version?: string }> {
    try {
      const { data, metadata } = await this.#client.get(resources.configMaps, this.#place);
      const version = metadata?.resourceVersion;
      return { data: data ?? {}, ...(version === undefined ? {} : { version }) };
    } catch (error) {
      if (isNotFound(error)) return { data: {} };
      throw error;
    }
  }

  /** False when somebody else wrote since `version`; nothing was changed then. */
  async write(version: string | undefined, changes: Readonly<Record<string, string | null>>): Promise<boolean> {
    try {
      if (version === undefined) await this.#create(changes);
      else {
        const body = { metadata: { resourceVersion: version }, data: changes };
        await this.#client.patch(resources.configMaps, this.#place, { type: 'merge', body });
      }
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error) || isAlreadyThere(error)) return false;
      throw error;
    }
  }

  async #create(changes: Readonly<Record<string, string | null>>): Promise<void> {
    const { namespace, name } = this.#place;
    const entries = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
    await this.#client.create(resources.configMaps, namespace, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: Object.fromEntries(entries),
    });
  }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'AlreadyExists';
}
