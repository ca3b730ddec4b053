import { type PathSegment, pathText } from './config-error.ts';
import { type Config, configNode } from './config-node.ts';
import { sameValue } from './diff-config.ts';
import type { Node } from './formats/value-types.ts';
import { restartsPods } from './in-the-pod.ts';
import { defaultConfig } from './parse-config.ts';

export interface Setting {
  readonly path: string;
  /** The value in force, without credentials. */
  readonly value: unknown;
  /** `configured` when it differs from the default: the chart writes every value, so presence would say nothing. */
  readonly source: 'default' | 'configured';
  readonly description: string;
  /** What it would be if nobody had set it; absent when it is that, or has none. */
  readonly standard?: unknown;
  /** A change holds at once, or the chart restarts pods for it, because they are made from it. */
  readonly applies: 'at once' | 'with a restart';
}

/** Every setting in the order of the schema. A list is one setting; a map of named things is one for each field of each. */
export function settingsView(config: Config): readonly Setting[] {
  return settingsOf(configNode, config, defaultConfig, []);
}

function settingsOf(node: Node, value: unknown, standard: unknown, at: readonly PathSegment[]): readonly Setting[] {
  const children = childrenOf(node, value);
  if (children === undefined) {
    const source = sameValue(value, standard) ? 'default' : 'configured';
    const path = pathText(at);
    return [
      {
        path,
        value: withoutSecrets(node, value),
        source,
        description: node.description,
        ...(source === 'default' || standard === undefined ? {} : { standard: withoutSecrets(node, standard) }),
        applies: restartsPods(path) === undefined ? 'at once' : 'with a restart',
      },
    ];
  }
  return children.flatMap(([key, child]) => settingsOf(child, entry(value, key), entry(standard, key), [...at, key]));
}

/** The nodes below, or nothing for a leaf. An optional value that is not set has no line of its own. */
function childrenOf(node: Node, value: unknown): readonly (readonly [string, Node])[] | undefined {
  if (node.kind === 'record') {
    return Object.entries(node.fields).filter(
      ([key, field]) => field.presence !== 'optional' || entry(value, key) !== undefined,
    );
  }
  if (node.kind !== 'map') return undefined;
  const keys = Object.keys(value as object);
  return keys.length === 0 ? undefined : keys.map((key) => [key, node.item] as const);
}

function entry(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function withoutSecrets(node: Node, value: unknown): unknown {
  switch (node.kind) {
    case 'text':
      return node.secretUrl && typeof value === 'string' && value !== '' ? originOnly(value) : value;
    case 'list':
      return (value as readonly unknown[]).map((item) => withoutSecrets(node.item, item));
    case 'record':
    case 'map':
      return Object.fromEntries(
        Object.entries(value as object).map(([key, child]) => [
          key,
          withoutSecrets(node.kind === 'map' ? node.item : node.fields[key]!, child),
        ]),
      );
    case 'either':
      return typeof value === 'string' ? value : withoutSecrets(node.record, value);
    default:
      return value;
  }
}

/** `https://user:word@proxy:8080` is shown as `https://proxy:8080`, a webhook as `https://host/…`. */
function originOnly(text: string): string {
  const url = new URL(text);
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/…`;
}
