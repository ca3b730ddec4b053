/** Addresses of the pod network 10.244.0.0/16; a freed one is given out again only when all others were used. */
export class PodAddresses {
  readonly #taken = new Set<string>();
  #next = 0;

  take(): string {
    for (let tries = 0; tries < 65_000; tries++) {
      const number = (this.#next++ % 65_000) + 257;
      const address = `10.244.${number >> 8}.${number & 255}`;
      if (this.#taken.has(address)) continue;
      this.#taken.add(address);
      return address;
    }
    throw new Error('The pod network 10.244.0.0/16 has no free address left.');
  }

  release(address: string | undefined): void {
    if (address !== undefined) this.#taken.delete(address);
  }
}
