import { type AuditFile, planAppend } from '../../domain/audit/append.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { configMaps } from '../../domain/names.ts';
import type { AuditLog } from '../../ports/sinks.ts';
import { isConflict, isNotFound } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';

/** The one key of an audit ConfigMap: lines of JSON. */
export const auditTextKey = 'entries';
export const auditLabel = 'svc.io/audit';

interface StoredFile extends AuditFile {
  readonly resourceVersion: string;
}

const attempts = 5;

/** Entries in ConfigMaps `svc-audit-<n>`. Two writers may append at once: a conflict reads again and plans again. */
export class AuditConfigMaps implements AuditLog {
  readonly #client: KubeClient;
  readonly #namespace: string;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  async append(entry: AuditEntry): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#appendOnce(entry);
      } catch (error) {
        if (!(isConflict(error) || isAlreadyThere(error)) || attempt >= attempts) throw error;
      }
    }
  }

  /** What is in them, oldest first. */
  async texts(): Promise<readonly string[]> {
    return (await this.files()).map(({ text }) => text);
  }

  /** All files, oldest first. */
  async files(): Promise<readonly StoredFile[]> {
    const { items } = await this.#client.list(resources.configMaps, {
      namespace: this.#namespace,
      labelSelector: auditLabel,
    });
    return items
      .flatMap(({ metadata, data }) => {
        const number = numberOf(metadata?.name ?? '');
        if (number === undefined) return [];
        return [{ number, text: data?.[auditTextKey] ?? '', resourceVersion: metadata?.resourceVersion ?? '' }];
      })
      .toSorted((a, b) => a.number - b.number);
  }

  async #appendOnce(entry: AuditEntry): Promise<void> {
    const files = await this.files();
    const plan = planAppend(files, entry);
    for (const write of plan.writes)
      await this.#write(
        write,
        files.find(({ number }) => number === write.number),
      );
    for (const number of plan.drops) await this.#drop(number);
  }

  async #write({ number, text }: AuditFile, stored: StoredFile | undefined): Promise<void> {
    const name = nameOf(number);
    const data = { [auditTextKey]: text };
    if (stored === undefined) {
      const metadata = { name, namespace: this.#namespace, labels: { [auditLabel]: 'true' } };
      await this.#client.create(resources.configMaps, this.#namespace, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data,
      });
      return;
    }
    const body = { metadata: { resourceVersion: stored.resourceVersion }, data };
    await this.#client.patch(resources.configMaps, { namespace: this.#namespace, name }, { type: 'merge', body });
  }

  async #drop(number: number): Promise<void> {
    try {
      await this.#client.delete(resources.configMaps, { namespace: this.#namespace, name: nameOf(number) });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function nameOf(number: number): string {
  return `${configMaps.auditPrefix}${number}`;
}

function numberOf(name: string): number | undefined {
  const digits = name.startsWith(configMaps.auditPrefix) ? name.slice(configMaps.auditPrefix.length) : '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'AlreadyExists';
}
