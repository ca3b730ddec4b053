/** Something that an element points to within the drawing, by a property such as `fill`, or by its `href`. */
export interface Reference {
  readonly property: string;
  readonly id: string;
}

type Drawing = 'once' | 'copied' | 'for each shape' | 'at an end' | 'at each vertex';

/**
 * How often what a property points to is drawn; what is not named here, once. `copied`: with all that it holds, which then
 * takes on what the copy hands down. Paints and markers are handed down to whatever is drawn below.
 */
const drawings: ReadonlyMap<string, Drawing> = new Map<string, Drawing>([
  ['href', 'copied'],
  ['fill', 'for each shape'],
  ['stroke', 'for each shape'],
  ['marker-start', 'at an end'],
  ['marker-end', 'at an end'],
  ['marker-mid', 'at each vertex'],
  ['marker', 'at each vertex'],
]);

function drawingOf({ property }: Reference): Drawing {
  return drawings.get(property) ?? 'once';
}

/** An element, and what it points to. */
export interface Drawn {
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly references: readonly Reference[];
  readonly children: Drawn[];
  /** What it costs by itself, in elements. */
  readonly weight: number;
  readonly isText: boolean;
  /** How often a paint is laid on it, by itself: once for a shape, for each letter of a text. */
  shapes: number;
  readonly vertices: number;
}

interface Reach {
  readonly shapes: number;
  readonly vertices: number;
}

/** What stands for an effect of a filter. No element can be referred to by such a name. */
export const effect = '(effect)';
/** A blur or a shadow goes over every pixel of its area several times. */
export const shapesOfAnEffect = 10;

const endless: Reach = { shapes: Number.POSITIVE_INFINITY, vertices: Number.POSITIVE_INFINITY };

/**
 * Whether few enough elements are drawn once every reference is followed: a few kilobytes of uses of uses are millions, and so
 * are markers on markers, which are drawn at every vertex. What points to itself has no end. Where an element says otherwise than
 * what is handed down to it, both are counted: too many is safe.
 */
export function isDrawnWithin(most: number, root: Drawn, ofClass: ReadonlyMap<string, readonly Reference[]>): boolean {
  return new Expansion(root, ofClass).sizeOf(root) <= most;
}

class Expansion {
  readonly #byId = new Map<string, Drawn[]>();
  readonly #own = new Map<Drawn, readonly Reference[]>();
  readonly #handedDown = new Map<Drawn, readonly Reference[]>();
  readonly #sizes = new Map<Drawn, number>();
  readonly #reaches = new Map<Drawn, Reach>();

  constructor(root: Drawn, ofClass: ReadonlyMap<string, readonly Reference[]>) {
    this.#note(root, [], ofClass);
    const drawn = { id: effect, classes: [], references: [], children: [], isText: false, shapes: 0, vertices: 0 };
    this.#note({ ...drawn, weight: shapesOfAnEffect }, [], ofClass);
  }

  /** In elements, with all that is drawn for it. */
  sizeOf(drawn: Drawn): number {
    const known = this.#sizes.get(drawn);
    if (known !== undefined) return known;
    // Met again before it is known: it is part of itself.
    this.#sizes.set(drawn, Number.POSITIVE_INFINITY);
    const parts = [...drawn.children, ...this.#targets(drawn, 'once'), ...this.#targets(drawn, 'copied')];
    const letters = drawn.isText ? drawn.shapes : 0;
    const size = drawn.weight + letters + sum(parts, (part) => this.sizeOf(part)) + this.#sizeOfPaints(drawn);
    this.#sizes.set(drawn, size);
    return size;
  }

  /** Of what is handed down to it and to what it copies. Its children see to theirs. */
  #sizeOfPaints(drawn: Drawn): number {
    const { shapes, vertices } = this.#brings(drawn);
    let painted = shapes;
    let size = 0;
    for (const reference of this.#handedDown.get(drawn)!) {
      const drawing = drawingOf(reference);
      const times = drawing === 'at each vertex' ? vertices : drawing === 'at an end' ? shapes : 0;
      for (const marker of times === 0 ? [] : this.#withId(reference.id)) {
        size += times * this.sizeOf(marker);
        // A marker may ask for the paint of what it stands on.
        painted += times * this.#reachOf(marker).shapes;
      }
    }
    for (const reference of this.#handedDown.get(drawn)!) {
      if (drawingOf(reference) !== 'for each shape' || painted === 0) continue;
      size += painted * sum(this.#withId(reference.id), (paint) => this.sizeOf(paint));
    }
    return size;
  }

  #brings(drawn: Drawn): Reach {
    const copies = this.#targets(drawn, 'copied').map((copy) => this.#reachOf(copy));
    return {
      shapes: drawn.shapes + sum(copies, ({ shapes }) => shapes),
      vertices: drawn.vertices + sum(copies, ({ vertices }) => vertices),
    };
  }

  /** The shapes in it and in its copies. */
  #reachOf(drawn: Drawn): Reach {
    const known = this.#reaches.get(drawn);
    if (known !== undefined) return known;
    this.#reaches.set(drawn, endless);
    const all = [this.#brings(drawn), ...drawn.children.map((child) => this.#reachOf(child))];
    const reach = { shapes: sum(all, ({ shapes }) => shapes), vertices: sum(all, ({ vertices }) => vertices) };
    this.#reaches.set(drawn, reach);
    return reach;
  }

  #targets(drawn: Drawn, drawing: Drawing): readonly Drawn[] {
    const own = this.#own.get(drawn)!;
    return own.flatMap((reference) => (drawingOf(reference) === drawing ? this.#withId(reference.id) : []));
  }

  #withId(id: string): readonly Drawn[] {
    return this.#byId.get(id) ?? [];
  }

  #note(drawn: Drawn, fromAbove: readonly Reference[], ofClass: ReadonlyMap<string, readonly Reference[]>): void {
    if (drawn.id !== undefined) {
      const same = this.#byId.get(drawn.id);
      if (same === undefined) this.#byId.set(drawn.id, [drawn]);
      else same.push(drawn);
    }
    const ofClasses = [...new Set(drawn.classes)].flatMap((name) => ofClass.get(name) ?? []);
    const own = eachOnce([...drawn.references, ...ofClasses]);
    const handedDown = eachOnce([...fromAbove, ...own.filter((one) => !['once', 'copied'].includes(drawingOf(one)))]);
    this.#own.set(drawn, own);
    this.#handedDown.set(drawn, handedDown);
    for (const child of drawn.children) this.#note(child, handedDown, ofClass);
  }
}

function eachOnce(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((one) => [`${one.property} ${one.id}`, one])).values()];
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
