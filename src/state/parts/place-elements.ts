import type { ElementRules } from '../codec/codec.ts';

/** Where elements are: in `svc-state` (no name) or in a part. */
export interface Place {
  readonly name?: string;
  readonly elements: readonly unknown[];
}

export interface PlaceRoom {
  /** Bytes that the list may take in `svc-state`. What is there already stays, unless there is no room at all. */
  readonly state: number;
  readonly part: number;
}

export interface Placement {
  readonly inState: readonly unknown[];
  /** Parts that stay as they are. */
  readonly kept: readonly string[];
  /** What goes into parts that are made for it. */
  readonly added: readonly (readonly unknown[])[];
}

/**
 * Spreads a list over `svc-state` and its parts. An element stays where it is, so that a change of one rewrites one place;
 * what a changed part held is placed anew, `svc-state` first, so that parts empty and go as the list shrinks.
 */
export function placeElements(
  wanted: readonly unknown[],
  places: readonly Place[],
  rules: ElementRules,
  room: PlaceRoom,
): Placement {
  const byKey = new Map(wanted.map((element) => [rules.keyOf(element), element]));
  const staying = room.state > 0 ? taken(inStateOf(places), byKey, rules) : [];
  const kept = keptParts(places, byKey, rules, room);
  for (const { elements } of kept) taken(elements, byKey, rules);
  const state = new Bin(rules, room.state, staying);
  const added: Bin[] = [];
  for (const element of sorted([...byKey.values()], rules)) {
    if (added.length === 0 && state.add(element)) continue;
    if (!added.at(-1)?.add(element)) added.push(new Bin(rules, room.part, [element]));
  }
  return {
    inState: state.elements,
    kept: kept.flatMap(({ name }) => name ?? []),
    added: added.map(({ elements }) => elements),
  };
}

function inStateOf(places: readonly Place[]): readonly unknown[] {
  return places.find(({ name }) => name === undefined)?.elements ?? [];
}

/** The parts that need not be written. */
function keptParts(
  places: readonly Place[],
  byKey: ReadonlyMap<string, unknown>,
  rules: ElementRules,
  room: PlaceRoom,
): readonly Place[] {
  const untouched = places.filter(
    ({ name, elements }) => name !== undefined && elements.length > 0 && isUntouched(elements, byKey, rules),
  );
  const held = untouched.reduce((sum, { elements }) => sum + elements.length, 0);
  // A list that is as it was is written nowhere; where something is written, what has become small is placed anew too.
  if (byKey.size === held) return untouched;
  return untouched.filter(({ elements }) => new Bin(rules, room.part, elements).bytes > room.part / 4);
}

/** Takes the elements that are still wanted out of what has no place yet. */
function taken(elements: readonly unknown[], byKey: Map<string, unknown>, rules: ElementRules): readonly unknown[] {
  return elements.flatMap((element) => {
    const key = rules.keyOf(element);
    const now = byKey.get(key);
    return byKey.delete(key) ? [now] : [];
  });
}

function isUntouched(elements: readonly unknown[], byKey: ReadonlyMap<string, unknown>, rules: ElementRules): boolean {
  return elements.every((element) => {
    const now = byKey.get(rules.keyOf(element));
    return now === element || (now !== undefined && fieldsOf(now) === fieldsOf(element));
  });
}

/** Whatever the order in which its fields were set: one that was read has another than one that was found. */
function fieldsOf(element: unknown): string {
  return JSON.stringify(Object.entries(element as object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Next to each other what shares a group: it is stored once a place. */
function sorted(elements: readonly unknown[], rules: ElementRules): readonly unknown[] {
  const named = elements.map((element) => ({
    element,
    order: `${rules.cost(element).group} ${rules.keyOf(element)}`,
  }));
  named.sort((a, b) => (a.order < b.order ? -1 : 1));
  return named.map(({ element }) => element);
}

/** A place that is being filled, with the bytes that its text takes at most. */
class Bin {
  readonly elements: unknown[] = [];
  bytes = 4;
  readonly #rules: ElementRules;
  readonly #most: number;
  readonly #groups = new Set<string>();

  constructor(rules: ElementRules, most: number, elements: readonly unknown[]) {
    this.#rules = rules;
    this.#most = most;
    for (const element of elements) this.#put(element);
  }

  add(element: unknown): boolean {
    if (this.bytes + this.#costOf(element) > this.#most) return false;
    this.#put(element);
    return true;
  }

  #put(element: unknown): void {
    this.bytes += this.#costOf(element);
    this.#groups.add(this.#rules.cost(element).group);
    this.elements.push(element);
  }

  #costOf(element: unknown): number {
    const { group, line, head } = this.#rules.cost(element);
    return line + (this.#groups.has(group) ? 0 : head);
  }
}
