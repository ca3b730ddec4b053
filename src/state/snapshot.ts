import type { Decoded, StateCodec } from './codec/codec.ts';
import { joinedText, readKey } from './parts/read-key.ts';
import type { Continuation } from './parts/state-part.ts';
import type { StoredState } from './state-store.ts';

type Data = Readonly<Record<string, string>>;

/** The state as it was read once. Each key is decoded when it is first asked for, and once. */
export interface StateSnapshot {
  /** What `svc-state` itself holds. */
  readonly data: Data;
  /** The keys of `data` that are kept beside the ConfigMap's own, for want of room there. */
  readonly beside: ReadonlySet<string>;
  /** Where keys go on that have outgrown `svc-state`; absent when whoever read it does not follow them. */
  readonly continuation?: Continuation;
  /** Absent while the ConfigMap does not exist. */
  readonly resourceVersion?: string;
  read<T>(codec: StateCodec<T>): Decoded<T>;
}

/**
 * An absent ConfigMap is a cluster that never hibernated: every key is empty. `more` is what a store found besides.
 */
export function decodeState(
  data: Data = {},
  resourceVersion?: string,
  { beside = [], continuation }: Pick<StoredState, 'beside' | 'continuation'> = {},
): StateSnapshot {
  const decoded = new Map<StateCodec<unknown>, Decoded<unknown>>();
  return {
    data,
    beside: new Set(beside),
    ...(continuation === undefined ? {} : { continuation }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    read<T>(codec: StateCodec<T>): Decoded<T> {
      const known = decoded.get(codec as StateCodec<unknown>);
      if (known !== undefined) return known as Decoded<T>;
      const fresh = readKey(codec, data, continuation);
      decoded.set(codec as StateCodec<unknown>, fresh);
      return fresh;
    },
  };
}

/** The text of a value that is no list, wherever it is stored. */
export function storedText({ data, continuation }: StateSnapshot, key: string): string | undefined {
  if (Object.hasOwn(data, key)) return data[key];
  const parts = continuation?.parts.filter((part) => part.key === key) ?? [];
  return parts.length === 0 ? undefined : joinedText(parts);
}

/** One value to be stored; make it with `set`, which ties the value to its codec. */
export interface StateEdit {
  readonly key: string;
  /** Undefined removes the key. A list has none: it is encoded place by place. */
  readonly text: string | undefined;
  readonly list?: { readonly codec: StateCodec<readonly unknown[]>; readonly elements: readonly unknown[] };
  readonly current: (snapshot: StateSnapshot) => Decoded<unknown>;
  /** Left out, instead of refusing the whole write, while the stored value cannot be decoded. */
  readonly ifReadable?: true;
  /** Lines for the log on what this write gives up; whoever writes says them once it is done. */
  readonly lost?: readonly { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

export function set<T>(codec: StateCodec<T>, value: T): StateEdit {
  const current = (snapshot: StateSnapshot) => snapshot.read(codec);
  if (codec.elements === undefined) return { key: codec.key, text: codec.encode(value), current };
  // A codec with rules for elements is one of a list.
  const list = { codec: codec as unknown as StateCodec<readonly unknown[]>, elements: value as readonly unknown[] };
  return { key: codec.key, text: undefined, list, current };
}

/** For what the other edits of a write can do without: a key that cannot be decoded stays as it is and holds up none of them. */
export function setIfReadable<T>(codec: StateCodec<T>, value: T): StateEdit {
  return { ...set(codec, value), ifReadable: true };
}

/** Where a transition that cannot be decoded is kept, as it was, for a person to read. The newest one replaces an older. */
export const setAsideKey = 'transition_set_aside';
/** The same for an outbox. */
export const outboxSetAsideKey = 'outbox_set_aside';

/** Moves a value that cannot be decoded out of the way, whole; nothing is moved that can be decoded. */
export function setAside<T>(
  snapshot: StateSnapshot,
  codec: StateCodec<T>,
  keptAs: string = setAsideKey,
): readonly StateEdit[] {
  if (snapshot.read(codec).ok) return [];
  const moved = () => ({ ok: true, value: undefined }) as const;
  return [
    { key: codec.key, text: undefined, current: moved },
    { key: keptAs, text: storedText(snapshot, codec.key), current: moved },
  ];
}
