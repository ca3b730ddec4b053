import { configMaps } from '../domain/names.ts';
import type { Decoded, StateCodec } from './codec.ts';
import { sizeLevel, stateSize, stateSizeLimits } from './size.ts';

type Data = Readonly<Record<string, string>>;

/** `svc-state` as it was read once. Each key is decoded when it is first asked for, and once. */
export interface StateSnapshot {
  readonly data: Data;
  /** Absent while the ConfigMap does not exist. */
  readonly resourceVersion?: string;
  read<T>(codec: StateCodec<T>): Decoded<T>;
}

/** An absent ConfigMap is a cluster that never hibernated: every key is empty. */
export function decodeState(data: Data | undefined, resourceVersion?: string): StateSnapshot {
  const stored = data ?? {};
  const decoded = new Map<StateCodec<unknown>, Decoded<unknown>>();
  return {
    data: stored,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    read<T>(codec: StateCodec<T>): Decoded<T> {
      const known = decoded.get(codec as StateCodec<unknown>);
      if (known !== undefined) return known as Decoded<T>;
      const fresh = codec.decode(Object.hasOwn(stored, codec.key) ? stored[codec.key] : undefined);
      decoded.set(codec as StateCodec<unknown>, fresh);
      return fresh;
    },
  };
}

/** One value to be stored; make it with `set`, which ties the value to its codec. */
export interface StateEdit {
  readonly key: string;
  readonly text: string | undefined;
  readonly current: (snapshot: StateSnapshot) => Decoded<unknown>;
}

export function set<T>(codec: StateCodec<T>, value: T): StateEdit {
  return { key: codec.key, text: codec.encode(value), current: (snapshot) => snapshot.read(codec) };
}

export type StateWritePlan =
  | {
      readonly outcome: 'write';
      readonly changes: Readonly<Record<string, string | undefined>>;
      readonly bytes: number;
    }
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'refused'; readonly why: 'undecodable' | 'too-large'; readonly message: string };

/**
 * What to write so that the edits hold: nothing when they already do, and nothing over a value that cannot be decoded,
 * because it may hold the only copy of somebody's counts. A state that is too large may still shrink.
 */
export function planStateWrite(snapshot: StateSnapshot, edits: readonly StateEdit[]): StateWritePlan {
  for (const edit of edits) {
    const current = edit.current(snapshot);
    if (!current.ok) return { outcome: 'refused', why: 'undecodable', message: current.message };
  }
  const changed = edits.filter(({ key, text }) => text !== snapshot.data[key]);
  if (changed.length === 0) return { outcome: 'nothing' };
  const changes = Object.fromEntries(changed.map(({ key, text }) => [key, text]));
  const before = stateSize(snapshot.data).bytes;
  const bytes = stateSize(applied(snapshot.data, changes)).bytes;
  if (sizeLevel(bytes) === 'full' && bytes >= before) {
    return { outcome: 'refused', why: 'too-large', message: tooLarge(bytes) };
  }
  return { outcome: 'write', changes, bytes };
}

function applied(data: Data, changes: Readonly<Record<string, string | undefined>>): Data {
  const entries = Object.entries({ ...data, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function tooLarge(bytes: number): string {
  return `ConfigMap ${configMaps.state} would hold ${bytes} bytes, and Kubernetes takes at most ${stateSizeLimits.hard}.`;
}
