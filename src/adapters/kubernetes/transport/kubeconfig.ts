import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { parse } from 'yaml';
import { AccessError } from './credential.ts';

export interface NamedEntry {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The file that it stands in: paths inside are relative to that file's folder. */
  readonly file: string;
}

/** Several files merged: the first that names an entry, or the current context, wins. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string;
  readonly contexts: readonly NamedEntry[];
  readonly clusters: readonly NamedEntry[];
  readonly users: readonly NamedEntry[];
}

/** The files that count: the one given, else those of KUBECONFIG, else `~/.kube/config`. */
export function kubeconfigPaths(env: Readonly<Record<string, string | undefined>>, given?: string): readonly string[] {
  if (given) return [given];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(env['HOME'] || homedir(), '.kube', 'config')];
}

/** Files that do not exist are passed over as long as one does. */
export async function readKubeconfig(paths: readonly string[]): Promise<Kubeconfig> {
  const found: { path: string; content: Record<string, unknown> }[] = [];
  for (const path of paths) {
    const text = await textOf(path);
    if (text !== undefined) found.push({ path, content: parsed(text, path) });
  }
  if (found.length === 0) {
    throw new AccessError(`There is no kubeconfig at ${paths.join(' or ')}; name one with KUBECONFIG or --kubeconfig.`);
  }
  const merged = (list: string, inner: string) =>
    mergeEntries(found.flatMap(({ path, content }) => entries(content, path, list, inner)));
  return {
    files: found.map(({ path }) => path),
    currentContext: found.map(({ content }) => text(content['current-context'])).find((name) => name !== '') ?? '',
    contexts: merged('contexts', 'context'),
    clusters: merged('clusters', 'cluster'),
    users: merged('users', 'user'),
  };
}

/** The path as it is meant from where the kubeconfig stands. */
export function resolvedPath(path: string, kubeconfigFile: string): string {
  return isAbsolute(path) ? path : join(dirname(kubeconfigFile), path);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccessError(`The kubeconfig ${path} cannot be read: ${reason}`, { cause: error });
  }
}

function parsed(content: string, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parse(content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccessError(`The kubeconfig ${path} is not valid YAML: ${reason}`, { cause: error });
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new AccessError(`The kubeconfig ${path} must hold an object with clusters, contexts and users.`);
  }
  return value as Record<string, unknown>;
}

function entries(content: Record<string, unknown>, file: string, list: string, inner: string): NamedEntry[] {
  const listed = content[list] ?? [];
  if (!Array.isArray(listed)) throw new AccessError(`The kubeconfig ${file}: ${list} must be a list.`);
  return listed.map((entry: Record<string, unknown> | null, index) => {
    const name = text(entry?.['name']);
    if (name === '') throw new AccessError(`The kubeconfig ${file}: ${list}[${index}] has no name.`);
    return { name, fields: (entry?.[inner] ?? {}) as Record<string, unknown>, file };
  });
}

function mergeEntries(all: readonly NamedEntry[]): readonly NamedEntry[] {
  const byName = new Map<string, NamedEntry>();
  for (const entry of all) if (!byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
