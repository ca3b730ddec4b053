import { configMaps } from '../../domain/names.ts';
import type { Decoded, ElementRules, StateCodec } from '../codec/codec.ts';
import { continued } from './continued.ts';
import type { Continuation, StatePart } from './state-part.ts';

type Data = Readonly<Record<string, string>>;

/** Keys that are no list and may go on in parts: they grow with the number of workloads that are in trouble. */
export const valuesThatGoOn: ReadonlySet<string> = new Set(['transition', 'transition_set_aside']);

/** The value of a key, with what of it is in further ConfigMaps. */
export function readKey<T>(codec: StateCodec<T>, data: Data, continuation?: Continuation): Decoded<T> {
  const inState = codec.decode(ownText(data, codec.key));
  const goesOn = codec.elements !== undefined || valuesThatGoOn.has(codec.key);
  if (!goesOn || !Object.hasOwn(data, continued.key)) return inState;
  const named = continued.decode(data[continued.key]);
  if (!named.ok) return unknownRest(codec, inState, named.message);
  if (!Object.hasOwn(named.value, codec.key)) return inState;
  if (continuation === undefined) {
    const message = `The value of ${codec.key} goes on in ConfigMaps that were not read.`;
    return unknownRest(codec, inState, message);
  }
  const parts = continuation.parts.filter(({ key }) => key === codec.key);
  if (codec.elements !== undefined) return gathered(codec as ListCodec<T>, inState as Decoded<ListOf<T>>, parts);
  return Object.hasOwn(data, codec.key) ? inState : joined(codec, parts);
}

/** What the parts of a value that is no list hold together; undefined when one of them is gone. */
export function joinedText(parts: readonly StatePart[]): string | undefined {
  return parts.some(({ text }) => text === undefined) ? undefined : parts.map(({ text }) => text).join('');
}

function joined<T>(codec: StateCodec<T>, parts: readonly StatePart[]): Decoded<T> {
  const gone = parts.find(({ text }) => text === undefined);
  if (gone === undefined) return codec.decode(joinedText(parts));
  return { ok: false, message: `The value of ${codec.key} goes on in ConfigMap ${gone.name}, which is gone.` };
}

type ListOf<T> = T & readonly unknown[];
type ListCodec<T> = StateCodec<ListOf<T>> & { readonly elements: ElementRules };

/**
 * The elements of all places. A part that cannot be decoded fails alone: what the others hold is the `rest`. One that is
 * gone is empty, as `svc-state` itself is when it is gone; what it held is found again by the marks on the workloads.
 */
function gathered<T>(
  codec: ListCodec<T>,
  inState: Decoded<ListOf<T>>,
  parts: readonly StatePart[],
): Decoded<ListOf<T>> {
  const places = [
    { name: configMaps.state, decoded: inState },
    ...parts.map((part) => ({ name: part.name, decoded: decodePart(codec, part) })),
  ];
  const problems = places.flatMap(({ decoded }) => (decoded.ok ? [] : decoded.message));
  const found = new Map<string, Found>();
  const doubted = new Set<string>();
  for (const { name: place, decoded } of places) {
    for (const element of decoded.ok ? decoded.value : []) {
      const key = codec.elements.keyOf(element);
      const other = found.get(key);
      if (other === undefined) found.set(key, { element, place });
      else if (!isSame(other.element, element)) {
        problems.push(contradiction(codec.key, key, other.place, place));
        doubted.add(key);
      }
    }
  }
  for (const key of doubted) found.delete(key);
  // Each element came from a list of this type.
  const value = Array.from(found.values(), ({ element }) => element) as unknown as ListOf<T>;
  return problems.length === 0 ? { ok: true, value } : { ok: false, message: problems.join(' '), rest: value };
}

interface Found {
  readonly element: unknown;
  readonly place: string;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function contradiction(key: string, element: string, one: string, other: string): string {
  return `The value of ${key} cannot be decoded: ${element} is in ConfigMap ${one} and, otherwise, in ${other}.`;
}

const decodedParts = new WeakMap<StatePart, Decoded<unknown>>();

/** Decoded once for as long as it is known: a state that is read again mostly has the same parts. */
export function decodePart<T>(codec: StateCodec<T>, part: StatePart): Decoded<T> {
  const known = decodedParts.get(part);
  if (known !== undefined) return known as Decoded<T>;
  const decoded = codec.decode(part.text, part.name);
  decodedParts.set(part, decoded);
  return decoded;
}

/** For a part that was written just now. */
export function knowDecoded(part: StatePart, value: unknown): void {
  decodedParts.set(part, { ok: true, value });
}

function unknownRest<T>(codec: StateCodec<T>, inState: Decoded<T>, message: string): Decoded<T> {
  return { ok: false, message, ...(codec.elements !== undefined && inState.ok ? { rest: inState.value } : {}) };
}

function ownText(data: Data, key: string): string | undefined {
  return Object.hasOwn(data, key) ? data[key] : undefined;
}
