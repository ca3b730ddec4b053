/** Objects by namespace and name, in the order they came. Two levels, so that no joined key is kept for each object. */
export class ObjectMap<R> {
  readonly #namespaces = new Map<string, Map<string, R>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): R | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  set(namespace: string, name: string, object: R): void {
    let names = this.#namespaces.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#namespaces.set(namespace, names);
    }
    if (!names.has(name)) this.#size++;
    names.set(name, object);
  }

  delete(namespace: string, name: string): R | undefined {
    const names = this.#namespaces.get(namespace);
    const object = names?.get(name);
    if (names === undefined || object === undefined) return undefined;
    names.delete(name);
    this.#size--;
    if (names.size === 0) this.#namespaces.delete(namespace);
    return object;
  }

  clear(): void {
    this.#namespaces.clear();
    this.#size = 0;
  }

  *values(): IterableIterator<R> {
    for (const names of this.#namespaces.values()) yield* names.values();
  }

  *entries(): IterableIterator<readonly [namespace: string, name: string, object: R]> {
    for (const [namespace, names] of this.#namespaces) {
      for (const [name, object] of names) yield [namespace, name, object];
    }
  }
}
