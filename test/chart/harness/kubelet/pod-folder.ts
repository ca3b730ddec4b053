import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Pod, Volume } from 'kubernetes-types/core/v1.d.ts';
import { isNotFound } from '../../../../src/adapters/kubernetes/client/errors.ts';
import type { KubeClient } from '../../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../../src/adapters/kubernetes/client/resource-type.ts';
import type { Identity } from '../../../cluster/harness/cluster-clients.ts';
import { ask } from '../account-request.ts';

type Files = Readonly<Record<string, string | Buffer>>;
type Item = { readonly key: string; readonly path: string };

/** Writes what the pod's volumes hold into folders, as a kubelet would mount them. */
export class PodFolder {
  readonly #admin: Identity;
  readonly #pod: Pod;
  readonly #root: string;

  constructor(admin: Identity, pod: Pod, root: string) {
    this.#admin = admin;
    this.#pod = pod;
    this.#root = root;
  }

  get #namespace(): string {
    return this.#pod.metadata?.namespace ?? '';
  }

  /** Folder of a volume; what a container sees at the volume's mount path. */
  folderOf(volume: string): string {
    return join(this.#root, 'volumes', volume);
  }

  /** A folder in which volumes are mounted side by side, such as `/etc/svc/keys` with a Secret each. */
  folderAround(path: string, mounts: readonly { readonly name: string; readonly mountPath: string }[]): string {
    const folder = join(this.#root, 'around', path);
    mkdirSync(folder, { recursive: true });
    for (const { name, mountPath } of mounts) {
      const link = join(folder, mountPath.slice(path.length));
      if (!existsSync(link)) symlinkSync(this.folderOf(name), link);
    }
    return folder;
  }

  async mount(): Promise<void> {
    for (const volume of this.#pod.spec?.volumes ?? []) {
      const folder = this.folderOf(volume.name);
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o755);
      const writable = volume.emptyDir !== undefined;
      if (writable) await chmod(folder, 0o777);
      for (const [path, content] of Object.entries(await this.#filesOf(volume))) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await this.#write(join(folder, path), content);
      }
    }
  }

  /** Readable for the pod's group and nobody else, where we may say so. */
  async #write(path: string, content: string | Buffer): Promise<void> {
    await writeFile(path, content, { mode: 0o440 });
    const group = this.#pod.spec?.securityContext?.fsGroup;
    if (group !== undefined && process.getuid?.() === 0) await chown(path, 0, group);
  }

  async #filesOf(volume: Volume): Promise<Files> {
    if (volume.emptyDir !== undefined) return {};
    if (volume.configMap !== undefined) {
      return this.#configMap(volume.configMap.name ?? '', volume.configMap.items, volume.configMap.optional);
    }
    if (volume.secret !== undefined) {
      return this.#secret(volume.secret.secretName ?? '', volume.secret.items, volume.secret.optional);
    }
    if (volume.projected !== undefined) {
      const parts = await Promise.all((volume.projected.sources ?? []).map((source) => this.#projected(source)));
      return Object.assign({}, ...parts) as Files;
    }
    throw new Error(`The volume ${volume.name} is of a kind that this kubelet does not know.`);
  }

  async #projected(source: NonNullable<NonNullable<Volume['projected']>['sources']>[number]): Promise<Files> {
    if (source.serviceAccountToken !== undefined) return { [source.serviceAccountToken.path]: await this.#token() };
    if (source.configMap !== undefined) {
      return this.#configMap(source.configMap.name ?? '', source.configMap.items, source.configMap.optional);
    }
    if (source.secret !== undefined) {
      return this.#secret(source.secret.name ?? '', source.secret.items, source.secret.optional);
    }
    const items = source.downwardAPI?.items ?? [];
    return Object.fromEntries(items.map(({ path, fieldRef }) => [path, this.field(fieldRef?.fieldPath ?? '')]));
  }

  async #configMap(name: string, items: readonly Item[] | undefined, optional = false): Promise<Files> {
    const { client } = this.#admin;
    const found = await orAbsent(client.get(resources.configMaps, { namespace: this.#namespace, name }), optional);
    return picked(found?.data ?? {}, items);
  }

  async #secret(name: string, items: readonly Item[] | undefined, optional = false): Promise<Files> {
    return picked(await this.secretData(name, optional), items);
  }

  async secretData(name: string, optional = false): Promise<Readonly<Record<string, Buffer>>> {
    const { client } = this.#admin as { client: KubeClient };
    const found = await orAbsent(client.get(resources.secrets, { namespace: this.#namespace, name }), optional);
    const entries = Object.entries(found?.data ?? {});
    return Object.fromEntries(entries.map(([key, text]) => [key, Buffer.from(text, 'base64')]));
  }

  field(path: string): string {
    if (path === 'metadata.namespace') return this.#namespace;
    if (path === 'metadata.name') return this.#pod.metadata?.name ?? '';
    throw new Error(`The field ${path} is not known to this kubelet.`);
  }

  /** Bound to the pod, as a kubelet's are: it stops being good when the pod is gone. */
  async #token(): Promise<string> {
    const { name, uid } = this.#pod.metadata ?? {};
    const account = this.#pod.spec?.serviceAccountName ?? 'default';
    const path = `/api/v1/namespaces/${this.#namespace}/serviceaccounts/${account}/token`;
    const answer = await ask(this.#admin, 'POST', path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3607, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } },
    });
    const { token } = (answer.body['status'] ?? {}) as { token?: string };
    if (token === undefined) throw new Error(`There is no token for ${account}: ${answer.message}`);
    return token;
  }
}

async function orAbsent<T>(asked: Promise<T>, optional: boolean): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (optional && isNotFound(error)) return undefined;
    throw error;
  });
}

function picked<V extends string | Buffer>(
  data: Readonly<Record<string, V>>,
  items: readonly Item[] | undefined,
): Readonly<Record<string, V>> {
  if (items === undefined) return data;
  return Object.fromEntries(items.flatMap(({ key, path }) => (data[key] === undefined ? [] : [[path, data[key]]])));
}
