import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configTextKey } from '../../../src/config/config.ts';
import { type Container, find, type PodSpec, type Rendered, render, type Values } from '../../chart/harness/helm.ts';
import type { ProcessName } from './bundles.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}

export const namespace = 'svc-system';

/** What helm renders for a values file, and what a kubelet would make of it for a process. */
export class ChartRelease {
  readonly objects: readonly Rendered[];
  /** What of the values the roles are rendered from. */
  readonly features: readonly string[];

  private constructor(objects: readonly Rendered[], features: readonly string[]) {
    this.objects = objects;
    this.features = features;
  }

  static async of(values: Values): Promise<ChartRelease> {
    return new ChartRelease(await render(values, { namespace }), featuresOf(values));
  }

  /** Everything that is in the cluster after an install. */
  get installed(): readonly Rendered[] {
    return this.objects.filter(
      ({ kind, metadata }) => kinds.has(kind) && metadata.annotations?.['helm.sh/hook'] === undefined,
    );
  }

  /** The configuration as the chart wrote it. */
  get configText(): string {
    // A ConfigMap has texts under `data`.
    const { data } = find(this.objects, 'ConfigMap', 'svc-config') as unknown as { data: Record<string, string> };
    return data[configTextKey] ?? '';
  }

  /** The environment that the chart gives a container. */
  environment(process: ProcessName): Readonly<Record<string, string>> {
    const deployment = find(this.objects, 'Deployment', process === 'controller' ? 'svc-controller' : 'svc-app');
    const { template } = deployment['spec'] as { template: { spec: PodSpec } };
    const container = template.spec.containers.find(({ name }) => name === process) as Container & {
      readonly env: readonly Variable[];
    };
    return Object.fromEntries(
      container.env.flatMap((variable) => {
        const value = this.#valueOf(variable);
        return value === undefined ? [] : [[variable.name, value]];
      }),
    );
  }

  /** The Secrets of shared keys as the files that a pod has them as. */
  async mountKeys(folder: string): Promise<void> {
    for (const { kind, metadata, ...rest } of this.objects) {
      if (kind !== 'Secret') continue;
      await mkdir(join(folder, metadata.name), { recursive: true });
      for (const [key, text] of Object.entries(secretData(rest)))
        await writeFile(join(folder, metadata.name, key), text);
    }
  }

  #valueOf({ value, valueFrom }: Variable): string | undefined {
    if (valueFrom?.fieldRef !== undefined) return namespace;
    const reference = valueFrom?.secretKeyRef;
    if (reference === undefined) return value ?? '';
    return secretData(find(this.objects, 'Secret', reference.name))[reference.key];
  }
}

/** What the embedded cluster knows, and what a process of ours may meet there. */
const kinds = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
  'Deployment',
  'Service',
]);

interface Described {
  readonly group: string;
  readonly plural: string;
}

/** What makes a difference in `rbac-api.yaml` and `rbac-controller.yaml`. */
function featuresOf(values: Values): readonly string[] {
  const { config = {}, admissionPolicy = {} } = values as {
    readonly config?: {
      readonly targeting?: { readonly kinds?: readonly (string | Described)[] };
      readonly serviceRedirection?: { readonly enabled?: boolean; readonly services?: readonly unknown[] };
    };
    readonly admissionPolicy?: { readonly enabled?: boolean };
  };
  const { enabled = false, services = [] } = config.serviceRedirection ?? {};
  return [
    ...(config.targeting?.kinds ?? []).map(
      (kind) => `kind ${typeof kind === 'string' ? kind : `${kind.plural}.${kind.group}`}`,
    ),
    ...(enabled && services.length > 0 ? ['service redirection'] : []),
    ...(admissionPolicy.enabled === false ? ['no admission policy'] : []),
  ];
}

function secretData(secret: object): Readonly<Record<string, string>> {
  const { data = {}, stringData = {} } = secret as {
    data?: Record<string, string>;
    stringData?: Record<string, string>;
  };
  const decoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')]);
  return { ...Object.fromEntries(decoded), ...stringData };
}
