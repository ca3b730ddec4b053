import type { StateCodec } from '../codec/codec.ts';
import { continued, partName } from '../parts/continued.ts';
import { type Place, placeElements } from '../parts/place-elements.ts';
import { decodePart, valuesThatGoOn } from '../parts/read-key.ts';
import type { Continuation, NewPart } from '../parts/state-part.ts';
import { byteLength, stateSize } from '../size.ts';
import { type StateEdit, type StateSnapshot, storedText } from '../snapshot.ts';

export type Changes = Readonly<Record<string, string | undefined>>;

/** What would have to be written so that some edits hold, whether or not there is room for it. */
export interface WriteDraft {
  /** Only what differs from what is stored; undefined removes a key. */
  readonly changes: Changes;
  readonly parts: readonly NewPart[];
}

/** `elsewhere` names a list of which nothing is to stay in `svc-state`. */
export function draftWrite(snapshot: StateSnapshot, edits: readonly StateEdit[], elsewhere?: string): WriteDraft {
  const drafting = new Drafting(snapshot);
  // Lists come last: they take the room that the others leave.
  for (const { key, text, list } of edits) if (list === undefined) drafting.value(key, text);
  for (const { key, list } of edits) if (list !== undefined) drafting.list(list, key === elsewhere);
  return drafting.done();
}

/** The size of `svc-state` with the changes, without what is kept beside its data. */
export function sizeWith({ data }: StateSnapshot, changes: Changes, beside: ReadonlySet<string>): number {
  const entries = Object.entries({ ...data, ...changes });
  const stored = entries.filter((entry): entry is [string, string] => entry[1] !== undefined && !beside.has(entry[0]));
  return stateSize(Object.fromEntries(stored)).bytes;
}

class Drafting {
  readonly #snapshot: StateSnapshot;
  readonly #continuation: Continuation | undefined;
  readonly #names: Record<string, readonly string[]>;
  readonly #changes: Record<string, string | undefined> = {};
  readonly #parts: NewPart[] = [];

  constructor(snapshot: StateSnapshot) {
    this.#snapshot = snapshot;
    this.#continuation = snapshot.continuation;
    const names = snapshot.read(continued);
    this.#names = { ...(names.ok ? names.value : {}) };
  }

  value(key: string, text: string | undefined): void {
    const asItIs = storedText(this.#snapshot, key) === text;
    if (asItIs && (text !== undefined || this.#names[key] === undefined)) return;
    const sizes = this.#continuation?.sizes;
    const isLong = text !== undefined && sizes !== undefined && byteLength(text) > sizes.value;
    if (isLong && valuesThatGoOn.has(key)) {
      this.#names[key] = pieces(text, sizes.part).map((piece) => this.#add(key, piece));
      this.#put(key, undefined);
    } else {
      delete this.#names[key];
      this.#put(key, text);
    }
  }

  list({ codec, elements }: NonNullable<StateEdit['list']>, elsewhere: boolean): void {
    const { key } = codec;
    if (this.#continuation === undefined) {
      this.#put(key, codec.encode(elements));
      return;
    }
    const { sizes } = this.#continuation;
    const others = sizeWith(this.#snapshot, { ...this.#changes, [key]: undefined }, new Set());
    const state = elsewhere ? 0 : Math.min(codec.elements!.mostInState, sizes.state - others);
    const placed = placeElements(elements, this.#placesOf(codec), codec.elements!, { state, part: sizes.part });
    this.#put(key, elsewhere ? undefined : codec.encode(placed.inState));
    const added = placed.added.map((some) => this.#add(key, codec.encode(some) ?? '', some));
    this.#names[key] = [...placed.kept, ...added];
  }

  done(): WriteDraft {
    if (this.#continuation !== undefined) this.#put(continued.key, continued.encode(this.#names));
    return { changes: this.#changes, parts: this.#parts };
  }

  #placesOf(codec: StateCodec<readonly unknown[]>): readonly Place[] {
    const inState = codec.decode(this.#stored(codec.key));
    const parts = this.#continuation?.parts.filter(({ key }) => key === codec.key) ?? [];
    return [
      { elements: inState.ok ? inState.value : [] },
      ...parts.map((part) => {
        const decoded = decodePart(codec, part);
        return { name: part.name, elements: decoded.ok ? decoded.value : [] };
      }),
    ];
  }

  #add(key: string, text: string, elements?: readonly unknown[]): string {
    const name = partName((this.#continuation?.next ?? 0) + this.#parts.length);
    this.#parts.push({ name, key, text, ...(elements === undefined ? {} : { elements }) });
    return name;
  }

  #put(key: string, text: string | undefined): void {
    if (text !== this.#stored(key)) this.#changes[key] = text;
  }

  #stored(key: string): string | undefined {
    const { data } = this.#snapshot;
    return Object.hasOwn(data, key) ? data[key] : undefined;
  }
}

function pieces(text: string, most: number): readonly string[] {
  // A character takes at most three bytes for each of its units; a piece that is cut within one is joined again.
  const length = Math.max(1, Math.floor(most / (byteLength(text) === text.length ? 1 : 3)));
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
