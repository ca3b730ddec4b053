import { configMaps } from '../domain/names.ts';
import type { Decoded, StateCodec } from './codec.ts';
import { ignoredResources } from './ignored-resources.ts';
import { stateSize, stateSizeLimits } from './size.ts';

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
  /** Left out, instead of refusing the whole write, while the stored value cannot be decoded. */
  readonly ifReadable?: true;
}

export function set<T>(codec: StateCodec<T>, value: T): StateEdit {
  return { key: codec.key, text: codec.encode(value), current: (snapshot) => snapshot.read(codec) };
}

/** For what the other edits of a write can do without: a key that cannot be decoded stays as it is and holds up none of them. */
export function setIfReadable<T>(codec: StateCodec<T>, value: T): StateEdit {
  return { ...set(codec, value), ifReadable: true };
}

/** Where a transition that cannot be decoded is kept, as it was, for a person to read. The newest one replaces an older. */
export const setAsideKey = 'transition_set_aside';

/** Moves a value that cannot be decoded out of the way, whole; nothing is moved that can be decoded. */
export function setAside<T>(snapshot: StateSnapshot, codec: StateCodec<T>): readonly StateEdit[] {
  if (snapshot.read(codec).ok) return [];
  const moved = () => ({ ok: true, value: undefined }) as const;
  return [
    { key: codec.key, text: undefined, current: moved },
    { key: setAsideKey, text: snapshot.data[codec.key], current: moved },
  ];
}

/** `ordinary` leaves the reserve alone; only what stops, hands back, wakes or tells may use it. */
export type Room = 'ordinary' | 'reserve';

export type StateWritePlan =
  | {
      readonly outcome: 'write';
      readonly changes: Readonly<Record<string, string | undefined>>;
      readonly bytes: number;
    }
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'refused'; readonly why: 'undecodable'; readonly key: string; readonly message: string }
  | { readonly outcome: 'refused'; readonly why: 'too-large'; readonly message: string };

/**
 * What to write so that the edits hold: nothing when they already do, and nothing over a value that cannot be decoded,
 * because it may hold the only copy of somebody's counts. A state that is too large may still shrink.
 */
export function planStateWrite(
  snapshot: StateSnapshot,
  edits: readonly StateEdit[],
  room: Room = 'reserve',
): StateWritePlan {
  const kept = edits.filter((edit) => edit.ifReadable !== true || edit.current(snapshot).ok);
  for (const edit of kept) {
    const current = edit.current(snapshot);
    if (!current.ok) return { outcome: 'refused', why: 'undecodable', key: edit.key, message: current.message };
  }
  const changed = kept.filter(({ key, text }) => text !== snapshot.data[key]);
  if (changed.length === 0) return { outcome: 'nothing' };
  const changes = Object.fromEntries(changed.map(({ key, text }) => [key, text]));
  const plan = fitted(snapshot.data, changes, room);
  if (plan.outcome === 'refused' && room === 'reserve') {
    const shed = expendable(snapshot, changes);
    if (Object.keys(shed).length > 0) return fitted(snapshot.data, { ...shed, ...changes }, room);
  }
  return plan;
}

type Changes = Readonly<Record<string, string | undefined>>;

function fitted(data: Data, changes: Changes, room: Room): StateWritePlan {
  const before = stateSize(data).bytes;
  const bytes = stateSize(applied(data, changes)).bytes;
  const most = room === 'ordinary' ? stateSizeLimits.ordinary : stateSizeLimits.hard;
  if (bytes > most && bytes >= before) return { outcome: 'refused', why: 'too-large', message: tooLarge(bytes) };
  return { outcome: 'write', changes, bytes };
}

/** What gives way when even the reserve is used up: the controller finds it again by itself, or only people read it. */
function expendable(snapshot: StateSnapshot, changes: Changes): Changes {
  const known = snapshot.read(ignoredResources).ok ? [ignoredResources.key, setAsideKey] : [setAsideKey];
  const keys = known.filter((key) => Object.hasOwn(snapshot.data, key) && !(key in changes));
  return Object.fromEntries(keys.map((key) => [key, undefined]));
}

function applied(data: Data, changes: Changes): Data {
  const entries = Object.entries({ ...data, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function tooLarge(bytes: number): string {
  const { ordinary, hard } = stateSizeLimits;
  const would = `ConfigMap ${configMaps.state} would hold ${bytes} bytes`;
  if (bytes > hard) return `${would}, and Kubernetes takes at most ${hard}.`;
  return `${would}; above ${ordinary} there is only room to stop, to wake and to tell of it.`;
}
