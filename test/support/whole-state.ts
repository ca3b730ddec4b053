import type { KubeObject } from '../../embedded-cluster/object-store.ts';
import { continued } from '../../src/state/parts/continued.ts';

type Data = Readonly<Record<string, string>>;

/** Finds a ConfigMap of the release namespace by its name. */
export type FindConfigMap = (name: string) => KubeObject | undefined;

/**
 * The state as it would be in one ConfigMap without end: each key with what of it is in further ones. Lists are put
 * together as text, by hand, so that a test does not stand on the code that took them apart.
 */
export function wholeState(data: Data, find: FindConfigMap): Data {
  const names = continued.decode(data[continued.key]);
  const { [continued.key]: _, ...whole } = data as Record<string, string>;
  if (!names.ok) return data;
  for (const [key, some] of Object.entries(names.value)) {
    const texts = some.map((name) => (find(name)?.['data'] as Data | undefined)?.[key]);
    whole[key] = key === 'transition' ? (whole[key] ?? joinedText(texts)) : joinedLists([whole[key], ...texts]);
  }
  return whole;
}

/** A value that is no list cannot be decoded without one of its parts. */
function joinedText(texts: readonly (string | undefined)[]): string {
  return texts.includes(undefined) ? '{a part of it is gone' : texts.join('');
}

/** A text that is no list stays: then the whole cannot be decoded either. */
function joinedLists(texts: readonly (string | undefined)[]): string {
  const broken = texts.find(
    (text) => text !== undefined && !(text.trim().startsWith('[') && text.trim().endsWith(']')),
  );
  if (broken !== undefined) return broken;
  const inner = texts.flatMap((text) => text?.trim().slice(1, -1).trim() || []);
  return `[${inner.join(',')}]`;
}
