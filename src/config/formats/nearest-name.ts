/** The known name that a misspelt one most likely meant: a third of its letters may differ, case not counted. */
export function nearestName(wrong: string, known: Iterable<string>): string | undefined {
  const target = wrong.toLowerCase();
  if (target.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Math.floor(Math.max(3, target.length) / 3) + 1;
  for (const name of known) {
    if (Math.abs(name.length - target.length) >= bestDistance) continue;
    const distance = editDistance(target, name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Letters inserted, removed, replaced, or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length]!;
}
