interface Entry {
  readonly at: number;
  readonly order: number;
  readonly key: string;
}

/** One deadline a key, the earliest first; equal instants come out in the order they were set. */
export class DeadlineHeap {
  readonly #current = new Map<string, Entry>();
  readonly #heap: Entry[] = [];
  #order = 0;

  /** Replaces the key's deadline; `undefined` takes it away. */
  set(key: string, at: number | undefined): void {
    const current = this.#current.get(key);
    if (current?.at === at) return;
    if (at === undefined) {
      this.#current.delete(key);
      return;
    }
    const entry: Entry = { at, order: this.#order++, key };
    this.#current.set(key, entry);
    this.#push(entry);
  }

  earliest(): number | undefined {
    this.#dropReplaced();
    return this.#heap[0]?.at;
  }

  /** Removes and returns the keys that are due. */
  takeUntil(now: number): string[] {
    const due: string[] = [];
    for (;;) {
      this.#dropReplaced();
      const top = this.#heap[0];
      if (top === undefined || top.at > now) return due;
      this.#pop();
      this.#current.delete(top.key);
      due.push(top.key);
    }
  }

  /** A replaced deadline stays in the heap until it comes to the top; it is then not the key's current one. */
  #dropReplaced(): void {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#current.get(top.key) === top) return;
      this.#pop();
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let child = heap.push(entry) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[child] = heap[parent]!;
      child = parent;
    }
    heap[child] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= heap.length) break;
      const child = left + 1 < heap.length && isBefore(heap[left + 1]!, heap[left]!) ? left + 1 : left;
      if (!isBefore(heap[child]!, last)) break;
      heap[parent] = heap[child]!;
      parent = child;
    }
    heap[parent] = last;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
