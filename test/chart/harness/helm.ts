import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { provision } from '../../../tools/provision/provision.ts';
import { type CommandResult, runCommand } from '../../../tools/provision/run-command.ts';

export const chartFolder = fileURLToPath(new URL('../../../charts/svc', import.meta.url));
export const releaseNamespace = 'svc-system';

export type Values = Readonly<Record<string, unknown>>;

/** A rendered object; only what tests look at by name. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

/** The least that installs. */
export const smallestValues: Values = {
  config: { clusterName: 'dev', externalUrl: 'https://svc.example.com' },
  secrets: {
    jwtSecret: 'jwt-secret-for-tests-0123456789abcdef',
    internalApiSecret: 'internal-secret-for-tests-0123456789',
  },
};

const scratch = mkdtempSync(join(tmpdir(), 'svc-chart-'));
// Registered before those of the test file, so it runs after them.
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
// Nothing of the user's own helm set-up may change what the tests see.
const isolation = {
  HELM_CACHE_HOME: join(scratch, 'cache'),
  HELM_CONFIG_HOME: join(scratch, 'config'),
  HELM_DATA_HOME: join(scratch, 'data'),
  HELM_NAMESPACE: undefined,
};

export async function helm(args: readonly string[], kubeconfig?: string): Promise<CommandResult> {
  const cluster = { KUBECONFIG: kubeconfig ?? join(scratch, 'no-cluster') };
  return runCommand(await provision('helm'), args, { env: { ...isolation, ...cluster } });
}

let files = 0;

/** A values file for `--values`. */
export function valuesFile(values: Values): string {
  const path = join(scratch, `values-${files++}.yaml`);
  writeFileSync(path, stringify(values));
  return path;
}

export interface RenderOptions {
  readonly release?: string;
  readonly namespace?: string;
  /** For templates alone, when the schema would already refuse the values. */
  readonly skipSchema?: boolean;
  /** API groups that the cluster has besides the usual ones. */
  readonly apiVersions?: readonly string[];
}

export async function template(valueFiles: readonly string[], options: RenderOptions = {}): Promise<CommandResult> {
  const { release = 'svc', namespace = releaseNamespace, skipSchema = false, apiVersions = [] } = options;
  const files = valueFiles.flatMap((file) => ['--values', file]);
  const schema = skipSchema ? ['--skip-schema-validation'] : [];
  const apis = apiVersions.flatMap((version) => ['--api-versions', version]);
  return helm(['template', release, chartFolder, '--namespace', namespace, ...files, ...schema, ...apis]);
}

/** The text that the chart renders from these values over the smallest ones. */
export async function renderText(values: Values = {}, options: RenderOptions = {}): Promise<string> {
  const result = await template([valuesFile(smallestValues), valuesFile(values)], options);
  if (result.status !== 0) throw new Error(result.stderr);
  return result.stdout;
}

export async function render(values: Values = {}, options: RenderOptions = {}): Promise<readonly Rendered[]> {
  return parseObjects(await renderText(values, options));
}

export function parseObjects(text: string): readonly Rendered[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
}

export function find(objects: readonly Rendered[], kind: string, name: string): Rendered {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`The chart rendered no ${kind} ${name}.`);
  return found;
}

/** A rendered container; only what tests look at by name. */
export interface Container {
  readonly name: string;
  readonly volumeMounts?: readonly { readonly name: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly automountServiceAccountToken?: boolean;
}

/** The specs of all pods that the objects run. */
export function podsOf(objects: readonly Rendered[]): readonly PodSpec[] {
  return objects.flatMap((object) => {
    if (object.kind === 'Pod') return [object['spec'] as PodSpec];
    const spec = object['spec'] as { template?: { spec: PodSpec } } | undefined;
    return ['Deployment', 'Job'].includes(object.kind) && spec?.template ? [spec.template.spec] : [];
  });
}

/** What the install said, without what helm puts around it. */
export function failureOf({ stderr }: CommandResult): string {
  const schema = /in the following chart\(s\):\nsvc:\n([\s\S]*)$/.exec(stderr)?.[1];
  const sentences = /\n\n([\s\S]*?)(\n\nUse --debug[\s\S]*)?$/.exec(stderr)?.[1];
  return (schema ?? sentences ?? stderr).trim();
}
