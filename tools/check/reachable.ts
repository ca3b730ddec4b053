/** What a node of an import graph leads to, directly or through others; itself only where it is part of a circle. */
export function reachableFrom(targetsOf: (node: string) => Iterable<string>): (node: string) => ReadonlySet<string> {
  const found = new Map<string, ReadonlySet<string>>();
  return (node) => {
    const known = found.get(node);
    if (known !== undefined) return known;
    const reached = new Set<string>();
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const target of targetsOf(next)) {
        if (reached.has(target)) continue;
        reached.add(target);
        open.push(target);
      }
    }
    found.set(node, reached);
    return reached;
  };
}
