/** An element, and what it points to within the drawing. */
export interface Drawn {
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly references: readonly string[];
  readonly children: Drawn[];
}

/**
 * How many elements are drawn once every reference is followed, by the number that counts as too many: a few kilobytes of uses
 * of uses are millions. What points to itself has no end.
 */
export function isDrawnWithin(most: number, root: Drawn, ofClass: ReadonlyMap<string, readonly string[]>): boolean {
  const byId = new Map<string, Drawn[]>();
  const note = (drawn: Drawn): void => {
    if (drawn.id !== undefined) byId.set(drawn.id, [...(byId.get(drawn.id) ?? []), drawn]);
    drawn.children.forEach(note);
  };
  note(root);
  const sizes = new Map<Drawn, number>();
  const sizeOf = (drawn: Drawn): number => {
    const known = sizes.get(drawn);
    if (known !== undefined) return known;
    // Met again before it is known: it is part of itself.
    sizes.set(drawn, Number.POSITIVE_INFINITY);
    const names = [...drawn.references, ...drawn.classes.flatMap((name) => ofClass.get(name) ?? [])];
    const parts = [...drawn.children, ...names.flatMap((name) => byId.get(name) ?? [])];
    const size = parts.reduce((sum, part) => sum + sizeOf(part), 1);
    sizes.set(drawn, size);
    return size;
  };
  return sizeOf(root) <= most;
}
