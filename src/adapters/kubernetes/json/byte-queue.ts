/** A quiet watch hears a bookmark a minute; who hears more grows into it. */
const initialCapacity = 4 * 1024;
/** A capacity beyond this is given back once the queue runs empty: one huge object must not stay for good. */
const keptCapacity = 1024 * 1024;

/** Bytes that arrived and are not yet used, in one buffer that is used over and over. */
export class ByteQueue {
  #buffer = Buffer.allocUnsafeSlow(initialCapacity);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** A view, good until the next append. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(piece: Uint8Array | string): void {
    const size = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
    this.#makeRoom(size);
    if (typeof piece === 'string') this.#buffer.write(piece, this.#end);
    else this.#buffer.set(piece, this.#end);
    this.#end += size;
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    this.#start += count;
    if (this.#start < this.#end) return;
    this.#start = 0;
    this.#end = 0;
    if (this.#buffer.length > keptCapacity) this.#buffer = Buffer.allocUnsafeSlow(initialCapacity);
  }

  #makeRoom(size: number): void {
    if (this.#end + size <= this.#buffer.length) return;
    const used = this.length;
    if (used + size <= this.#buffer.length) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
    } else {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, used + size));
      this.#buffer.copy(larger, 0, this.#start, this.#end);
      this.#buffer = larger;
    }
    this.#start = 0;
    this.#end = used;
  }
}
